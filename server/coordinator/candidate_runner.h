// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes candidates of the schedules that the searches of jobs propose, and stores their results or passes them on.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"
#include "server/coordinator/coordinator_state.h"

namespace mmtune {

/// Proposes the candidates of jobs, and stores or passes on their results. Its caller, the JobScheduler, decides
/// whether that ends a job. Its methods also return storage failures (log_writer.h). Not thread-safe.
class CandidateRunner {
 public:
  /// `state` must outlive the runner.
  explicit CandidateRunner(CoordinatorState& state) : state_(state) {}

  /// Proposes candidates until `want` of them wait for a worker, the search has no more, or this call has made 256
  /// proposals. In the last case sets ActiveJob::queue_incomplete, so that a later call continues. Requests compilation
  /// of the schedules that the search waits for. If the job has reached a limit of time or speed, the waiting
  /// candidates are withdrawn first.
  absl::Status FillQueue(ActiveJob& active, int want);
  /// Passes a candidate's record to its job. The record is the canonical one (the one that counts, tuning_log.h), and
  /// is stored already.
  void Measured(ActiveJob& active, const PendingCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// Stores a record with this outcome, and `why` as its message, for a candidate whose workers were lost. Passes the
  /// record to the job.
  absl::Status RecordLoss(ActiveJob& active, const LostLease& lost, Outcome outcome, std::string_view why);
  /// Tells the job that the candidate is not measured, because workers failed with it (`why`, for clients). No record
  /// is stored.
  void GiveUp(ActiveJob& active, const PendingCandidate& candidate, std::string_view why);
  /// Stores a record for each schedule that was compiled for the search and never chosen. Called when the job ends.
  /// Does nothing for a job that repeats an earlier one (TuningJob::IsRepetition), which has stored these records
  /// already.
  absl::Status RecordUnchosen(ActiveJob& active);

 private:
  /// Makes a candidate of a proposal: it is answered by an earlier record, rejected as invalid, or queued.
  absl::Status Place(ActiveJob& active, const Schedule& schedule);
  /// Stores a record with this outcome, which the server itself makes, and passes it to the job. `own` is as in
  /// Store().
  absl::Status StoreOutcome(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
                            std::string_view why);
  /// Stores a record that belongs to no lease. `own` is a new attempt in the server's name, to which the record
  /// belongs; it may name a worker.
  absl::StatusOr<std::shared_ptr<const TuningRecord>> Store(ActiveJob& active, AttemptRow own, const Schedule& schedule,
                                                            Measurement measurement);
  /// Passes the record to the job, and announces it.
  void Observe(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  /// Adds an event with the record to HeldEvents; clients that follow the job get it after the commit.
  void Announce(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  absl::Status ValidateSchedule(const TuningJob& job, const Schedule& schedule) const;
  /// Returns a record of the log that answers a proposal; nullopt if there is none.
  absl::StatusOr<std::optional<TuningRecord>> FindInLog(const TuningJob& job, const Schedule& schedule);

  CoordinatorState& state_;
};

/// Returns the longest time from the start of a lease of the job to its end, on a device of this kind; heartbeats do
/// not extend it. It is generous, so that a slow but healthy worker can finish.
Duration StartToClose(const JobSpec& spec, DeviceKind kind);

}  // namespace mmtune
