// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of one model: those of one owner whose requests have the same v1::ModelShare::id (ModelPart::id in job.h).
// Each searches for the schedule of one problem of the model. The fair scheduler (fair_scheduler.h) treats them as one
// job. This file says which of them gets the next lease, and when all of them end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "search/strategies/matmul_scheduler.h"
#include "server/coordinator/job_scheduler.h"
#include "server/coordinator/lease_table.h"

namespace mmtune {

/// A snapshot of the progress of all jobs of a model. MatmulScheduler orders them, one matmul for each job. The time of
/// a matmul that was not measured yet is estimated: it is the estimate of its request, scaled by the geometric mean of
/// measured time / estimate of the other matmuls. Not thread-safe.
class ModelJobs {
 public:
  /// Collects the jobs of the model that `job` is part of.
  ModelJobs(const JobTable& jobs, const LeaseTable& leases, const TuningJob& job);

  /// True if both jobs are part of one model.
  static bool BelongToSameModel(const TuningJob& a, const TuningJob& b);

  /// Returns all jobs of the model, in the order of their ids.
  const std::vector<int64_t>& ids() const { return ids_; }
  /// True if no further job of the model is awaited, because ModelPart::parts jobs were submitted, or because
  /// ActiveJob::parts_known of one of them is true.
  bool PartsKnown() const { return parts_known_ || static_cast<int64_t>(ids_.size()) >= parts_; }
  /// Returns the jobs that have candidates or may propose more, the one that should get the next lease first. Empty
  ///
  /// - before PartsKnown();
  /// - once the trials that are done or being measured reach the model's limit;
  /// - while a search is being prepared: it may find results in the log, which count as trials of the model.
  std::vector<int64_t> Order() const;
  /// Returns why all jobs of the model should end; empty if they should not, or before PartsKnown().
  std::string EndReason() const;

 private:
  /// Returns the trials done by all jobs.
  int64_t Done() const;

  std::vector<int64_t> ids_;
  std::vector<MatmulProgress> matmuls_;  ///< One for each of ids_.
  int64_t limit_ = 0;                    ///< ModelPart::trials.
  int64_t parts_ = 0;                    ///< ModelPart::parts.
  bool parts_known_ = false;             ///< ActiveJob::parts_known of one of them.
  int64_t ended_trials_ = 0;             ///< ActiveJob::ended_trials.
  bool waits_ = false;                   ///< True if one of the searches has not begun.
  bool plans_ = false;                   ///< True if one of the searches is being prepared for a device.
};

}  // namespace mmtune
