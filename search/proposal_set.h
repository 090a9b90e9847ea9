// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has been proposed, by digest, so that no strategy proposes a schedule twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "proto/types/schedule.h"
#include "search/search_space.h"

namespace mmtune {

/// Not thread-safe.
class ProposalSet {
 public:
  /// False when it was there.
  bool Insert(const Schedule& schedule) { return digests_.insert(KeyOf(schedule)).second; }
  /// Costs a digest only when there is something to compare with.
  bool Contains(const Schedule& schedule) const { return !digests_.empty() && digests_.contains(KeyOf(schedule)); }
  size_t size() const { return digests_.size(); }

 private:
  /// Half of the digest: as good as all of it, in an eighth of the memory.
  using Key = std::array<uint64_t, 2>;
  struct KeyHash {
    size_t operator()(const Key& key) const { return key[0]; }
  };
  static Key KeyOf(const Schedule& schedule);

  std::unordered_set<Key, KeyHash> digests_;
};

/// Those of `initial` that `space` contains, in their order and as they are, each once: of two that mean the same, as
/// one of before a parameter and the same with it do, the first. Entered into `proposed` as the space has them
/// (SearchSpace::Whole).
std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed);

}  // namespace mmtune
