// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which the blocks of a launch run.
#pragma once

#include <cstdint>
#include <optional>

namespace mmtune::simt {

/// A permutation of [0, blocks): the identity without a seed, else a pseudo-random one. Needs no memory: a Feistel
/// network over the next even power of two, walked until it falls below `blocks`.
class BlockOrder {
 public:
  BlockOrder(uint64_t blocks, std::optional<uint64_t> seed);

  uint64_t At(uint64_t position) const;

 private:
  uint64_t Permute(uint64_t value) const;

  uint64_t blocks_;
  std::optional<uint64_t> seed_;
  uint32_t half_bits_ = 1;
};

}  // namespace mmtune::simt
