// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_check.h"

#include <unistd.h>

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/log_check_rows.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/ranking.h"
#include "db/record_rows.h"
#include "db/sqlite/transaction.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

/// Relative: times and rates are doubles.
constexpr double kRounding = 1e-9;

/// The columns that CheckRow reads, which follow those of RecordRows::Select.
constexpr char kCheckedColumns[] = ", r.gflops, r.proven, r.reference, r.ratio ";
constexpr int kCheckedCount = 4;

/// Returns the value of the column `proven`: NULL where no proof was performed.
std::optional<bool> ProvenColumn(const VerificationReport& proof) {
  return proof.performed ? std::optional(proof.passed) : std::nullopt;
}

/// Returns OK if the record is whole, and the columns that repeat parts of it agree with it.
absl::Status CheckRow(RecordRows& rows, const Statement& row) {
  const int gflops = row.Columns() - kCheckedCount, proven = gflops + 1, reference = proven + 1, ratio = reference + 1;
  ASSIGN_OR_RETURN(const TuningRecord record, rows.Read(row));
  RETURN_IF_ERROR(Validate(record));
  const bool ok = record.measurement.outcome == Outcome::kOk;
  if (ok && std::abs(row.Real(gflops) - record.Gflops()) > kRounding * record.Gflops())
    return FailedPrecondition("its column gflops is not what its time says");
  const std::optional<bool> is_proven = ProvenColumn(record.measurement.proof);
  if (row.View(proven) != (is_proven ? *is_proven ? "1" : "0" : ""))
    return FailedPrecondition("its column proven is not what its proof says");
  const ComparisonColumns compared(record);
  if (row.View(reference) != compared.reference || row.Real(ratio) != compared.ratio.value_or(0))
    return FailedPrecondition("its columns reference and ratio are not what its comparison says");
  return absl::OkStatus();
}

absl::StatusOr<std::vector<DamagedRecord>> FindDamage(Database& database, std::optional<int64_t> only,
                                                      int64_t* records) {
  RecordRows rows;
  const std::string columns(RecordRows::Select(), 0, RecordRows::Select().size() - RecordRows::From().size());
  ASSIGN_OR_RETURN(Statement statement, database.Prepare(absl::StrCat(columns, kCheckedColumns, RecordRows::From(),
                                                                      only ? "WHERE r.id = ?1" : "ORDER BY r.id")));
  if (only) statement.Bind(1, *only);
  std::vector<DamagedRecord> damaged;
  while (true) {
    ASSIGN_OR_RETURN(bool row, statement.Step());
    if (!row) return damaged;
    ++*records;
    const absl::Status status = CheckRow(rows, statement);
    if (!status.ok()) damaged.push_back(RecordRows::Damaged(statement, status));
  }
}

/// The text of the record's schedule, from elsewhere in the log or by mending a byte.
absl::StatusOr<std::optional<std::string>> FindSchedule(Database& database, int64_t id) {
  ASSIGN_OR_RETURN(std::optional<DigestedText> whole,
                   FirstWhole(database,
                              "SELECT o.schedule, o.schedule_digest FROM measurement AS r JOIN candidate AS o "
                              "ON o.id = r.candidate_id WHERE r.id = ?1 UNION ALL SELECT o.schedule, o.schedule_digest "
                              "FROM measurement AS r JOIN measurement AS o ON o.workload_id = r.workload_id AND "
                              "o.schedule_digest = r.schedule_digest WHERE r.id = ?1 AND o.id <> r.id",
                              id));
  if (!whole) {
    ASSIGN_OR_RETURN(Statement own,
                     database.Prepare("SELECT schedule, schedule_digest FROM measurement WHERE id = ?1"));
    ASSIGN_OR_RETURN(bool row, own.BindAll(id).Step());
    if (row) whole = MendByte(own.View(0), own.View(1));
  }
  return whole ? std::optional(std::move(whole->text)) : std::nullopt;
}

