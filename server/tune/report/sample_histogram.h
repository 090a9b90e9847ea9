// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of the samples of a timing, and the modes around which samples gather.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmtune {

/// A time around which samples gather.
struct SampleMode {
  double ns = 0;     ///< The median of its highest bin.
  double share = 0;  ///< Share of the samples that lie between the valleys beside it.
};

/// Bins of equal width, one after another.
struct SampleHistogram {
  double low_ns = 0;  ///< Begin of the first bin.
  double width_ns = 0;
  std::vector<int64_t> counts;    ///< Empty: no samples. The last bin includes everything above it.
  bool open = false;              ///< There are samples above the last bin.
  std::vector<SampleMode> modes;  ///< Ascending by time. Empty for fewer than kSamplesForModes samples.

  double BinStart(size_t bin) const { return low_ns + width_ns * static_cast<double>(bin); }
};

/// The least number of samples from which modes are told.
inline constexpr size_t kSamplesForModes = 12;

/// Returns at most `most_bins` (2 or more) bins by the rule of Freedman and Diaconis (1981), with the narrowest range
/// that holds half of the samples in place of the interquartile range. Samples more than ten such ranges above the 95th
/// percentile go to the last bin. docs/report.md defines the modes.
SampleHistogram MakeSampleHistogram(std::vector<double> samples_ns, size_t most_bins);

}  // namespace mmtune
