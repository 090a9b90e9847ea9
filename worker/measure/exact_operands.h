// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands on which every correct kernel has one answer. The argument is in checker.h.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Every partial sum of products is an integer of at most this magnitude, times a power of two.
inline constexpr int64_t kExactLimit = int64_t{1} << 24;

struct ExactOperands {
  std::vector<float> a, b, bias, addend;  ///< As the problem lays them out; the last two are empty where it has none.
  std::vector<float> product;             ///< A*B of every matrix; only of a problem with an epilogue, else empty.
  float bound = 0;                        ///< Of the magnitude of a sum of products, in a problem without epilogue.
};

/// `problem` is valid. The same seed gives the same operands.
ExactOperands MakeExactOperands(const MatmulProblem& problem, uint64_t seed);

/// Row-major c[m][n] = a[m][k] * b[k][n]; exact where every partial sum is.
void MultiplyExact(const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k);

/// Applies the steps to a row of `n` elements, each rounded to f32. `bias` and `addend` are where the row's begin; null
/// where no step reads them.
void ApplyEpilogue(const Epilogue& epilogue, const float* bias, const float* addend, int64_t n, float* row);

}  // namespace mmtune