/// Writes the columns that follow from the record. False where it cannot be read, or is still damaged.
absl::StatusOr<bool> RestoreColumns(Database& database, int64_t id) {
  {
    RecordRows rows;
    ASSIGN_OR_RETURN(Statement select, database.Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.id = ?1")));
    ASSIGN_OR_RETURN(const bool row, select.BindAll(id).Step());
    const absl::StatusOr<TuningRecord> record = row ? rows.Read(select) : NotFound("no such record");
    if (!record.ok() || record->measurement.outcome != Outcome::kOk) return false;
    const ComparisonColumns compared(*record);
    RETURN_IF_ERROR(
        database.Run("UPDATE measurement SET gflops = ?2, proven = ?3, reference = ?4, ratio = ?5 WHERE id = ?1", id,
                     record->Gflops(), ProvenColumn(record->measurement.proof), compared.reference, compared.ratio));
  }
  int64_t records = 0;
  ASSIGN_OR_RETURN(const std::vector<DamagedRecord> left, FindDamage(database, id, &records));
  return left.empty();
}

absl::StatusOr<bool> Restore(Database& database, int64_t id) {
  ASSIGN_OR_RETURN(const bool restored, RestoreColumns(database, id));
  if (restored) return true;
  ASSIGN_OR_RETURN(std::optional<std::string> schedule, FindSchedule(database, id));
  if (!schedule) return false;
  RETURN_IF_ERROR(database.Run("UPDATE measurement SET schedule = ?2, schedule_digest = ?3 WHERE id = ?1", id,
                               *schedule, Sha256Hex(*schedule)));
  int64_t records = 0;
  ASSIGN_OR_RETURN(std::vector<DamagedRecord> left, FindDamage(database, id, &records));
  return left.empty();
}

/// Other rows first: one that is removed takes its records with it, one that is restored makes them readable again.
absl::Status Mend(Database& database, LogCheck* check) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  RETURN_IF_ERROR(CheckRows(database, /*mend=*/true, check));
  int64_t records = 0;
  ASSIGN_OR_RETURN(const std::vector<DamagedRecord> damaged, FindDamage(database, std::nullopt, &records));
  check->damaged += static_cast<int64_t>(damaged.size());
  for (const DamagedRecord& record : damaged) {
    ASSIGN_OR_RETURN(bool restored, Restore(database, record.id));
    ++(restored ? check->restored : check->removed);
    if (restored) continue;
    RETURN_IF_ERROR(database.Run("DELETE FROM measurement WHERE id = ?1", record.id));
  }
  if (check->damaged == 0) RETURN_IF_ERROR(CheckBest(database, /*mend=*/true, check));
  // What was damaged may have been ranked by another key than it has now.
  RETURN_IF_ERROR(RebuildRanking(database));
  return transaction.Commit();
}

/// Finds what is damaged; changes nothing.
absl::StatusOr<LogCheck> Look(Database& database, const DamageHandler& tell) {
  LogCheck check;
  ASSIGN_OR_RETURN(check.records, database.QueryInt("SELECT count(*) FROM measurement"));
  int64_t read = 0;
  ASSIGN_OR_RETURN(const std::vector<DamagedRecord> damaged, FindDamage(database, std::nullopt, &read));
  for (const DamagedRecord& record : damaged) tell(record);
  check.damaged = static_cast<int64_t>(damaged.size());
  RETURN_IF_ERROR(CheckRows(database, /*mend=*/false, &check));
  if (check.damaged == 0) RETURN_IF_ERROR(CheckBest(database, /*mend=*/false, &check));
  return check;
}

}  // namespace

absl::StatusOr<LogCheck> CheckTuningLog(const std::string& path, const DamageHandler& damaged) {
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  RETURN_IF_ERROR(CheckLogHeader(resolved));
  ASSIGN_OR_RETURN(Database database, OpenDatabaseForReading(resolved));
  RETURN_IF_ERROR(QuickCheck(database));
  return Look(database, damaged);
}

absl::StatusOr<LogCheck> RepairTuningLog(const std::string& path, const DamageHandler& damaged) {
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  RETURN_IF_ERROR(CheckLogHeader(resolved));
  ASSIGN_OR_RETURN(LogLock lock, LogLock::Acquire(resolved, /*endpoint=*/"", nullptr));
  ASSIGN_OR_RETURN(Database database, OpenDatabaseForWriting(resolved));
  ASSIGN_OR_RETURN(LogCheck found, Look(database, damaged));
  if (found.damaged == 0) return found;
  const std::string backup = resolved + ".before-repair.backup";
  if (access(backup.c_str(), F_OK) == 0) {
    return FailedPrecondition(absl::StrCat(backup, " is there already, of an earlier repair; move it away"));
  }
  RETURN_IF_ERROR(WithContext(CopyLog(database, backup), "backup before the repair"));
  LogCheck check;
  check.records = found.records;
  check.backup = backup;
  RETURN_IF_ERROR(Mend(database, &check));
  return check;
}

}  // namespace mmtune
