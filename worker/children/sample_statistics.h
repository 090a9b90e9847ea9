// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The median of timing samples and its confidence interval, without assuming any distribution of the times.
#pragma once

#include <vector>

namespace mmtune {

/// A median and its confidence interval.
struct MedianInterval {
  double median = 0;
  double low = 0, high = 0;

  /// Returns half the width of the interval, relative to the median: 0.005 means +-0.5 %.
  double RelativeHalfWidth() const { return median > 0 ? (high - low) / 2 / median : 0; }
};

/// Returns the median with a confidence interval of at least 95 %, from order statistics. Of n samples, the number
/// below the true median is binomial(n, 1/2). So [x(j), x(n+1-j)] misses the median with probability 2*P(binomial < j);
/// the largest j with at most 5 % is taken. With fewer than 6 samples there is no such j, and the interval is [min,
/// max]. `samples` must not be empty.
MedianInterval MedianOf(std::vector<double> samples);

/// Like MedianOf(), but if the samples have two modes, the interval reaches from the median of one mode to that of the
/// other, because another run may be in either. There are two modes if, after dropping 5 % of the samples at each end,
/// splitting the sorted rest at one point explains 85 % of the variance, with 10 % or more of the samples on each side.
/// At least ten samples are needed. (The best split explains 64 % of the variance of a normal distribution and 75 % of
/// that of a uniform one.)
MedianInterval IntervalOf(std::vector<double> samples);

}  // namespace mmtune
