// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_transaction.h"

#include <utility>

#include "proto/base/status.h"
#include "server/coordinator/status_marks.h"

namespace mmtune {

absl::Status LogTransaction::Begin() {
  changes_ = {};
  return FromStorage(log_.Begin());
}

absl::StatusOr<LogChanges> LogTransaction::Commit() {
  const TimePoint start = Clock::Real().Now();
  RETURN_IF_ERROR(FromStorage(log_.Commit()));
  changes_.commit = Clock::Real().Now() - start;
  return std::exchange(changes_, {});
}

void LogTransaction::Rollback() {
  changes_ = {};
  log_.Rollback();
}

absl::Status LogTransaction::TryWriting() { return FromStorage(log_.TryWriting()); }

absl::StatusOr<int64_t> LogTransaction::InsertJob(const JobRow& job) {
  ASSIGN_OR_RETURN(const int64_t id, FromStorage(log_.InsertJob(job)));
  changes_.wrote = true;
  ++changes_.jobs_submitted;
  return id;
}

absl::Status LogTransaction::SetJobState(int64_t job_id, JobState state, std::string_view message) {
  RETURN_IF_ERROR(FromStorage(log_.SetJobState(job_id, state, message)));
  changes_.wrote = true;
  if (IsFinal(state)) ++changes_.jobs_ended[state];
  return absl::OkStatus();
}

absl::StatusOr<int64_t> LogTransaction::InsertCandidate(int64_t job_id, const Schedule& schedule) {
  changes_.wrote = true;
  return FromStorage(log_.InsertCandidate(job_id, schedule));
}

absl::Status LogTransaction::SetCandidateState(int64_t candidate_id, CandidateState state) {
  changes_.wrote = true;
  return FromStorage(log_.SetCandidateState(candidate_id, state));
}

absl::Status LogTransaction::InsertAttempt(const AttemptRow& attempt) {
  changes_.wrote = true;
  return FromStorage(log_.InsertAttempt(attempt));
}

absl::Status LogTransaction::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  RETURN_IF_ERROR(FromStorage(log_.EndAttempt(token, state, detail)));
  changes_.wrote = true;
  ++changes_.leases_ended[state];
  return absl::OkStatus();
}

absl::StatusOr<InsertedRecord> LogTransaction::InsertRecord(std::string_view token, const TuningRecord& record) {
  ASSIGN_OR_RETURN(const InsertedRecord inserted, FromStorage(log_.InsertRecord(token, record)));
  changes_.wrote = true;
  if (inserted.duplicate) return inserted;
  if (inserted.canonical) ++changes_.outcomes[record.measurement.outcome];
  const HealthReport& health = record.measurement.conditions.health;
  if (!health.source.empty()) {
    changes_.readings.push_back({record.worker, record.device.uuid, record.device.name, health.after});
  }
  return inserted;
}

absl::Status LogTransaction::AddWorkerNote(const WorkerNote& note) {
  changes_.wrote = true;
  return FromStorage(log_.AddWorkerNote(note));
}

absl::StatusOr<std::vector<WorkerNote>> LogTransaction::WorkerNotes() { return FromStorage(log_.WorkerNotes()); }

}  // namespace mmtune
