// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/warp_request.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace mmtune {
namespace {

constexpr uint32_t kLanes = 32, kBanks = 32, kWordBytes = 4, kPartBytes = kBanks * kWordBytes, kSectorBytes = 32;
constexpr size_t kMaxWords = size_t{5} * kLanes;  // 16 bytes a lane, which a wrong kernel may have misaligned.

/// Writes the distinct units of `unit_bytes` that the lanes access to `units`, sorted, and returns their number.
size_t Units(const WarpRequest& request, uint32_t lanes, uint32_t unit_bytes, std::array<uint64_t, kMaxWords>& units) {
  size_t count = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint64_t begin = request.address[std::countr_zero(left)];
    for (uint64_t unit = begin / unit_bytes; unit <= (begin + request.bytes - 1) / unit_bytes; ++unit) {
      units[count++] = unit;
    }
  }
  std::sort(units.begin(), units.begin() + count);
  return std::unique(units.begin(), units.begin() + count) - units.begin();
}

/// Returns the largest number of distinct words in one bank, over lanes that are served together. A search calls it for
/// each candidate; as few words share a bank, a linear scan is faster than sorting all words.
uint32_t Ways(const WarpRequest& request, uint32_t lanes) {
  std::array<std::array<uint64_t, kLanes>, kBanks> words;  // A lane has at most one word in a bank.
  std::array<uint32_t, kBanks> asked = {};
  uint32_t most = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const uint64_t begin = request.address[std::countr_zero(left)];
    for (uint64_t word = begin / kWordBytes; word <= (begin + request.bytes - 1) / kWordBytes; ++word) {
      std::array<uint64_t, kLanes>& known = words[word % kBanks];
      uint32_t& count = asked[word % kBanks];
      if (std::find(known.begin(), known.begin() + count, word) != known.begin() + count) continue;
      known[count++] = word;
      most = std::max(most, count);
    }
  }
  return most;
}

/// True if all pairs within `lanes` whose numbers differ in the bits of `distance` have the same address.
bool ArePaired(const WarpRequest& request, uint32_t lanes, uint32_t distance) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t other = lane ^ distance;
    if ((lanes >> other & 1) != 0 && request.address[lane] != request.address[other]) return false;
  }
  return true;
}

}  // namespace

SharedCost CostInShared(const WarpRequest& request) {
  SharedCost cost;
  const uint32_t lanes_of_part = std::min(kPartBytes / request.bytes, kLanes);
  const uint32_t first_part = lanes_of_part == kLanes ? ~0u : (1u << lanes_of_part) - 1;
  uint32_t before = 0, lanes_before = 0;  // The first part of a pair of parts.
  for (uint32_t first = 0, part = 0; first < kLanes; first += lanes_of_part, ++part) {
    const uint32_t lanes = request.lanes & first_part << first;
    const uint32_t ways = Ways(request, lanes);
    cost.wavefronts += ways;
    cost.ideal += lanes != 0 ? 1 : 0;
    cost.ways = std::max(cost.ways, ways);
    if (part % 2 == 0) {
      before = ways;
      lanes_before = lanes;
      if (lanes_of_part == kLanes) cost.merged = ways;
      continue;
    }
    const uint32_t both = lanes_before | lanes;
    const bool paired = ArePaired(request, both, 1) || ArePaired(request, both, 2);
    cost.merged += paired ? Ways(request, both) : before + ways;
  }
  return cost;
}

GlobalCost CostInGlobal(const WarpRequest& request) {
  std::array<uint64_t, kMaxWords> units;
  GlobalCost cost;
  cost.sectors = static_cast<uint32_t>(Units(request, request.lanes, kSectorBytes, units));
  const uint32_t grain = std::min(request.bytes, kWordBytes);
  const size_t bytes = Units(request, request.lanes, grain, units) * grain;
  cost.ideal = static_cast<uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes);
  return cost;
}

int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges) {
  constexpr uint32_t kFloatBytes = 4;
  WarpRequest request{.lanes = ~0u, .bytes = kFloatBytes * static_cast<uint32_t>(width)};
  for (size_t lane = 0; lane < offsets.size(); ++lane)
    request.address[lane] = kFloatBytes * static_cast<uint64_t>(offsets[lane]);
  const SharedCost cost = CostInShared(request);
  return merges ? cost.merged : cost.wavefronts;
}

}  // namespace mmtune
