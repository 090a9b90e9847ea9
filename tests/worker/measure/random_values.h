// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a stream, held.
#pragma once

#include <cstdint>
#include <vector>

#include "worker/measure/operand_sets.h"

namespace mmtune {

struct RandomOperands {
  std::vector<float> a, b, bias, addend;  ///< As the problem lays them out; the last two are empty where it has none.
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

}  // namespace mmtune
