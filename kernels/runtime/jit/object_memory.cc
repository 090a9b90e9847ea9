#include "kernels/runtime/jit/object_memory.h"

#include "llvm/ADT/STLExtras.h"

namespace mmtune {

using llvm::jitlink::LinkGraph;

bool ObjectMemory::Contains(const void* address) const {
  const auto at = llvm::orc::ExecutorAddr::fromPtr(address);
  return llvm::any_of(sections_, [&](const llvm::orc::ExecutorAddrRange& section) { return section.contains(at); });
}

void ObjectMemory::modifyPassConfig(llvm::orc::MaterializationResponsibility&, LinkGraph&,
                                    llvm::jitlink::PassConfiguration& config) {
  config.PostAllocationPasses.push_back([this](LinkGraph& graph) {
    for (llvm::jitlink::Section& section : graph.sections()) {
      const llvm::jitlink::SectionRange range(section);
      if (!range.empty()) sections_.push_back(range.getRange());
    }
    return llvm::Error::success();
  });
}

llvm::Error ObjectMemory::notifyFailed(llvm::orc::MaterializationResponsibility&) { return llvm::Error::success(); }

llvm::Error ObjectMemory::notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) {
  return llvm::Error::success();
}

void ObjectMemory::notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) {}

}  // namespace mmtune
