// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has been proposed, so that no strategy proposes a schedule twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "proto/types/schedule.h"
#include "search/space/search_space.h"

namespace mmtune {

/// Not thread-safe.
class ProposalSet {
 public:
  /// False when it was there.
  bool Insert(const Schedule& schedule) { return keys_.insert(KeyOf(schedule)).second; }
  bool Contains(const Schedule& schedule) const { return keys_.contains(KeyOf(schedule)); }
  size_t size() const { return keys_.size(); }

 private:
  /// A hash of 128 bits, which no two schedules of a search share. A search asks for it of each candidate: a digest
  /// takes twenty times as long.
  using Key = std::array<uint64_t, 2>;
  struct KeyHash {
    size_t operator()(const Key& key) const { return key[0]; }
  };
  static Key KeyOf(const Schedule& schedule);

  std::unordered_set<Key, KeyHash> keys_;
};

/// Those of `initial` that `space` contains, in their order and as they are, each once: of two that mean the same, as
/// one of before a parameter and the same with it do, the first. Entered into `proposed` as the space has them
/// (SearchSpace::Whole).
std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed);

}  // namespace mmtune
