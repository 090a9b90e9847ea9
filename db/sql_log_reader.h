// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implements TuningLogReader, which reads a tuning log, for SQLite and PostgreSQL. tuning_log.h documents the
// functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/best_table.h"
#include "db/database.h"
#include "db/record_rows.h"
#include "db/tuning_log.h"
#include "proto/base/status.h"

namespace mmtune {

/// Reads a log through one connection, which it owns. Not thread-safe.
class SqlLogReader : public virtual TuningLogReader {
 public:
  explicit SqlLogReader(Database database);

  void OnDamaged(DamageHandler handler) override { on_damaged_ = std::move(handler); }
  absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) override;
  absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id, int limit) override;
  absl::Status ForEachBrief(const RecordFilter& filter,
                            const std::function<void(const RecordBrief& brief)>& visit) override;
  absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) override;
  absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) override;
  absl::StatusOr<std::vector<BestSchedule>> BestSchedules(const RecordFilter& filter) override;
  absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) override;
  absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) override;
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override;
  absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) override;
  absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) override;
  absl::StatusOr<std::vector<MeasuredTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                    const TimesFilter& filter, int most) override;
  absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() override;
  absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) override;
  absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) override;
  absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) override;
  absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) override;
  absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) override;
  absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() override;
  absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) override;

 protected:
  Database database_;
  RecordRows rows_;
  BestTable best_;

  /// Returns the digest of a problem. That of the last one is kept, as a search asks for many schedules of one problem.
  static std::string DigestOf(const MatmulProblem& problem);
  /// Returns an SQL condition " AND …" that selects the jobs of this writer; empty if all jobs belong to it. `job_id`
  /// is the name of the column with the job's id.
  virtual std::string OwnJobsCondition(std::string_view /*job_id*/) const { return ""; }
  /// Called by this class before it reads candidates or attempts. A class that also writes the log and holds back
  /// changes of them, such as SqlTuningLog, writes these changes here.
  virtual absl::Status BeforeReadingCandidates() { return absl::OkStatus(); }
  /// Returns the record if its outcome is ok. Returns nullopt if it is damaged, or if it is invalid and was therefore
  /// read as suspect, an outcome that is never ranked (MarkSuspectIfInvalid()).
  absl::StatusOr<std::optional<TuningRecord>> GetOkById(int64_t id);

 private:
  /// Prepares RecordRows::Select() with a WHERE clause and its values.
  template <typename... Values>
  absl::StatusOr<Statement> SelectRecords(std::string_view where, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, database_.Prepare(absl::StrCat(RecordRows::Select(), ToAbsl(where))));
    statement.BindAll(values...);
    return statement;
  }
  /// Steps to the next row that can be read; nullopt at the end.
  absl::StatusOr<std::optional<TuningRecord>> NextRecord(Statement& statement);
  /// Returns at most `limit` records that pass the filter: with ids above `from` in ascending order, or, with
  /// `newest_first`, below it in descending order.
  absl::StatusOr<std::vector<TuningRecord>> Page(const RecordFilter& filter, bool newest_first, int64_t from,
                                                 int limit);
  /// Reads a row of the table `best`. Returns nullopt if it is damaged.
  absl::StatusOr<std::optional<BestSchedule>> ReadBestSchedule(int64_t row_id);
  absl::StatusOr<std::vector<TuningRecord>> GetByPrefix(std::string_view prefix);
  /// Reads the next row; nullopt at the end. For a damaged row returns an error that names it.
  absl::StatusOr<std::optional<TuningRecord>> NextOrDamage(Statement& statement);

  /// Returns rows_. Empties its cache first if the database was connected again since.
  RecordRows& Rows();

  DamageHandler on_damaged_;
  int64_t rows_session_ = 0;          ///< The session of the database whose rows are in rows_.
  std::unordered_set<int64_t> told_;  ///< Damaged records that were named in the program's log.
};

}  // namespace mmtune
