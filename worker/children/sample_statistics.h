// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The median of timing samples and how sure of it one may be.
#pragma once

#include <vector>

namespace mmtune {

struct MedianInterval {
  double median = 0;
  double low = 0, high = 0;

  double RelativeHalfWidth() const { return median > 0 ? (high - low) / 2 / median : 0; }
};

/// Interval of at least 95% for the median, from order statistics: of n sorted samples of any one distribution, the
/// number below the median is binomial(n, 1/2), so [x(j), x(n+1-j)] misses it with chance 2*P(binomial < j). The
/// largest j with that chance at most 5% is taken; under 6 samples there is none, and the interval is [min, max].
/// `samples` is not empty.
MedianInterval MedianOf(std::vector<double> samples);

/// MedianOf(), for people: where the samples have two modes, the interval reaches from the median of the one to that of
/// the other, as another process may find itself in either. Two modes: ten samples or more that one cut parts into
/// tenths or more, which explains 85 % of their variance, the outermost 20th on either side left out. One cut explains
/// 64 % of a normal distribution, 75 % of a uniform one.
MedianInterval IntervalOf(std::vector<double> samples);

}  // namespace mmtune
