// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implements TuningLog, the writing of a tuning log, over a SQLite file. tuning_log.h documents the functions.
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

/// Writes a log through its only writing connection. Owns the connection and the lock. Calls outside of Begin() and
/// Commit() are durable one by one. Not thread-safe.
class SqliteTuningLog : public TuningLog, public SqliteLogReader {
 public:
  /// `database` comes from OpenDatabaseForWriting(), and `path` is the path that the user gave. `bulk` is
  /// TuningLogOptions::bulk. If `discard`, the log is removed at the end if it has no records.
  SqliteTuningLog(std::string path, LogLock lock, LogFiles files, Database database, bool bulk, bool discard);
  /// Rolls back what is not committed, copies the WAL into the database, and releases the lock.
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
  /// Runs one write, in the open group (Begin) or in a transaction of its own. An error that is not the caller's fault
  /// (disk full, I/O error) makes the group's Commit() fail.
  template <typename Write>
  auto InGroup(Write write) -> decltype(write());
  absl::Status CheckGroup();
  /// Updates the ranking for the records of the group.
  absl::Status StoreBest();
  void NoteError(const absl::Status& status);

  absl::Status AddEvent(std::string_view kind, std::optional<int64_t> job_id, std::string_view detail);
  absl::StatusOr<int64_t> WriteJob(const JobRow& job);
  absl::StatusOr<int64_t> WriteCandidate(int64_t job_id, const Schedule& schedule);
  absl::Status WriteAttempt(const AttemptRow& attempt);

  /// Returns an error once the log's files were deleted or replaced.
  absl::Status CheckFiles();
  /// Moves everything that was stored into one file that has a path. Returns `why` with that path added.
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
  /// The candidate that was inserted last and is still queued.
  std::optional<int64_t> fresh_candidate_;
};

}  // namespace mmtune
