// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/aligned_copy.h"

#include <bit>

namespace mmtune {

std::unique_ptr<llvm::MemoryBuffer> AlignedCopy(std::string_view module, std::string_view name) {
  // What is aligned to n lies n bytes or more behind the start: no alignment is above the size.
  const llvm::Align alignment(std::bit_floor(module.size() | 1));
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(module.size(), llvm::StringRef(name), alignment);
  llvm::copy(module, copy->getBufferStart());
  return copy;
}

}  // namespace mmtune
