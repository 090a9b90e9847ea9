// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a stream, held.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "worker/measure/operand_sets.h"

namespace mmtune {

struct RandomOperands {
  std::vector<float> a, b, bias, addend;  ///< Laid out as the problem says; the last two may be empty.
};

inline RandomOperands MakeRandomOperands(const MatmulProblem& problem, uint64_t seed) {
  const RandomOperandStream stream(problem, seed);
  auto all = [&stream](PlanBuffer input, int64_t elements) {
    std::vector<float> values(static_cast<size_t>(elements));
    stream.Values(input, 0, elements, values.data());
    return values;
  };
  return {all(PlanBuffer::kA, problem.ElementsA()), all(PlanBuffer::kB, problem.ElementsB()),
          all(PlanBuffer::kBias, problem.ElementsBias()), all(PlanBuffer::kAddend, problem.ElementsAddend())};
}

/// Returns, for a matmul without batch or transposed operands, the magnitudes of the products that one element
/// of C is the sum of, added up.
inline double SumOfMagnitudes(const MatmulProblem& p, const RandomOperands& operands, int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < p.k; ++k) {
    sum += std::fabs(double{operands.a[static_cast<size_t>(row * p.k + k)]} *
                     double{operands.b[static_cast<size_t>(k * p.n + column)]});
  }
  return sum;
}

}  // namespace mmtune
