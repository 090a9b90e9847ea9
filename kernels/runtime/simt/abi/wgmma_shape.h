// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shapes of wgmma, for those who compile it and those who run it.
#pragma once

#include "kernels/runtime/simt/abi/abi.h"

namespace mmtune::simt {

/// Whether there is a wgmma.mma_async of N = `n` for A of this type (PTX ISA, "Shape"): multiples of 8 up to 256, and
/// of integers 8, 16, 24, and from 32 on multiples of 16.
constexpr bool IsWgmmaColumns(ElementType a, uint32_t n) {
  const bool integers = a == ElementType::kS8 || a == ElementType::kU8 || a == ElementType::kB1;
  return n >= 8 && n <= 256 && n % (integers && n > 24 ? 16 : 8) == 0;
}

}  // namespace mmtune::simt
