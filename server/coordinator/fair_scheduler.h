// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the leases of a worker between the jobs that it may measure for: start-time fair queuing over leases.
//
// Each job has a position. The job furthest behind gets the next lease, which advances it by 1 / weight: jobs of equal
// weight alternate, and a weight of 3 gets three leases for one of a weight of 1. A job that has nothing to lease out
// when its turn comes moves to where the others are, so that it accumulates no credit. A new job starts where the one
// furthest behind is. Jobs that meet at some workers only drift apart; at each call, those too far behind are moved up,
// so that no job waits for, or makes up for, more than 64 leases of another (times the ratio of their weights, if the
// other's is larger). While a job of a higher priority has something to lease out, the others get nothing.
//
// It counts leases, not seconds: the time of a candidate is not known when it is leased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/coordinator/worker_registry.h"

namespace mmtune {

class JobTable;

/// A job that may get leases now.
struct RunnableJob {
  int64_t job_id = 0;
  int priority = 0;
  int weight = 1;                   ///< 1 or more.
  std::optional<int64_t> position;  ///< Comparable among jobs that meet at a worker; nullopt: new.
};

/// Returns the running jobs that may get leases for this device of the worker.
std::vector<RunnableJob> RunnableJobsFor(const JobTable& jobs, const RegisteredWorker& worker,
                                         const RegisteredDevice& device);
/// Stores the positions of jobs after a Lease call.
void StorePositions(JobTable& jobs, const std::vector<RunnableJob>& runnable);

/// The turns of one Lease call. Deterministic: of jobs with equal positions, the one with the lower id comes first. Not
/// thread-safe.
class FairScheduler {
 public:
  explicit FairScheduler(std::vector<RunnableJob> jobs);

  /// Returns the job whose turn it is; null if none is left.
  const RunnableJob* Next() const { return left_.empty() ? nullptr : &all_[left_.front()]; }
  /// True if Next() is the only one left: it may have all that is wanted.
  bool alone() const { return left_.size() == 1; }
  /// Notes that Next() got this many leases, 1 or more.
  void Granted(int leases);
  /// Notes that Next() has nothing to lease out: it gets no further turn.
  void Pass();

  /// Returns all jobs with their present positions.
  const std::vector<RunnableJob>& jobs() const { return all_; }

 private:
  bool Before(size_t a, size_t b) const;

  std::vector<RunnableJob> all_;
  std::vector<size_t> left_;    ///< Into all_; the next one first.
  std::vector<size_t> passed_;  ///< Had a turn and nothing to lease out.
};

}  // namespace mmtune
