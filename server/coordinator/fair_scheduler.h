// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the leases of a worker among the jobs for which the worker may measure, by start-time fair queuing. A lease is
// the right of the worker to measure one candidate (a schedule that a job proposes) for a limited time.
//
// Each job has a position, which is a virtual time. The job with the lowest position gets the next lease, which
// advances its position by 1 / weight. So jobs of equal weight alternate, and a job of weight 3 gets three leases for
// each lease of a job of weight 1. A job of a higher priority comes before all jobs of a lower one, as long as it has
// candidates.
//
//   - A job without a candidate for the worker is advanced to the position of the others, so that it accumulates no
//     credit.
//   - A new job begins at the lowest position of the others.
//   - Positions of jobs that share only some workers drift apart. At each call, jobs that are too far behind are
//     advanced. A job stays behind the one that is furthest ahead by at most 64 leases of the job of lower weight.
//
// The unit is a lease, not a second, because the time that a candidate needs is not known when it is leased.
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
  std::optional<int64_t> position;  ///< The virtual time; nullopt for a new job.
};

/// Returns the running jobs that may get leases for this device of the worker. A model (ModelJobs in job_table.h) is
/// represented by its first job.
std::vector<RunnableJob> RunnableJobsFor(const JobTable& jobs, const RegisteredWorker& worker,
                                         const RegisteredDevice& device);
/// Stores the positions of the jobs for the next Lease call.
void StorePositions(JobTable& jobs, const std::vector<RunnableJob>& runnable);

/// The order in which jobs get the leases of one Lease call. Of jobs with equal positions, the one with the lower id
/// comes first. Not thread-safe.
class FairScheduler {
 public:
  explicit FairScheduler(std::vector<RunnableJob> jobs);

  /// Returns the job that gets the next lease; null if no job is left.
  const RunnableJob* Next() const { return left_.empty() ? nullptr : &all_[left_.front()]; }
  /// True if Next() is the only job left, so that it may get all leases at once.
  bool alone() const { return left_.size() == 1; }
  /// Notes that Next() got this number of leases, which is positive.
  void Granted(int leases);
  /// Notes that Next() has no further candidate for the worker, and removes it from the order.
  void Pass();

  /// Returns all jobs with their present positions.
  const std::vector<RunnableJob>& jobs() const { return all_; }

 private:
  bool Before(size_t a, size_t b) const;

  std::vector<RunnableJob> all_;
  std::vector<size_t> left_;    ///< Indices into all_, in the order of the jobs.
  std::vector<size_t> passed_;  ///< Indices of jobs that Pass() removed.
};

}  // namespace mmtune
