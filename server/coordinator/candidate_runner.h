// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a job's candidates: proposed, answered at once or queued, measured or given up. The job runner
// (job_runner.h) decides whether that ends the job; its rules for calling hold here, too.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "server/coordinator/candidate_ledger.h"
#include "server/coordinator/compile_runner.h"
#include "server/coordinator/job_feed.h"
#include "server/coordinator/job_table.h"

namespace mmtune {

/// Everything is used, not owned, and must outlive the runner.
struct CandidateRunnerDeps {
  TuningLog& log;
  const Clock& clock;
  CandidateLedger& ledger;
  HeldEvents& events;
  TokenSource new_token;
  std::vector<const KernelFamily*> families;
  CompileRunner& compiles;
};

class CandidateRunner {
 public:
  explicit CandidateRunner(CandidateRunnerDeps deps) : deps_(std::move(deps)) {}

  /// Queues proposals of the job until `want` are queued, as far as its strategy has them and up to the limit of one
  /// call, and has compiled what that waits for; withdraws the queued candidates of a job that is out of time.
  absl::Status Pump(ActiveJob& active, int want);
  /// The canonical record of a candidate has been stored.
  void Measured(ActiveJob& active, const HeldCandidate& candidate, std::shared_ptr<const TuningRecord> record);
  /// The candidate is blamed for its lost leases: it gets a record with that outcome.
  absl::Status Convict(ActiveJob& active, const LostLease& lost, Outcome outcome, std::string_view why);
  /// The workers failed: the candidate gets no record.
  void GiveUp(ActiveJob& active, const HeldCandidate& candidate, std::string_view why);
  /// The job ends: what was compiled for its search and never chosen gets a record that says so, unless the log
  /// answered all that it proposed.
  absl::Status RecordUnchosen(ActiveJob& active);

 private:
  absl::Status Place(ActiveJob& active, const Schedule& schedule);
  absl::Status StoreVerdict(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
                            std::string_view why);
  /// The record of an attempt of the server's own, as of the worker that `own` names.
  absl::StatusOr<std::shared_ptr<const TuningRecord>> Store(ActiveJob& active, AttemptRow own, const Schedule& schedule,
                                                            Measurement measurement);
  void Observe(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  void Announce(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log);
  absl::Status ValidateSchedule(const TuningJob& job, const Schedule& schedule) const;
  absl::StatusOr<std::optional<TuningRecord>> FindInLog(const TuningJob& job, const Schedule& schedule);

  const CandidateRunnerDeps deps_;
};

/// A generous cap on one lease: the time a slow but healthy worker may take for the candidate.
Duration StartToClose(const JobSpec& spec, DeviceKind kind);

}  // namespace mmtune
