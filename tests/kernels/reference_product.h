// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product in plain f32: of small integers, the exact one.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// A * B, each transposed or not, for each matrix of the batch.
inline std::vector<float> ReferenceProduct(const MatmulProblem& p, const float* a, const float* b) {
  std::vector<float> c(p.ElementsC(), 0.0f);
  for (int64_t row = 0; row < p.batch * p.m; ++row) {
    const float* a_matrix = a + row / p.m * p.m * p.k;
    const float* b_matrix = b + row / p.m * p.k * p.n;
    const int64_t i = row % p.m;
    for (int64_t l = 0; l < p.k; ++l) {
      const float x = a_matrix[p.transpose_a ? l * p.m + i : i * p.k + l];
      for (int64_t j = 0; j < p.n; ++j) c[row * p.n + j] += x * b_matrix[p.transpose_b ? j * p.k + l : l * p.n + j];
    }
  }
  return c;
}

}  // namespace mmtune
