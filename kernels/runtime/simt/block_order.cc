// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block_order.h"
#include "proto/base/split_mix64.h"

#include <bit>
#include <utility>

#include "proto/base/split_mix64.h"

namespace mmtune::simt {

BlockOrder::BlockOrder(uint64_t blocks, std::optional<uint64_t> seed) : blocks_(blocks), seed_(seed) {
  half_bits_ = (static_cast<uint32_t>(std::bit_width(blocks)) + 1) / 2;
}

uint64_t BlockOrder::At(uint64_t position) const {
  if (!seed_) return position;
  uint64_t value = Permute(position);
  while (value >= blocks_) value = Permute(value);
  return value;
}

uint64_t BlockOrder::Permute(uint64_t value) const {
  constexpr uint64_t kRounds = 6;
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_, right = value & mask;
  for (uint64_t round = 0; round < kRounds; ++round) {
    const uint64_t mixed = SplitMix64(*seed_ + (right * kRounds + round) * 0xD1342543DE82EF95).Next() & mask;
    left ^= mixed;
    std::swap(left, right);
  }
  return left << half_bits_ | right;
}

}  // namespace mmtune::simt
