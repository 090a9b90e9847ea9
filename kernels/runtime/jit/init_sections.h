// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constructors and destructors of a linked object.
#pragma once

#include <vector>

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace mmtune {

/// ORC without its runtime library leaves .init_array, .fini_array and their predecessors .ctors and .dtors alone: this
/// plugin keeps them from being stripped and collects their entries. The functions may be called once the object is
/// linked.
class InitSections : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  using Function = void (*)();

  /// In the order in which they have to run.
  const std::vector<Function>& constructors() const { return constructors_; }
  const std::vector<Function>& destructors() const { return destructors_; }

  // Nothing is to be done where resources fail, go or change hands: what was collected goes with the object.
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}
  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;

 private:
  llvm::Error Keep(llvm::jitlink::LinkGraph& graph) const;
  llvm::Error Collect(llvm::jitlink::LinkGraph& graph);

  std::vector<Function> constructors_;
  std::vector<Function> destructors_;
};

}  // namespace mmtune
