// A plugin of ORC's linker for objects that stay loaded as long as their LoadedObject lives.
#pragma once

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace mmtune {

/// Nothing to do where resources fail, go or change hands: what a plugin collected goes with the object.
class ObjectPlugin : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}
};

}  // namespace mmtune
