// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the samples of a timing are distributed, and around which times they gather.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmtune {

/// A time around which samples gather.
struct SampleMode {
  double ns = 0;     ///< The median of its highest bin.
  double share = 0;  ///< Of all samples: those between the valleys beside it.
};

/// Bins of equal width, one after another.
struct SampleHistogram {
  double low_ns = 0;  ///< Where the first bin begins.
  double width_ns = 0;
  std::vector<int64_t> counts;    ///< Empty: no samples. The last bin has everything above it, too.
  bool open = false;              ///< There is something above the last bin.
  std::vector<SampleMode> modes;  ///< In ascending order of time. Empty where there are fewer than kSamplesForModes.

  double BinStart(size_t bin) const { return low_ns + width_ns * static_cast<double>(bin); }
};

/// Fewer samples say nothing about modes.
inline constexpr size_t kSamplesForModes = 12;

/// At most `most_bins` (2 or more) bins, as wide as Freedman and Diaconis (1981) have them, but with the narrowest
/// range that has half of the samples in place of that of the middle half: two clocks do not blur one another. What is
/// more than ten such ranges above the 95th percentile goes to the last bin. A mode is a bin, smoothed with its
/// neighbours, that at least a twentieth of the samples (and 3) are around, parted from the next such bin by one that
/// is at most half as high as the lower of the two.
SampleHistogram MakeSampleHistogram(std::vector<double> samples_ns, size_t most_bins);

}  // namespace mmtune
