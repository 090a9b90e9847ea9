// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose turn it is: how the leases of a worker are shared between the jobs that it may measure for.
//
// Start-time fair queuing over leases: each job stands at a position, the job that is furthest behind gets the next
// lease, and that moves it on by 1 / weight. So jobs of equal weight alternate, however many trials each has, and a
// weight of 3 gets three leases for one of a weight of 1. A job that has nothing to lease out when its turn comes saves
// nothing up: it moves to where the others are. A new job begins where the one furthest behind stands. Jobs that meet
// at some workers only drift apart: at each call, those too far behind the one furthest ahead are moved up, so that no
// job waits for, or makes up for, more than 64 leases of another (times the ratio of their weights, where the other's
// is larger). Priorities come before that: while a job of a higher priority has something to lease out, the others get
// nothing.
//
// It counts leases, not seconds: what a candidate will take is not known when it is leased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mmtune {

/// A job that may get leases now.
struct Contender {
  int64_t job_id = 0;
  int priority = 0;
  int weight = 1;                   ///< 1 or more.
  std::optional<int64_t> position;  ///< Comparable among jobs that meet at a worker; unset: new.
};

/// The turns of one Lease call. Deterministic: of jobs that stand equal, the one with the lower id comes first. Not
/// thread-safe.
class LeaseTurns {
 public:
  explicit LeaseTurns(std::vector<Contender> contenders);

  /// Null when nobody is left.
  const Contender* Next() const { return left_.empty() ? nullptr : &all_[left_.front()]; }
  /// Whether Next() is the only one left: it may have all that is wanted.
  bool alone() const { return left_.size() == 1; }
  /// Next() got so many leases, 1 or more.
  void Granted(int leases);
  /// Next() has nothing to lease out, and gets no further turn.
  void Pass();

  /// With the positions as they are now.
  const std::vector<Contender>& contenders() const { return all_; }

 private:
  bool Before(size_t a, size_t b) const;

  std::vector<Contender> all_;
  std::vector<size_t> left_;    ///< Into all_; the next one first.
  std::vector<size_t> passed_;  ///< Had a turn and nothing to lease out.
};

}  // namespace mmtune
