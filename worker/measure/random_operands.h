// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random operands of about normal distribution.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Mean 0, and variance 1 (the sum of four uniform 16-bit numbers); bias and addend with variance K, as large as the
/// sums that they are added to. The same seed gives the same operands. A stream, so that nobody has to hold them: any
/// part is made again where it is needed, as fast as it would be copied, as each block of elements is a table of random
/// numbers from a random place on.
class RandomOperandStream {
 public:
  RandomOperandStream(const MatmulProblem& problem, uint64_t seed);

  /// Writes elements [first, first + count) of an input, as the problem lays it out.
  void operator()(PlanBuffer input, int64_t first, int64_t count, float* out) const;

 private:
  uint64_t seed_;
  float sum_deviation_;                              // of bias and addend
  std::shared_ptr<const std::vector<float>> table_;  // of deviation 1
};

}  // namespace mmtune
