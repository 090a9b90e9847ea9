// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions that return the same bits on every machine, so that a search with one seed is reproducible. Math
// libraries have several implementations of log and exp for different processors, whose results may differ in the last
// bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mmtune {

/// Returns the value of a polynomial at x; coefficients are given from the highest power down. Unrolled, so that a loop
/// around it can be vectorized.
template <typename... Factors>
inline double Polynomial(double x, double highest, Factors... factors) {
  double sum = highest;
  ((sum = sum * x + factors), ...);
  return sum;
}

/// Returns e^x for x in [-700, 0], and e^-700 for smaller x. The relative error is below 1e-14.
inline double ExpOfNegative(double x) {
  x = x < -700 ? -700 : x;
  // x = n ln 2 + r, |r| <= ln 2 / 2. Adding and taking away 1.5 * 2^52 rounds to the nearest integer.
  constexpr double kRound = 6755399441055744.0;
  const double rounded = x * 1.4426950408889634 + kRound;
  const double n = rounded - kRound;
  const double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
  const double sum = Polynomial(r, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0);
  // The last bits of `rounded` are those of n as an integer. Old processors have no vector instruction to convert n.
  return sum * std::bit_cast<double>((std::bit_cast<uint64_t>(rounded) + 1023) << 52);
}

/// Rounds to the nearest multiple of 2^-20. This removes the last bits, in which results of different libraries may
/// differ.
inline double Settled(double x) { return std::nearbyint(x * 1048576) / 1048576; }

}  // namespace mmtune
