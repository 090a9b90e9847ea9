// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writes of one batch to the tuning log.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/types/conditions.h"

namespace mmtune {

/// The state of a device right after a timing, as its worker reported it.
struct DeviceReading {
  std::string worker;
  std::string device;  ///< Its uuid.
  std::string name;
  HealthSample health;
};

/// Counts what one committed transaction changed.
struct LogChanges {
  bool wrote = false;  ///< False: there was nothing to write.
  Duration commit{};   ///< The time that committing took.
  int64_t jobs_submitted = 0;
  std::map<JobState, int64_t> jobs_ended;
  std::map<AttemptState, int64_t> leases_ended;
  std::map<Outcome, int64_t> outcomes;  ///< Counts the canonical records that were stored.
  std::vector<DeviceReading> readings;
};

/// Writes to the tuning log in transactions. Each error is marked by FromStorage (status_marks.h). Not thread-safe.
class LogTransaction {
 public:
  /// `log` must outlive it.
  explicit LogTransaction(TuningLog& log) : log_(log) {}

  absl::Status Begin();
  /// Returns what was changed since Begin().
  absl::StatusOr<LogChanges> Commit();
  void Rollback();
  absl::Status TryWriting();

  // These do the same as the methods of TuningLog.
  absl::StatusOr<int64_t> InsertJob(const JobRow& job);
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message);
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule);
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state);
  absl::Status InsertAttempt(const AttemptRow& attempt);
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail);
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record);
  absl::Status AddWorkerNote(const WorkerNote& note);

  /// Reads what is stored, including the writes of this transaction.
  TuningLogReader& reader() { return log_; }
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes();
  const std::string& path() const { return log_.path(); }

 private:
  TuningLog& log_;
  LogChanges changes_;
};

}  // namespace mmtune
