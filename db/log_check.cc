// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_check.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/best_table.h"
#include "db/database.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/ranking.h"
#include "db/record_check.h"
#include "db/record_rows.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {
namespace {

constexpr size_t kNamed = 10;
/// Runs statements whose one parameter is `id`.
absl::Status RunAll(Database& database, int64_t id, std::initializer_list<const char*> statements) {
  for (const char* sql : statements) RETURN_IF_ERROR(database.Run(sql, id));
  return absl::OkStatus();
}

void Tell(LogCheck* check, bool mend, bool restored, const std::string& what) {
  ++check->damaged;
  if (mend) ++(restored ? check->restored : check->removed);
  check->rows.push_back(absl::StrCat(what, mend ? (restored ? ": restored" : ": removed") : ""));
}

absl::Status RemoveRecord(Database& database, int64_t id) {
  return database.Run("DELETE FROM measurement WHERE id = ?1", id);
}

absl::Status RemoveAttempt(Database& database, int64_t id) {
  return RunAll(database, id,
                {"UPDATE measurement SET candidate_id = NULL, attempt_id = NULL WHERE attempt_id = ?1",
                 "DELETE FROM attempt WHERE id = ?1"});
}

absl::Status RemoveCandidate(Database& database, int64_t id) {
  return RunAll(database, id,
                {"UPDATE measurement SET candidate_id = NULL, attempt_id = NULL WHERE candidate_id = ?1",
                 "DELETE FROM attempt WHERE candidate_id = ?1", "DELETE FROM candidate WHERE id = ?1"});
}

absl::Status RemoveJob(Database& database, int64_t id) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> candidates,
                   database.Ids("SELECT id FROM candidate WHERE job_id = ?1", id));
  for (int64_t candidate : candidates) RETURN_IF_ERROR(RemoveCandidate(database, candidate));
  return RunAll(database, id, {"DELETE FROM event WHERE job_id = ?1", "DELETE FROM job WHERE id = ?1"});
}

struct Table {
  const char *what, *name, *text, *column;
};
constexpr Table kShared[] = {{"problem", "workload", "problem", "workload_id"},
                             {"device", "device", "info", "device_id"},
                             {"toolchain", "toolchain", "info", "toolchain_id"}};

struct DigestedRow {
  int64_t id;
  DigestedText at;
};

absl::StatusOr<std::vector<DigestedRow>> Mismatched(Database& database, const std::string& select_id_text_digest) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(select_id_text_digest));
  std::vector<DigestedRow> found;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return found;
    if (Sha256Hex(select.View(1)) != select.View(2)) found.push_back({select.Int(0), {select.Text(1), select.Text(2)}});
  }
}

absl::Status SetAside(Database& database, const Table& table, int64_t id) {
  RETURN_IF_ERROR(database.Run(absl::StrCat("DELETE FROM measurement WHERE ", table.column, " = ?1"), id));
  if (std::string_view(table.name) == "workload") {
    ASSIGN_OR_RETURN(const std::vector<int64_t> jobs, database.Ids("SELECT id FROM job WHERE workload_id = ?1", id));
    for (int64_t job : jobs) RETURN_IF_ERROR(RemoveJob(database, job));
  }
  return database.Run(absl::StrCat("DELETE FROM ", table.name, " WHERE id = ?1"), id);
}

/// Writes the restored text. Where the same value was stored again since, that row takes over the references.
absl::Status Restore(Database& database, const Table& table, int64_t id, const DigestedText& whole) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> other,
                   database.FirstId(absl::StrCat("SELECT id FROM ", table.name, " WHERE digest = ?1 AND id <> ?2"),
                                    whole.digest, id));
  if (other) {
    const std::string moved = absl::StrCat(" SET ", table.column, " = ?2 WHERE ", table.column, " = ?1");
    RETURN_IF_ERROR(database.Run(absl::StrCat("UPDATE measurement", moved), id, *other));
    if (std::string_view(table.name) == "workload") {
      RETURN_IF_ERROR(database.Run(absl::StrCat("UPDATE job", moved), id, *other));
    }
    return database.Run(absl::StrCat("DELETE FROM ", table.name, " WHERE id = ?1"), id);
  }
  return database.Run(absl::StrCat("UPDATE ", table.name, " SET digest = ?2, ", table.text, " = ?3 WHERE id = ?1"), id,
                      whole.digest, whole.text);
}

