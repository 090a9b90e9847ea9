// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/jit/init_sections.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mmtune {
namespace {

using llvm::jitlink::Block;
using llvm::jitlink::LinkGraph;
using llvm::jitlink::Section;

/// How functions are listed in an object: newer ones in ascending order of priority, older ones backwards, with the
/// priority counted down from 65535.
struct ArrayKind {
  llvm::StringRef name;
  bool backwards;
};
constexpr ArrayKind kConstructors[] = {{".init_array", false}, {".ctors", true}};
constexpr ArrayKind kDestructors[] = {{".fini_array", false}, {".dtors", true}};
constexpr unsigned kLastPriority = 65535;

bool IsArray(const Section& section, llvm::StringRef name) {
  return section.getName() == name || section.getName().starts_with((name + ".").str());
}

bool IsAnyArray(const Section& section) {
  auto matches = [&](const ArrayKind& kind) { return IsArray(section, kind.name); };
  return llvm::any_of(kConstructors, matches) || llvm::any_of(kDestructors, matches);
}

/// The number behind ".init_array."; without one a function comes after all that have one.
unsigned PriorityOf(const Section& section, bool backwards) {
  unsigned number = 0;
  if (section.getName().rsplit('.').second.getAsInteger(10, number)) return kLastPriority + 1;
  return backwards ? kLastPriority - number : number;
}

void AppendEntries(const Block& block, bool backwards, std::vector<InitSections::Function>* entries) {
  const size_t begin = entries->size();
  llvm::ArrayRef<char> content = block.getContent();
  for (size_t at = 0; at + sizeof(InitSections::Function) <= content.size(); at += sizeof(InitSections::Function)) {
    InitSections::Function entry = nullptr;
    std::memcpy(&entry, content.data() + at, sizeof(entry));
    if (entry != nullptr) entries->push_back(entry);
  }
  if (backwards) std::reverse(entries->begin() + static_cast<ptrdiff_t>(begin), entries->end());
}

/// Functions of all arrays of the kinds, by priority, then by address.
std::vector<InitSections::Function> EntriesOf(LinkGraph& graph, llvm::ArrayRef<ArrayKind> kinds) {
  struct Array {
    unsigned priority;
    const Block* block;
    bool backwards;
  };
  std::vector<Array> arrays;
  for (const ArrayKind& kind : kinds) {
    for (Section& section : graph.sections()) {
      if (!IsArray(section, kind.name)) continue;
      const unsigned priority = PriorityOf(section, kind.backwards);
      for (const Block* block : section.blocks()) arrays.push_back({priority, block, kind.backwards});
    }
  }
  std::sort(arrays.begin(), arrays.end(), [](const Array& a, const Array& b) {
    return std::pair(a.priority, a.block->getAddress()) < std::pair(b.priority, b.block->getAddress());
  });
  std::vector<InitSections::Function> entries;
  for (const Array& array : arrays) AppendEntries(*array.block, array.backwards, &entries);
  return entries;
}

}  // namespace

void InitSections::modifyPassConfig(llvm::orc::MaterializationResponsibility&, LinkGraph&,
                                    llvm::jitlink::PassConfiguration& config) {
  config.PrePrunePasses.push_back([this](LinkGraph& graph) { return Keep(graph); });
  config.PostFixupPasses.push_back([this](LinkGraph& graph) { return Collect(graph); });
}

llvm::Error InitSections::Keep(LinkGraph& graph) const {
  for (Section& section : graph.sections()) {
    if (!IsAnyArray(section)) continue;
    for (Block* block : section.blocks()) graph.addAnonymousSymbol(*block, 0, 0, false, true);
  }
  return llvm::Error::success();
}

llvm::Error InitSections::Collect(LinkGraph& graph) {
  constructors_ = EntriesOf(graph, kConstructors);
  destructors_ = EntriesOf(graph, kDestructors);
  std::reverse(destructors_.begin(), destructors_.end());
  return llvm::Error::success();
}

}  // namespace mmtune
