// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TuningLog over a SQLite file.
#pragma once

#include <optional>
#include <string>

#include "db/database.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/record_rows.h"
#include "db/sqlite_log_reader.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Writes a log through the one connection that may. Owns it and the lock. Calls outside Begin … Commit are durable one
/// by one.
class SqliteTuningLog : public TuningLog, public SqliteLogReader {
 public:
  /// `database` comes from OpenDatabaseForWriting. `path` is the name the user gave; `bulk`: see TuningLogOptions.
  /// `discard`: the log is removed at the end if it has no record.
  SqliteTuningLog(std::string path, LogLock lock, LogFiles files, Database database, bool bulk, bool discard);
  /// Rolls back what is not committed, checkpoints, releases the lock.
  ~SqliteTuningLog() override;

  absl::Status Begin() override;
  absl::Status Commit() override;
  void Rollback() override;
  absl::Status TryWriting() override;
  absl::StatusOr<int64_t> InsertJob(const JobRow& job) override;
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) override;
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) override;
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) override;
  absl::Status InsertAttempt(const AttemptRow& attempt) override;
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) override;
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) override;
  absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns& columns) override;
  absl::Status AddWorkerNote(const WorkerNote& note) override;
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() override;
  const std::string& path() const override { return path_; }

 private:
  /// Runs one write, in the open group or in a transaction of its own. An error that is not the caller's (a full
  /// disk, an I/O error) spoils the group: its Commit will fail.
  template <typename Write>
  auto InGroup(Write write) -> decltype(write());
  absl::Status CheckGroup();
  /// Completes the ranking of the records of the group.
  absl::Status StoreBest();
  void NoteError(const absl::Status& status);

  absl::Status AddEvent(std::string_view kind, std::optional<int64_t> job_id, std::string_view detail);
  absl::StatusOr<int64_t> WriteJob(const JobRow& job);
  absl::StatusOr<int64_t> WriteCandidate(int64_t job_id, const Schedule& schedule);
  absl::Status WriteAttempt(const AttemptRow& attempt);

  /// Fails once the log's files were deleted or replaced.
  absl::Status CheckFiles();
  /// Makes sure that everything stored is in one file that has a name. Returns `why` with that name.
  absl::Status Save(const absl::Status& why);
  bool IsUnused();

  std::string path_;
  LogLock lock_;
  LogFiles files_;
  const bool discard_;
  absl::Status lost_;  ///< Not OK once the files were deleted or replaced.
  RecordStore store_;
  std::optional<BulkRanking> bulk_;
  std::optional<Transaction> group_;
  absl::Status group_error_;
  std::optional<int64_t> fresh_candidate_;  ///< Inserted last, and still queued as it was inserted.
};

}  // namespace mmtune