/// Returns the ok record with this id; nullopt if it is damaged.
absl::StatusOr<std::optional<TuningRecord>> LoadOk(Database& database, RecordRows& rows, int64_t id) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.id = ?1")));
  ASSIGN_OR_RETURN(const bool row, select.BindAll(id).Step());
  if (!row) return std::nullopt;
  absl::StatusOr<TuningRecord> record = rows.Read(select);
  if (!record.ok() || record->measurement.outcome != Outcome::kOk) return std::nullopt;
  return *std::move(record);
}

/// Makes the ranking anew from the records.
absl::Status RebuildRanking(Database& database) {
  RETURN_IF_ERROR(
      database.Execute(absl::StrCat("DELETE FROM ranking; INSERT INTO ranking ", RankingRows(), kRankingOrder)));
  RecordRows rows;
  return BestTable(&database).Rebuild([&](int64_t id) { return LoadOk(database, rows, id); });
}

/// Compares the rows of the ranking with those that follow from the records.
absl::Status CheckRanking(Database& database, bool mend, LogCheck* check) {
  const auto count = [&](const std::string& some, const std::string& others) {
    return database.QueryInt(absl::StrCat("SELECT count(*) FROM (", some, " EXCEPT ", others, ")"));
  };
  constexpr char kRanking[] = "SELECT * FROM ranking";
  ASSIGN_OR_RETURN(const int64_t wrong, count(kRanking, RankingRows()));
  ASSIGN_OR_RETURN(const int64_t missing, count(RankingRows(), kRanking));
  if (wrong + missing == 0) return absl::OkStatus();
  if (mend) RETURN_IF_ERROR(RebuildRanking(database));
  Tell(check, mend, /*restored=*/true,
       absl::StrCat("the ranking has ", wrong, " rows that do not follow from the records, and lacks ", missing,
                    " that do"));
  return absl::OkStatus();
}

/// Returns what the columns of a shared row that repeat parts of its text must be.
std::string ColumnsOf(const MatmulProblem& problem) {
  return absl::StrCat("matmul ", problem.m, " ", problem.n, " ", problem.k, " ", ToAbsl(DataTypeName(problem.dtype)));
}
std::string ColumnsOf(const DeviceInfo& device) {
  return absl::StrCat(device.ClassKey(), " ", ToAbsl(DeviceKindName(device.kind)), " ", device.name, " ", device.arch);
}

absl::Status MendColumns(Database& database, int64_t id, const MatmulProblem& problem) {
  return database.Run("UPDATE workload SET op = 'matmul', m = ?2, n = ?3, k = ?4, dtype = ?5 WHERE id = ?1", id,
                      problem.m, problem.n, problem.k, DataTypeName(problem.dtype));
}
absl::Status MendColumns(Database& database, int64_t id, const DeviceInfo& device) {
  return database.Run("UPDATE device SET class_key = ?2, kind = ?3, name = ?4, arch = ?5 WHERE id = ?1", id,
                      device.ClassKey(), DeviceKindName(device.kind), device.name, device.arch);
}

/// Compares columns with texts that agree with their digests. `select` gives ids, texts and columns.
template <typename T>
absl::Status CheckColumns(Database& database, bool mend, LogCheck* check, const char* what, const char* select) {
  std::vector<std::pair<int64_t, T>> found;
  {
    ASSIGN_OR_RETURN(Statement rows, database.Prepare(select));
    while (true) {
      ASSIGN_OR_RETURN(const bool row, rows.Step());
      if (!row) break;
      absl::StatusOr<T> value = ParseColumn<T>(rows.View(1));
      if (value.ok() && ColumnsOf(*value) != rows.View(2)) found.emplace_back(rows.Int(0), *std::move(value));
    }
  }
  for (const auto& [id, value] : found) {
    if (mend) RETURN_IF_ERROR(MendColumns(database, id, value));
    Tell(check, mend, /*restored=*/true, absl::StrCat(what, " ", id, " has columns that differ from its text"));
  }
  return absl::OkStatus();
}

