// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/shared_wavefronts.h"

#include <algorithm>

namespace mmtune {
namespace {

constexpr int64_t kBanks = 32;

/// Of the lanes from `first` to `last`: the most different words of one bank.
int64_t WavefrontsOf(const LaneOffsets& offsets, size_t first, size_t last, int64_t width) {
  std::array<int64_t, kBanks> words{};
  for (size_t lane = first; lane < last; ++lane) {
    bool seen = std::find(offsets.begin() + first, offsets.begin() + lane, offsets[lane]) != offsets.begin() + lane;
    if (seen) continue;
    for (int64_t word = 0; word < width; ++word) ++words[(offsets[lane] + word) % kBanks];
  }
  return *std::max_element(words.begin(), words.end());
}

/// Whether each lane of these has the address of the one whose number differs in the bits of `apart`.
bool InPairs(const LaneOffsets& offsets, size_t first, size_t last, size_t apart) {
  for (size_t lane = first; lane < last; ++lane)
    if (offsets[lane] != offsets[lane ^ apart]) return false;
  return true;
}

}  // namespace

int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges) {
  if (width == 1) return WavefrontsOf(offsets, 0, offsets.size(), width);
  size_t lanes = offsets.size() / width, total = 0;
  for (size_t first = 0; first < offsets.size(); first += 2 * lanes) {
    size_t middle = first + lanes, last = middle + lanes;
    bool together = merges && (InPairs(offsets, first, last, 1) || InPairs(offsets, first, last, 2));
    total += together ? WavefrontsOf(offsets, first, last, width)
                      : WavefrontsOf(offsets, first, middle, width) + WavefrontsOf(offsets, middle, last, width);
  }
  return static_cast<int64_t>(total);
}

}  // namespace mmtune
