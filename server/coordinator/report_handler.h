// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies the reports of workers about candidates (schedules of a job) that were leased to them, that is, given to them
// for a limited time. A lease is live until it ends; its token identifies it.
//
// A report passes three steps. Identify() finds the lease and makes a record of the measurement. Decide() chooses one
// action. Apply() stores the record and ends the lease as the action says. result_validator.h decides whether a
// measurement is believed. Measurements of quarantined workers never count. The actions are:
//
//   report of a live lease                                      action
//     the worker hands the candidate back                       kRelease
//     the worker failed, or the report has no result            kFail
//     a measurement that Validate() rejects                     kFail
//     one that Validate() requeues, from a quarantined worker   kRequeue
//     one that Validate() requeues, from any other worker       kDispute
//     one that Validate() accepts or suspects                   kComplete
//
//   report after the end of the lease (late)
//     ok, and the candidate has no result yet (IsStillAwaited)  the same as for a live lease
//     any other measurement                                     kStore
//     no measurement, or an unknown token                       kIgnore
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/work_queue.pb.h"
#include "server/coordinator/job_scheduler.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

/// Applies reports on the log writer's thread, within a transaction of the log. Not thread-safe.
class ReportHandler {
 public:
  /// `state` and `scheduler` must outlive the handler.
  ReportHandler(CoordinatorState& state, JobScheduler& scheduler) : state_(state), scheduler_(scheduler) {}

  /// Returns the error of JobScheduler::CheckJobOwner() if the token is of another coordinator's job.
  absl::Status CheckJobOwner(std::string_view token);
  /// Applies one report, and returns the answer for the worker. A token counts only from the worker that leased it. A
  /// report that makes no sense gives no error, because the worker would only send it again. All errors are storage
  /// failures.
  absl::StatusOr<v1::ReportStatus> Handle(const std::string& worker_id, const v1::CandidateReport& report);

 private:
  /// The effect of a report on its record and lease.
  enum class Action {
    kIgnore,    ///< Changes nothing.
    kStore,     ///< Stores the record as not canonical (tuning_log.h). The candidate is not changed.
    kRelease,   ///< Queues the candidate again; no worker is blamed.
    kFail,      ///< Counts a failure of the worker with the candidate, which is queued again or given up.
    kRequeue,   ///< Stores the record as not canonical, and queues the candidate for another worker.
    kDispute,   ///< Like kRequeue, and keeps the observation to compare it with that of the other worker.
    kComplete,  ///< Stores the record as canonical, and ends the candidate.
  };
  /// An action and its arguments.
  struct Decision {
    Action action = Action::kIgnore;
    std::string reason;  ///< The reason for kFail, kRequeue and kDispute, for log lines and records.
    /// The observations of the candidate so far, the new one last (Validation::observations).
    std::vector<WorkerObservation> observations;
  };
  /// A report with the attempt that it is about.
  struct Reported {
    AttemptRow attempt;  ///< With an empty token if the token is unknown, or another worker's.
    bool live = false;   ///< True if the lease is live.
    absl::StatusOr<TuningRecord> record = absl::UnknownError("the report held no result");
  };
  /// The job and the schedule of a candidate.
  struct ReportedCandidate {
    std::string job_uuid;
    MatmulProblem problem;
    Schedule schedule;
    std::string arch;  ///< The architecture for which the job asked; empty for that of the device.
  };

  /// Finds the attempt of a report, and makes a record if the report has a measurement.
  absl::StatusOr<Reported> Identify(const std::string& worker_id, const v1::CandidateReport& report);
  /// Returns the candidate of an attempt. NotFound if neither memory nor the log has it.
  absl::StatusOr<ReportedCandidate> FindCandidate(const Reported& reported);
  /// Makes a canonical record of a measurement. InvalidArgument if the report makes no sense.
  absl::StatusOr<TuningRecord> MakeRecord(const v1::CandidateReport& report, const ReportedCandidate& candidate,
                                          const AttemptRow& attempt) const;
  /// True if a late result still counts for its candidate: it is ok, its lease expired, and the candidate is still
  /// queued or leased. So a candidate that was measured is not recorded as crashed because its worker was silent for a
  /// time.
  bool IsStillAwaited(const Reported& reported) const;

  /// Chooses the action, and marks the outcome of a record that is not believed as suspect.
  Decision Decide(const v1::CandidateReport& report, Reported& reported) const;
  /// Calls Validate() for the measurement of a live lease.
  Validation ValidateResult(const Reported& reported) const;

  /// Stores the record, and ends the lease.
  absl::Status Apply(Decision decision, Reported reported, v1::ReportStatus& status);
  /// Stores the record, and sets the answer. A record that the log refuses changes the decision to kFail; one that the
  /// log has already, to kRequeue.
  absl::Status Store(Reported& reported, Decision& decision, v1::ReportStatus& status);
  absl::Status Complete(const LiveLease& lease, TuningRecord record,
                        const std::vector<WorkerObservation>& observations);
  absl::Status Fail(const LiveLease& lease, std::string_view why);
  /// Counts contradictions against the workers of these observations, and quarantines those with too many.
  absl::Status MarkFaults(const std::vector<WorkerObservation>& observations, const TuningRecord& record);

  CoordinatorState& state_;
  JobScheduler& scheduler_;
};

}  // namespace mmtune