absl::Status CheckShared(Database& database, const Table& table, bool mend, LogCheck* check) {
  ASSIGN_OR_RETURN(const std::vector<DigestedRow> damaged,
                   Mismatched(database, absl::StrCat("SELECT id, ", table.text, ", digest FROM ", table.name)));
  for (const DigestedRow& row : damaged) {
    std::string what = absl::StrCat(table.what, " ", row.id, " is not what its digest says");
    const std::optional<DigestedText> whole = RepairByte(row.at.text, row.at.digest);
    const bool restored = whole.has_value();
    if (!restored) {
      ASSIGN_OR_RETURN(std::vector<int64_t> ids,
                       database.Ids(absl::StrCat("SELECT id FROM measurement WHERE ", table.column, " = ?1"), row.id));
      const size_t records = ids.size();
      ids.resize(std::min(records, kNamed));
      absl::StrAppend(&what, ", and cannot be restored; ", records, " records belong to it", records > 0 ? ": " : "",
                      absl::StrJoin(ids, ", "), records > kNamed ? ", ..." : "");
      check->set_aside += mend ? static_cast<int64_t>(records) : 0;
    }
    if (mend) {
      RETURN_IF_ERROR(restored ? Restore(database, table, row.id, *whole) : SetAside(database, table, row.id));
    }
    Tell(check, mend, restored, what);
  }
  return absl::OkStatus();
}

/// Checks for rows that refer to a row that is not there: `select_ids` finds them, `remove` removes one, `what` names
/// it before its id and `fault` says after it what is wrong.
absl::Status CheckLost(Database& database, bool mend, LogCheck* check, const char* select_ids,
                       absl::Status (*remove)(Database&, int64_t id), const char* what, const char* fault) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> lost, database.Ids(select_ids));
  for (int64_t id : lost) {
    if (mend) RETURN_IF_ERROR(remove(database, id));
    Tell(check, mend, /*restored=*/false, absl::StrCat(what, " ", id, " ", fault));
  }
  return absl::OkStatus();
}

absl::Status CheckJobs(Database& database, bool mend, LogCheck* check) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> lost,
                   database.Ids("SELECT id FROM job WHERE workload_id NOT IN (SELECT id FROM workload)"));
  for (int64_t id : lost) {
    ASSIGN_OR_RETURN(
        const std::optional<int64_t> workload,
        database.FirstId("SELECT workload_id FROM measurement WHERE job_uuid = (SELECT uuid FROM job WHERE id = ?1) "
                         "AND workload_id IN (SELECT id FROM workload) LIMIT 1",
                         id));
    if (mend && workload) {
      RETURN_IF_ERROR(database.Run("UPDATE job SET workload_id = ?2 WHERE id = ?1", id, *workload));
    } else if (mend) {
      RETURN_IF_ERROR(RemoveJob(database, id));
    }
    Tell(check, mend, workload.has_value(), absl::StrCat("job ", id, " leads to no problem"));
  }
  return absl::OkStatus();
}

/// Finds the schedule of a candidate, from one of its records or by mending a byte.
absl::StatusOr<std::optional<DigestedText>> FindSchedule(Database& database, const DigestedRow& row) {
  ASSIGN_OR_RETURN(
      std::optional<DigestedText> whole,
      FirstIntact(database, "SELECT schedule, schedule_digest FROM measurement WHERE candidate_id = ?1", row.id));
  return whole ? whole : RepairByte(row.at.text, row.at.digest);
}

absl::Status CheckCandidates(Database& database, bool mend, LogCheck* check) {
  ASSIGN_OR_RETURN(const std::vector<DigestedRow> damaged,
                   Mismatched(database, "SELECT id, schedule, schedule_digest FROM candidate"));
  for (const DigestedRow& row : damaged) {
    ASSIGN_OR_RETURN(std::optional<DigestedText> whole, FindSchedule(database, row));
    if (whole) {  // the job may have entered it anew since
      ASSIGN_OR_RETURN(
          const std::vector<int64_t> anew,
          database.Ids("SELECT c.id FROM candidate AS c JOIN candidate AS o ON o.job_id = c.job_id AND o.id <> c.id "
                       "WHERE o.id = ?1 AND c.schedule_digest = ?2",
                       row.id, whole->digest));
      if (!anew.empty()) whole.reset();
    }
    if (mend && whole) {
      RETURN_IF_ERROR(database.Run("UPDATE candidate SET schedule = ?2, schedule_digest = ?3 WHERE id = ?1", row.id,
                                   whole->text, whole->digest));
    } else if (mend) {
      RETURN_IF_ERROR(RemoveCandidate(database, row.id));
    }
    Tell(check, mend, whole.has_value(), absl::StrCat("candidate ", row.id, "'s schedule is not what its digest says"));
  }
  return absl::OkStatus();
}

