// The memory of a linked object.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace mmtune {

/// Records where the linker puts code, constants and variables.
class ObjectMemory : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  bool Contains(const void* address) const;
  std::vector<std::pair<const void*, size_t>> Variables() const;

  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility& responsibility) override;
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib& dylib, llvm::orc::ResourceKey key) override;
  void notifyTransferringResources(llvm::orc::JITDylib& dylib, llvm::orc::ResourceKey to,
                                   llvm::orc::ResourceKey from) override;

 private:
  std::vector<llvm::orc::ExecutorAddrRange> sections_;
  std::vector<llvm::orc::ExecutorAddrRange> variables_;
};

}  // namespace mmtune
