// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the base class of the two logs that write, SqliteTuningLog and PostgresTuningLog, which derive from it and
// implement its hooks. tuning_log.h documents the functions. A group is a transaction of Begin() and Commit().
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "db/database.h"
#include "db/pending_writes.h"
#include "db/record_store.h"
#include "db/sql_log_reader.h"
#include "db/tuning_log.h"

namespace mmtune {

/// True for an error of TuningLog::Commit() after which the group may be stored all the same, because the connection
/// was lost before the answer came.
bool MayBeStored(const absl::Status& status);

/// The abstract base class of logs in SQL. Writes through one connection, which it owns. A call outside of Begin() and
/// Commit() is a group of its own. Not thread-safe.
class SqlTuningLog : public TuningLog, public SqlLogReader {
 public:
  /// `path` is the name that the user gave. If `bulk`, new records are ranked when their group is committed, and not by
  /// triggers at each insert.
  SqlTuningLog(std::string path, Database database, bool bulk);

  absl::Status Begin() override;
  absl::Status Commit() override;
  void Rollback() override;
  absl::Status TryWriting() override;
  absl::StatusOr<int64_t> InsertJob(const JobRow& job) override;
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) override;
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) override;
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) override;
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override;
  absl::Status InsertAttempt(const AttemptRow& attempt) override;
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) override;
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) override;
  absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns& columns) override;
  absl::StatusOr<std::vector<InsertedRecord>> ImportRecords(const std::vector<TuningRecord>& records,
                                                            const std::vector<RecordColumns>& columns) override;
  absl::Status AddWorkerNote(const WorkerNote& note) override;
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() override;
  const std::string& path() const override { return path_; }

 protected:
  /// Return an error if a group must not begin. BeforeBegin() is called before the transaction begins, and AfterBegin()
  /// within it. BeforeBegin() fails once the log is lost, as when another coordinator has taken the jobs over, or the
  /// file was replaced. With PostgreSQL AfterBegin() locks the coordinator's row.
  virtual absl::Status BeforeBegin() = 0;
  virtual absl::Status AfterBegin() = 0;
  /// Called in the transaction of a group that has inserted a job.
  virtual absl::Status AfterInsertJob(int64_t /*job_id*/) { return absl::OkStatus(); }
  /// Called in the transaction of a group after this number of records was added to the table `ranking`, before the
  /// table is read: an engine may gather statistics for its plans here.
  virtual absl::Status AfterRanking(int64_t) { return absl::OkStatus(); }
  /// Returns an error if a group must not be acknowledged. Called before and after its transaction is committed.
  virtual absl::Status CheckCommit() = 0;

  /// Runs `write` in the open group, or in a group of its own that is committed. For derived classes that write.
  absl::Status Write(absl::FunctionRef<absl::Status()> write);

  std::optional<Transaction> group_;

 private:
  /// Runs `write` in the open group, or in a group of its own. An error that is not the caller's fault (disk full, I/O
  /// error) makes the Commit() of the group fail.
  template <typename Write>
  auto InGroup(Write write) -> decltype(write());
  /// Begins a group. Begin() also returns an error if the connection was opened again since the last call.
  absl::Status BeginGroup();
  absl::Status CheckGroup();
  absl::Status BeforeReadingCandidates() override { return WritePending(); }
  /// Writes what the group has changed in candidates and attempts. After an error the Commit() of the group fails.
  absl::Status WritePending();
  /// Updates the ranking for the records of the group.
  absl::Status StoreBest();
  void NoteError(const absl::Status& status);

  absl::Status AddEvent(std::string_view kind, std::optional<int64_t> job_id, std::string_view detail);
  absl::StatusOr<int64_t> WriteJob(const JobRow& job);
  absl::StatusOr<int64_t> WriteCandidate(int64_t job_id, const Schedule& schedule);

  std::string path_;
  RecordStore store_;
  PendingWrites pending_;
  std::optional<BulkRanking> bulk_;
  absl::Status group_error_;
  int64_t session_;  ///< Database::Session() at the last Begin().
  /// The digests of problem and schedule of the candidate that was inserted last, if the log has no record of them.
  std::optional<std::pair<std::string, std::string>> unmeasured_;
};

}  // namespace mmtune