/// Ranks the records anew, and compares the rows of the table `best` with what comes first; `check` and `mend` as
/// above. For a log in which nothing else is damaged.
absl::Status CheckBest(Database& database, bool mend, LogCheck* check) {
  RecordRows rows;
  ASSIGN_OR_RETURN(const int64_t wrong,
                   BestTable(&database).CountWrong([&](int64_t id) { return LoadOk(database, rows, id); }));
  if (wrong == 0) return absl::OkStatus();
  if (mend) RETURN_IF_ERROR(RebuildRanking(database));
  Tell(check, mend, /*restored=*/true, absl::StrCat("the table of the best schedules has ", wrong, " wrong rows"));
  return absl::OkStatus();
}

/// Compares the ranking with the records, and columns with the texts that they repeat parts of. Adds a line to
/// `check->rows` for each row that is damaged or refers to a missing row. With `mend`, within a
/// transaction, each is restored or removed, as its line says and `check` counts. The records of a removed problem,
/// device or toolchain are removed with it; those of a removed candidate stay, as imported ones do.
absl::Status CheckRows(Database& database, bool mend, LogCheck* check) {
  RETURN_IF_ERROR(CheckRanking(database, mend, check));
  RETURN_IF_ERROR(CheckColumns<MatmulProblem>(
      database, mend, check, "problem",
      "SELECT id, problem, op || ' ' || m || ' ' || n || ' ' || k || ' ' || dtype FROM workload "
      "WHERE sha256(problem) = digest"));
  RETURN_IF_ERROR(
      CheckColumns<DeviceInfo>(database, mend, check, "device",
                               "SELECT id, info, class_key || ' ' || kind || ' ' || name || ' ' || arch FROM device "
                               "WHERE sha256(info) = digest"));
  for (const Table& table : kShared) RETURN_IF_ERROR(CheckShared(database, table, mend, check));
  RETURN_IF_ERROR(
      CheckLost(database, mend, check,
                "SELECT id FROM measurement WHERE workload_id NOT IN (SELECT id FROM workload) OR "
                "device_id NOT IN (SELECT id FROM device) OR toolchain_id NOT IN (SELECT id FROM toolchain)",
                RemoveRecord, "record", "leads to no problem, device or toolchain"));
  RETURN_IF_ERROR(CheckJobs(database, mend, check));
  RETURN_IF_ERROR(CheckCandidates(database, mend, check));
  RETURN_IF_ERROR(CheckLost(database, mend, check, "SELECT id FROM candidate WHERE job_id NOT IN (SELECT id FROM job)",
                            RemoveCandidate, "candidate", "leads to no job"));
  return CheckLost(database, mend, check, "SELECT id FROM attempt WHERE candidate_id NOT IN (SELECT id FROM candidate)",
                   RemoveAttempt, "attempt", "leads to no candidate");
}

/// Other rows first: one that is removed takes its records with it, one that is restored makes them readable again.
absl::Status Mend(Database& database, LogCheck* check) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  RETURN_IF_ERROR(CheckRows(database, /*mend=*/true, check));
  int64_t records = 0;
  ASSIGN_OR_RETURN(const std::vector<DamagedRecord> damaged, FindDamage(database, std::nullopt, &records));
  check->damaged += static_cast<int64_t>(damaged.size());
  for (const DamagedRecord& record : damaged) {
    ASSIGN_OR_RETURN(bool restored, RestoreRecord(database, record.id));
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
    return FailedPrecondition(absl::StrCat(backup, " exists already, from an earlier repair; move it away"));
  }
  RETURN_IF_ERROR(
      WithContext(CopyLog(database, backup), "nothing was repaired, because the backup before the repair failed"));
  LogCheck check;
  check.records = found.records;
  check.backup = backup;
  RETURN_IF_ERROR(Mend(database, &check));
  return check;
}

}  // namespace mmtune
