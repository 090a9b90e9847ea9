// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loops of tensor-core operations. Two implementations, with AVX2, FMA and F16C and without, give the same
// bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

struct VectorMath {
  /// `count` is a multiple of 8.
  void (*widen_f16)(const uint16_t* from, float* to, size_t count);
  void (*widen_bf16)(const uint16_t* from, float* to, size_t count);
  /// c[i][j] = fma(a[i][k-1], b[k-1][j], … fma(a[i][0], b[0][j], c[i][j])), NaNs canonical. `a` is m x k, `b` k x n,
  /// `c` m x n, all row-major; m is a multiple of 4 and n of 8.
  void (*multiply_accumulate)(const float* a, const float* b, float* c, size_t m, size_t n, size_t k);
};

const VectorMath& PortableVectorMath();
/// Null on a processor without the instructions.
const VectorMath* Avx2VectorMath();
/// The faster of those that this processor has.
const VectorMath& BestVectorMath();

/// f32 of `count` operands, a multiple of 8, of the type kF16, kBf16 or kTf32 (of 32 bits each).
void Widen(ElementType type, const void* from, float* to, size_t count);

}  // namespace mmtune::simt
