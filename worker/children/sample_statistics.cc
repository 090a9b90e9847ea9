// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace mmtune {
namespace {

/// Largest j >= 1 with 2*P(binomial(n, 1/2) <= j-1) <= 5%, or 1.
size_t LowerRank(size_t n) {
  double log_choose = 0;  // of (n over i)
  double below = 0;
  size_t rank = 1;
  for (size_t i = 0; i < n / 2; ++i) {
    below += std::exp(log_choose - static_cast<double>(n) * std::log(2.0));
    if (2 * below > 0.05) break;
    rank = i + 1;
    log_choose += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  return rank;
}

constexpr size_t kSamplesOfModes = 10;
constexpr double kLeftOut = 0.05;
constexpr double kLeastShare = 0.1;
constexpr double kExplained = 0.85;

double MedianOfSorted(std::span<const double> sorted) {
  const size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// Where the second of two modes begins; 0: there is one.
size_t SecondMode(std::span<const double> sorted) {
  const size_t n = sorted.size();
  if (n < kSamplesOfModes) return 0;
  const size_t left_out = static_cast<size_t>(kLeftOut * static_cast<double>(n));
  const std::span<const double> core = sorted.subspan(left_out, n - 2 * left_out);
  const size_t least = static_cast<size_t>(std::ceil(kLeastShare * static_cast<double>(n)));
  const double count = static_cast<double>(core.size());
  const double mean = std::accumulate(core.begin(), core.end(), 0.0) / count;
  double variance = 0, below = 0, explained = 0;
  for (double sample : core) variance += (sample - mean) * (sample - mean);
  size_t cut = 0;
  for (size_t i = 1; i + least <= core.size(); ++i) {
    below += core[i - 1] - mean;
    if (i < least) continue;
    // Between the two parts, whose deviations from the mean add up to nothing.
    const double of_parts = below * below * count / (static_cast<double>(i) * (count - static_cast<double>(i)));
    if (of_parts <= explained) continue;
    explained = of_parts;
    cut = left_out + i;
  }
  return explained > kExplained * variance ? cut : 0;
}

}  // namespace

MedianInterval MedianOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const size_t n = samples.size();
  const size_t rank = LowerRank(n);
  return MedianInterval{MedianOfSorted(samples), samples[rank - 1], samples[n - rank]};
}

MedianInterval IntervalOf(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  MedianInterval interval = MedianOf(samples);
  const std::span<const double> sorted = samples;
  if (const size_t cut = SecondMode(sorted); cut > 0) {
    interval.low = std::min(interval.low, MedianOfSorted(sorted.first(cut)));
    interval.high = std::max(interval.high, MedianOfSorted(sorted.subspan(cut)));
  }
  return interval;
}

}  // namespace mmtune
