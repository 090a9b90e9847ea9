// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/postgres_tuning_log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "db/postgres/postgres_engine.h"
#include "db/postgres/postgres_schema.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {

PostgresTuningLog::~PostgresTuningLog() {
  group_.reset();
  if (lost_.ok()) row_.Release(database_);
}

absl::Status PostgresTuningLog::AfterBegin() {
  const absl::Status held = row_.Hold(database_);
  if (absl::IsDataLoss(held)) lost_ = held;
  return held;
}

absl::Status PostgresTuningLog::CheckCommit() {
  return database_.InTransaction() ? row_.Renew(database_) : absl::OkStatus();
}

void PostgresTuningLog::Rollback() {
  SqlTuningLog::Rollback();
  row_.ForgetRenewal();
}

std::string PostgresTuningLog::OwnJobsCondition(std::string_view job_id) const {
  return absl::StrCat(" AND ", ToAbsl(job_id), " IN (SELECT job_id FROM ownership WHERE coordinator = ", row_.id(),
                      ")");
}

absl::StatusOr<std::vector<JobRow>> PostgresTuningLog::TakeOverJobs() {
  std::vector<JobRow> jobs;
  RETURN_IF_ERROR(Write([&]() -> absl::Status {
    jobs.clear();
    ASSIGN_OR_RETURN(const std::vector<int64_t> ids, row_.TakeOver(database_));
    for (const int64_t id : ids) {
      ASSIGN_OR_RETURN(std::optional<JobRow> job, FindJobById(id));
      if (job) jobs.push_back(*std::move(job));
    }
    return absl::OkStatus();
  }));
  return jobs;
}

absl::StatusOr<std::optional<std::string>> PostgresTuningLog::OtherOwner(int64_t job_id) {
  return row_.OtherOwner(database_, job_id);
}

absl::Status PostgresTuningLog::AfterRanking(int64_t records) {
  ranked_ += records;
  if (ranked_ < next_analysis_) return absl::OkStatus();
  next_analysis_ = 2 * ranked_;
  // Statistics hold the size of the table that they were gathered from. Another coordinator, or the server itself, may
  // have gathered them meanwhile. Ids would not tell: undone transactions leave gaps between them.
  ASSIGN_OR_RETURN(
      const std::optional<int64_t> due,
      database_.FirstId("SELECT 1 FROM pg_class WHERE oid = 'measurement'::regclass AND pg_relation_size(oid) "
                        ">= 2 * relpages * current_setting('block_size')::bigint"));
  if (!due) return absl::OkStatus();
  // A table that another session has locked, for an ANALYZE of its own, say, is left out. Any other error, such as that
  // of the limit on a statement's time, undoes the statistics alone, and not the group.
  const absl::Status analyzed = database_.Execute(
      "SAVEPOINT analysis; ANALYZE (SKIP_LOCKED) ranking, measurement (job_uuid, workload_id, device_id, toolchain_id, "
      "schedule_digest, canonical, outcome, timing_key); RELEASE SAVEPOINT analysis");
  if (analyzed.ok()) return absl::OkStatus();
  LogWarning("statistics_not_gathered",
             {{"why", analyzed.message()}, {"effect", "queries may be slow until PostgreSQL gathers them itself"}});
  return database_.Execute("ROLLBACK TO SAVEPOINT analysis; RELEASE SAVEPOINT analysis");
}

absl::StatusOr<std::unique_ptr<TuningLog>> OpenPostgresLog(const std::string& url, const TuningLogOptions& options) {
  ASSIGN_OR_RETURN(Database database, OpenPostgresDatabase(url, {.writes = true, .bulk = options.bulk}));
  RETURN_IF_ERROR(EnsureSchema(database));
  ASSIGN_OR_RETURN(CoordinatorRow row,
                   CoordinatorRow::Insert(database, options.endpoint, options.resumes_jobs, options.patience));
  auto log = std::make_unique<PostgresTuningLog>(url, std::move(database), std::move(row));
  RETURN_IF_ERROR(log->TakeOverJobs().status());
  return log;
}

absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenPostgresLogReadOnly(const std::string& url) {
  ASSIGN_OR_RETURN(Database database, OpenPostgresDatabase(url, {}));
  RETURN_IF_ERROR(CheckSchema(database));
  return std::make_unique<SqlLogReader>(std::move(database));
}

absl::StatusOr<std::string> FindPostgresLogOwner(const std::string& url) {
  ASSIGN_OR_RETURN(Database database, OpenPostgresDatabase(url, {}));
  RETURN_IF_ERROR(CheckSchema(database));
  return CoordinatorRow::FindEndpoint(database);
}

}  // namespace mmtune
