// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The median of timing samples and its confidence interval.
#pragma once

#include <vector>

namespace mmtune {

struct MedianInterval {
  double median = 0;
  double low = 0, high = 0;

  double RelativeHalfWidth() const { return median > 0 ? (high - low) / 2 / median : 0; }
};

/// Returns the median with a confidence interval of at least 95 %, from order statistics: of n sorted samples of any
/// one distribution, the number below the median is binomial(n, 1/2), so [x(j), x(n+1-j)] misses it with chance
/// 2*P(binomial < j). The largest j with that chance at most 5% is taken; under 6 samples there is none, and the
/// interval is [min, max]. `samples` is not empty.
MedianInterval MedianOf(std::vector<double> samples);

/// Returns MedianOf(), but if the samples have two modes, with an interval that reaches from the median of one mode to
/// that of the other: another run may be in either. There are two modes if there are ten samples or more and, with
/// 5 % left out at either end, one cut with 10 % or more on each side explains 85 % of the variance. (The best
/// cut explains 64 % of a normal distribution and 75 % of a uniform one.)
MedianInterval IntervalOf(std::vector<double> samples);

}  // namespace mmtune
