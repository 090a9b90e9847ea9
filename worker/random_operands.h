// Random operands of about normal distribution.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/host_function.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

struct RandomOperands {
  std::vector<float> a, b, bias, addend;  ///< As the problem lays them out; the last two are empty where it has none.

  /// Valid as long as the vectors stay as they are.
  HostOperands View() const { return {a.data(), b.data(), bias.data(), addend.data()}; }
};

/// Mean 0, and variance 1 (the sum of four uniform 16-bit fields); bias and addend with variance K, as large as the
/// sums that they are added to. The same seed gives the same operands.
RandomOperands MakeRandomOperands(const MatmulProblem& problem, uint64_t seed);

}  // namespace mmtune
