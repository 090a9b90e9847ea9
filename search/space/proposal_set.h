// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of proposed schedules, by which a strategy proposes no schedule twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "proto/types/schedule.h"
#include "search/space/search_space.h"

namespace mmtune {

/// A set of schedules. Not thread-safe.
class ProposalSet {
 public:
  /// Returns false if the schedule was in the set already.
  bool Insert(const Schedule& schedule) { return keys_.insert(KeyOf(schedule)).second; }
  bool Contains(const Schedule& schedule) const { return keys_.contains(KeyOf(schedule)); }
  size_t size() const { return keys_.size(); }

 private:
  /// A hash of 128 bits, so that two schedules of a search never collide. A search computes it for every candidate;
  /// a digest would take twenty times as long.
  using Key = std::array<uint64_t, 2>;
  struct KeyHash {
    size_t operator()(const Key& key) const { return key[0]; }
  };
  static Key KeyOf(const Schedule& schedule);

  std::unordered_set<Key, KeyHash> keys_;
};

/// Returns the schedules of `initial` that `space` contains, in their order, each once, and adds them to `proposed`.
std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed);

}  // namespace mmtune
