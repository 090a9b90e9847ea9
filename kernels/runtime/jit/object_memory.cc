#include "kernels/runtime/jit/object_memory.h"

#include "llvm/ADT/STLExtras.h"

namespace mmtune {

using llvm::jitlink::LinkGraph;

bool ObjectMemory::Contains(const void* address) const {
  const auto at = llvm::orc::ExecutorAddr::fromPtr(address);
  return llvm::any_of(sections_, [&](const llvm::orc::ExecutorAddrRange& section) { return section.contains(at); });
}

std::vector<std::pair<const void*, size_t>> ObjectMemory::Variables() const {
  std::vector<std::pair<const void*, size_t>> variables;
  for (const llvm::orc::ExecutorAddrRange& range : variables_) {
    variables.emplace_back(range.Start.toPtr<const void*>(), range.size());
  }
  return variables;
}

void ObjectMemory::modifyPassConfig(llvm::orc::MaterializationResponsibility&, LinkGraph&,
                                    llvm::jitlink::PassConfiguration& config) {
  config.PostAllocationPasses.push_back([this](LinkGraph& graph) {
    for (llvm::jitlink::Section& section : graph.sections()) {
      const llvm::jitlink::SectionRange range(section);
      if (range.empty()) continue;
      sections_.push_back(range.getRange());
      const bool is_writable =
          (static_cast<uint8_t>(section.getMemProt()) & static_cast<uint8_t>(llvm::orc::MemProt::Write)) != 0;
      // Constants with addresses in them are writable until the linker is done.
      if (is_writable && !section.getName().starts_with(".data.rel.ro")) variables_.push_back(range.getRange());
    }
    return llvm::Error::success();
  });
}

}  // namespace mmtune
