// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/sample_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mmtune {
namespace {

constexpr double kFarAbove = 10;        // Ranges of the densest half.
constexpr double kUsual = 0.95;         // Of all samples.
constexpr double kLeastOfAMode = 0.05;  // Of all samples.
constexpr double kValley = 0.5;         // Of the lower of two peaks.

double Quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Returns the width of the narrowest range that holds half of the samples.
double DensestHalf(const std::vector<double>& sorted) {
  const size_t half = (sorted.size() + 1) / 2;
  double narrowest = sorted.back() - sorted.front();
  for (size_t i = 0; i + half < sorted.size(); ++i) narrowest = std::min(narrowest, sorted[i + half] - sorted[i]);
  return narrowest;
}

/// Smooths each bin with its neighbours by 1:2:1.
std::vector<double> Smoothed(const std::vector<int64_t>& counts) {
  std::vector<double> smooth(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto count = [&](size_t bin) { return bin < counts.size() ? static_cast<double>(counts[bin]) : 0; };
    smooth[i] = (count(i - 1) + 2 * count(i) + count(i + 1)) / 4;  // i - 1 of the first is past the end.
  }
  return smooth;
}

/// Returns the bins that are peaks by kValley, ascending.
std::vector<size_t> Peaks(const std::vector<double>& smooth) {
  std::vector<size_t> peaks;
  for (size_t i = 0; i < smooth.size(); ++i) {
    const bool rises = i == 0 || smooth[i] > smooth[i - 1];
    size_t end = i;  // Of a plateau.
    while (end + 1 < smooth.size() && smooth[end + 1] == smooth[i]) ++end;
    const bool falls = end + 1 == smooth.size() || smooth[end + 1] < smooth[i];
    if (!rises || !falls) continue;
    if (!peaks.empty()) {
      const double valley = *std::min_element(smooth.begin() + static_cast<std::ptrdiff_t>(peaks.back()),
                                              smooth.begin() + static_cast<std::ptrdiff_t>(i));
      if (valley > kValley * std::min(smooth[peaks.back()], smooth[i])) {
        if (smooth[i] > smooth[peaks.back()]) peaks.back() = i;
        continue;
      }
    }
    peaks.push_back(i);
  }
  return peaks;
}

/// Returns the median of the samples of one bin.
double MiddleOf(const SampleHistogram& histogram, size_t bin, const std::vector<double>& sorted) {
  const auto before = std::accumulate(histogram.counts.begin(),
                                      histogram.counts.begin() + static_cast<std::ptrdiff_t>(bin), int64_t{0});
  return sorted[static_cast<size_t>(before + histogram.counts[bin] / 2)];
}

std::vector<SampleMode> FindModes(const SampleHistogram& histogram, const std::vector<double>& sorted) {
  const auto samples = static_cast<double>(sorted.size());
  const std::vector<double> smooth = Smoothed(histogram.counts);
  const std::vector<size_t> peaks = Peaks(smooth);
  std::vector<SampleMode> modes;
  size_t begin = 0;
  for (size_t i = 0; i < peaks.size(); ++i) {
    size_t end = smooth.size();
    if (i + 1 < peaks.size()) {
      end = static_cast<size_t>(std::min_element(smooth.begin() + static_cast<std::ptrdiff_t>(peaks[i]),
                                                 smooth.begin() + static_cast<std::ptrdiff_t>(peaks[i + 1])) -
                                smooth.begin());
    }
    const auto around =
        static_cast<double>(std::accumulate(histogram.counts.begin() + static_cast<std::ptrdiff_t>(begin),
                                            histogram.counts.begin() + static_cast<std::ptrdiff_t>(end), int64_t{0}));
    begin = end;
    if (around < std::max(3.0, kLeastOfAMode * samples)) continue;
    modes.push_back({MiddleOf(histogram, peaks[i], sorted), around / samples});
  }
  return modes;
}

}  // namespace

SampleHistogram MakeSampleHistogram(std::vector<double> samples_ns, size_t most_bins) {
  SampleHistogram histogram;
  if (samples_ns.empty()) return histogram;
  std::sort(samples_ns.begin(), samples_ns.end());
  histogram.low_ns = samples_ns.front();
  const double half = DensestHalf(samples_ns);
  double high = samples_ns.back();
  if (half > 0) high = std::min(high, Quantile(samples_ns, kUsual) + kFarAbove * half);
  const double span = high - histogram.low_ns;
  if (span <= 0) {
    histogram.counts = {static_cast<int64_t>(samples_ns.size())};
  } else {
    const double wanted = 2 * half / std::cbrt(static_cast<double>(samples_ns.size()));
    const double bins = wanted > 0 ? std::ceil(span / wanted) : static_cast<double>(most_bins);
    histogram.counts.resize(static_cast<size_t>(std::clamp(bins, 2.0, static_cast<double>(most_bins))));
    histogram.width_ns = span / static_cast<double>(histogram.counts.size());
    for (const double ns : samples_ns) {
      const auto bin = static_cast<size_t>((ns - histogram.low_ns) / histogram.width_ns);
      ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
      histogram.open = histogram.open || ns > high;
    }
  }
  if (samples_ns.size() >= kSamplesForModes) {
    histogram.modes = FindModes(histogram, samples_ns);
  }
  return histogram;
}

}  // namespace mmtune
