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

  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility& responsibility) override;
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib& dylib, llvm::orc::ResourceKey key) override;
  void notifyTransferringResources(llvm::orc::JITDylib& dylib, llvm::orc::ResourceKey to,
                                   llvm::orc::ResourceKey from) override;

 private:
  llvm::Error Keep(llvm::jitlink::LinkGraph& graph) const;
  llvm::Error Collect(llvm::jitlink::LinkGraph& graph);

  std::vector<Function> constructors_;
  std::vector<Function> destructors_;
};

}  // namespace mmtune
