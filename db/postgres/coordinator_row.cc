// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/coordinator_row.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "db/log_lock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// The deadline of a lease that begins now.
constexpr char kDeadline[] = "clock_timestamp() + interval '15 seconds'";
/// The key of the advisory lock of TakeOver(): "MMTT".
constexpr int64_t kTakeOverKey = 0x4d4d5454;
static_assert(CoordinatorRow::kLease == std::chrono::seconds(15), "kDeadline has the same");

}  // namespace

absl::StatusOr<CoordinatorRow> CoordinatorRow::Insert(Database& database, const std::string& endpoint, bool resumes,
                                                      Duration patience) {
  const std::string token = RandomToken();
  ASSIGN_OR_RETURN(
      const std::optional<int64_t> id,
      database.Insert(absl::StrCat("INSERT INTO coordinator (token, name, host, endpoint, backend, deadline) "
                                   "VALUES (?1, ?2, ?3, ?4, pg_backend_pid(), ",
                                   kDeadline, ")"),
                      token, absl::StrCat("process ", getpid()), HostName(), endpoint));
  if (!id) return Internal(absl::StrCat(database.path(), ": a row of coordinator was not inserted"));
  return CoordinatorRow(*id, token, resumes, patience);
}

absl::StatusOr<std::string> CoordinatorRow::FindEndpoint(Database& database) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare(
          "SELECT endpoint FROM coordinator WHERE endpoint <> '' AND deadline > "
          "clock_timestamp() AND (host = ?1 OR NOT (endpoint LIKE 'unix:%' OR endpoint LIKE '%127.0.0.1:%' "
          "OR endpoint LIKE '%[::1]:%' OR endpoint LIKE '%localhost:%')) ORDER BY id"));
  ASSIGN_OR_RETURN(const bool row, select.BindAll(HostName()).Step());
  return row ? select.Text(0) : std::string();
}

bool CoordinatorRow::IsDue(const Database& database) const {
  return !renewed_ || Clock::Real().Now() - *renewed_ > kLease / 3 || session_ != database.Session();
}

absl::Status CoordinatorRow::Hold(Database& database) {
  const TimePoint now = Clock::Real().Now();
  std::optional<int64_t> held;
  if (IsDue(database)) {
    ASSIGN_OR_RETURN(
        held, database.FirstId(absl::StrCat("UPDATE coordinator SET backend = pg_backend_pid(), deadline = ", kDeadline,
                                            " WHERE id = ?1 AND token = ?2 RETURNING id"),
                               id_, token_));
    renewed_ = now;
    if (session_ != database.Session()) session_since_ = now;
    session_ = database.Session();
  } else {
    ASSIGN_OR_RETURN(
        held, database.FirstId("SELECT id FROM coordinator WHERE id = ?1 AND token = ?2 FOR UPDATE", id_, token_));
  }
  if (held) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("another coordinator of the tuning log ", database.path(),
                                          " took the jobs of this process over, as this process was silent for ",
                                          Seconds(kLease),
                                          " s: this process stores nothing more; what it acknowledged is in the log"));
}

absl::StatusOr<std::vector<int64_t>> CoordinatorRow::TakeOver(Database& database) const {
  // One at a time: two that look at once could both find the same jobs.
  ASSIGN_OR_RETURN(const int64_t alone, database.QueryInt(absl::StrCat("SELECT CASE WHEN pg_try_advisory_xact_lock(",
                                                                       kTakeOverKey, ") THEN 1 ELSE 0 END")));
  if (alone == 0) return std::vector<int64_t>();
  std::vector<int64_t> gone;
  if (renewed_ && Clock::Real().Now() - session_since_ >= patience_) {
    // A row that is locked belongs to a coordinator at work.
    ASSIGN_OR_RETURN(
        gone, database.Ids(
                  "DELETE FROM coordinator WHERE id IN (SELECT id FROM coordinator AS c WHERE id <> ?1 AND deadline < "
                  "clock_timestamp() AND (NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = backend AND datname = "
                  "current_database()) OR EXISTS (SELECT 1 FROM job AS j JOIN ownership AS o ON o.job_id = j.id WHERE "
                  "(j.state = 'waiting' OR j.state = 'running') AND o.coordinator = c.id)) FOR UPDATE SKIP LOCKED) "
                  "RETURNING id",
                  id_));
  }
  for (const int64_t id : gone)
    LogWarning("coordinator_gone", {{"id", id}, {"effect", "this coordinator takes its jobs over"}});
  return database.Ids(
      "UPDATE ownership SET coordinator = ?1, epoch = epoch + 1, resumes = ?2 WHERE job_id IN (SELECT o.job_id FROM "
      "ownership AS o JOIN job AS j ON j.id = o.job_id WHERE (j.state = 'waiting' OR j.state = 'running') AND "
      "o.resumes "
      "<= ?2 AND NOT EXISTS (SELECT 1 FROM coordinator AS c WHERE c.id = o.coordinator) FOR UPDATE OF o SKIP LOCKED) "
      "RETURNING job_id",
      id_, static_cast<int64_t>(resumes_));
}

absl::Status CoordinatorRow::ClaimJob(Database& database, int64_t job_id) const {
  return database.Run("INSERT INTO ownership (job_id, coordinator, epoch, resumes) VALUES (?1, ?2, 1, ?3)", job_id, id_,
                      static_cast<int64_t>(resumes_));
}

absl::StatusOr<std::optional<std::string>> CoordinatorRow::OtherOwner(Database& database, int64_t job_id) const {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare(
          "SELECT coalesce(c.endpoint || ' on ' || c.host, '') FROM ownership AS o JOIN job AS j ON j.id = "
          "o.job_id LEFT JOIN coordinator AS c ON c.id = o.coordinator WHERE o.job_id = ?1 "
          "AND o.coordinator <> ?2 AND (j.state = 'waiting' OR j.state = 'running')"));
  ASSIGN_OR_RETURN(const bool row, select.BindAll(job_id, id_).Step());
  return row ? std::optional(select.Text(0)) : std::nullopt;
}

void CoordinatorRow::Release(Database& database) const {
  const absl::Status status = database.Run("DELETE FROM coordinator WHERE id = ?1 AND token = ?2", id_, token_);
  if (!status.ok())
    LogWarning("coordinator_not_released",
               {{"why", status.message()}, {"effect", "other coordinators wait before they take its jobs over"}});
}

}  // namespace mmtune
