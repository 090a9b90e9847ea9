// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums as tensor cores of V100 make them, the least accurate of all (rounding_checker.h says more).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace mmtune {

/// To the 24 bits of a significand whose first bit has this exponent.
inline double TruncateAt(int exponent, double value) {
  const double unit = std::ldexp(1.0, exponent - 23);
  return std::trunc(value / unit) * unit;
}

/// All addends of one step, the sum so far among them, are aligned to the largest and truncated; so is their sum.
inline float BlockSum(const std::vector<double>& addends) {
  double largest = 0;
  for (double addend : addends) largest = std::max(largest, std::fabs(addend));
  if (largest == 0) return 0;
  double sum = 0;
  for (double addend : addends) sum += TruncateAt(std::ilogb(largest), addend);
  return sum == 0 ? 0 : static_cast<float>(TruncateAt(std::ilogb(sum), sum));
}

}  // namespace mmtune
