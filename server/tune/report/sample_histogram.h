// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes histograms of the samples of a timing, and finds their modes (peaks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmtune {

/// A peak of a histogram: a time around which samples accumulate.
struct SampleMode {
  double ns = 0;     ///< The median of the samples in the highest bin of the peak.
  double share = 0;  ///< The fraction of the samples that lie between the valleys on both sides of the peak.
};

/// A histogram with adjacent bins of equal width.
struct SampleHistogram {
  double low_ns = 0;  ///< The start of the first bin.
  double width_ns = 0;
  std::vector<int64_t> counts;    ///< Empty if there are no samples. The last bin also has all samples above it.
  bool open = false;              ///< True if the last bin has samples above its range.
  std::vector<SampleMode> modes;  ///< Sorted by time. Empty if there are fewer than kSamplesForModes samples.

  double BinStart(size_t bin) const { return low_ns + width_ns * static_cast<double>(bin); }
};

/// The least number of samples for which modes are determined.
inline constexpr size_t kSamplesForModes = 12;

/// Returns a histogram with at most `most_bins` bins, which must be at least 2. The width of a bin follows the rule of
/// Freedman and Diaconis (1981), but with the width of the narrowest range that contains half of the samples in place
/// of the interquartile range. Samples more than ten such widths above the 95th percentile are counted in the last bin.
/// docs/report.md defines the modes.
SampleHistogram MakeSampleHistogram(std::vector<double> samples_ns, size_t most_bins);

}  // namespace mmtune
