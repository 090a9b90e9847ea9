// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning log in a PostgreSQL database. A group is all that is written between TuningLog::Begin() and Commit(), in one
// transaction. The records of a group are ranked when the group is committed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/postgres/coordinator_row.h"
#include "db/sql_tuning_log.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Writes a log in a database, which other coordinators may write at the same time. Owns the connection, and the row of
/// this coordinator (coordinator_row.h). Not thread-safe.
class PostgresTuningLog : public SqlTuningLog {
 public:
  PostgresTuningLog(std::string url, Database database, CoordinatorRow row)
      : SqlTuningLog(std::move(url), std::move(database), /*bulk=*/true), row_(std::move(row)) {}
  /// Rolls back what is not committed, and releases the jobs, so that other coordinators may take them over.
  ~PostgresTuningLog() override;

  void Rollback() override;
  absl::StatusOr<std::vector<JobRow>> TakeOverJobs() override;
  absl::StatusOr<std::optional<std::string>> OtherOwner(int64_t job_id) override;

 protected:
  absl::Status BeforeBegin() override { return lost_; }
  absl::Status AfterBegin() override;
  absl::Status AfterInsertJob(int64_t job_id) override { return row_.ClaimJob(database_, job_id); }
  std::string OwnJobsCondition(std::string_view job_id) const override;
  /// Renews the deadline in this coordinator's row if that is due, before the transaction is committed. After the
  /// deadline other coordinators may take over the jobs.
  absl::Status CheckCommit() override;
  /// Updates the planner's statistics (ANALYZE) each time that the number of records has doubled. Without them the
  /// planner would sort all records of a ranking to find the first, or read all records of a problem to find those of a
  /// schedule. The server updates them by itself, but only about once a minute.
  absl::Status AfterRanking(int64_t records) override;

 private:
  CoordinatorRow row_;
  int64_t ranked_ = 0;          ///< The records that this object has ranked.
  int64_t next_analysis_ = 16;  ///< Statistics are gathered when ranked_ reaches it.
  absl::Status lost_;           ///< Not OK once another coordinator has taken the jobs over.
};

/// Opens the log in the database at `url` for writing. Implements OpenTuningLog() for URLs, which lists the errors.
absl::StatusOr<std::unique_ptr<TuningLog>> OpenPostgresLog(const std::string& url, const TuningLogOptions& options);
/// Opens the log in the database at `url` for reading. Returns NotFound if the database has no log. Implements
/// OpenTuningLogReadOnly() for URLs.
absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenPostgresLogReadOnly(const std::string& url);
/// Returns the address of a coordinator that has the log open for writing; empty if there is none that this host can
/// reach. Implements FindLogOwner().
absl::StatusOr<std::string> FindPostgresLogOwner(const std::string& url);

}  // namespace mmtune
