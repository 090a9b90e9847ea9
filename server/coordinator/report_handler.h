// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies the reports of workers: results, failures, leases handed back, and what comes too late.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/work_queue.pb.h"
#include "server/coordinator/job_scheduler.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

/// Not thread-safe. Called as the coordinator is; returns storage failures only.
class ReportHandler {
 public:
  /// Both must outlive the handler.
  ReportHandler(CoordinatorState& state, JobScheduler& scheduler) : state_(state), scheduler_(scheduler) {}

  /// Applies one report. A token counts only from the worker that leased it.
  absl::StatusOr<v1::ReportStatus> Handle(const std::string& worker_id, const v1::CandidateReport& report);

 private:
  /// The candidate that a report is about.
  struct ReportedCandidate {
    std::string job_uuid;
    MatmulProblem problem;
    Schedule schedule;
    std::string arch;  ///< The arch that the job asked for; empty: the device's own.
  };

  static ReportedCandidate Describe(const PendingCandidate& candidate, const TuningJob& job);
  absl::Status HandleResult(const LiveLease& lease, const v1::CandidateReport& report, v1::ReportStatus& status);
  Validation ValidateResult(const LiveLease& lease, const ReportedResult& report, const TuningJob& job) const;
  /// Stores the record as suspect and not canonical, and queues the candidate again.
  absl::Status MeasureElsewhere(const LiveLease& lease, TuningRecord record, Validation validation);
  /// Stores the record and completes the candidate.
  absl::Status Complete(const LiveLease& lease, TuningRecord record, const std::vector<WorkerObservation>& observations,
                        v1::ReportStatus& status);
  /// Counts contradictions against the workers of these observations, and quarantines those with too many.
  absl::Status MarkFaults(const std::vector<WorkerObservation>& observations, const TuningRecord& record);
  absl::Status Quarantine(const std::string& worker, const std::string& why);
  absl::Status HandleFailure(const LiveLease& lease, std::string_view why);
  absl::Status HandleLate(const std::string& worker_id, const v1::CandidateReport& report, v1::ReportStatus& status);
  /// True if a late record decides about its candidate: the worker was silent, not lost, and nobody else has measured
  /// the candidate yet. So a candidate that was measured is not blamed for ending workers.
  bool IsStillAwaited(const AttemptRow& attempt, const TuningRecord& record) const;
  /// Finds a candidate that is no longer leased. NotFound if the log does not have it or cannot read it.
  absl::StatusOr<ReportedCandidate> Locate(int64_t candidate_id);
  /// Makes the canonical record of a result. InvalidArgument if the report makes no sense.
  absl::StatusOr<TuningRecord> MakeRecord(const v1::CandidateReport& report, const ReportedCandidate& candidate,
                                          const std::string& worker_id, const std::string& device_uuid,
                                          int64_t attempt) const;

  CoordinatorState& state_;
  JobScheduler& scheduler_;
};

}  // namespace mmtune
