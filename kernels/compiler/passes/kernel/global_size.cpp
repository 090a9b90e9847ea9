// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/global_size.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr uint64_t kMostBytes = (uint64_t{1} << 31) - 1;

/// Returns the size of a global's type, or the largest number for a larger one.
uint64_t bytesOf(Type type, const DataLayout& layout) {
  uint64_t count = 1;
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    count = llvm::SaturatingMultiply(count, uint64_t{array.getNumElements()});
    type = array.getElementType();
  }
  return llvm::SaturatingMultiply(count, uint64_t{layout.getTypeSize(type).getFixedValue()});
}

}  // namespace

LogicalResult checkSize(LLVM::GlobalOp global, const DataLayout& layout) {
  const uint64_t bytes = bytesOf(global.getGlobalType(), layout);
  if (bytes <= kMostBytes) return success();
  return global.emitError("a constant or global of ")
         << bytes << " bytes does not fit an object, which has " << kMostBytes
         << " for each: pass it as an argument, or compute it";
}

}  // namespace mmtune
