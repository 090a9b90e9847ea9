// The memory of a linked object.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/runtime/jit/object_plugin.h"

namespace mmtune {

/// Records where the linker puts code, constants and variables.
class ObjectMemory : public ObjectPlugin {
 public:
  bool Contains(const void* address) const;
  std::vector<std::pair<const void*, size_t>> Variables() const;

  void modifyPassConfig(llvm::orc::MaterializationResponsibility& responsibility, llvm::jitlink::LinkGraph& graph,
                        llvm::jitlink::PassConfiguration& config) override;

 private:
  std::vector<llvm::orc::ExecutorAddrRange> sections_;
  std::vector<llvm::orc::ExecutorAddrRange> variables_;
};

}  // namespace mmtune
