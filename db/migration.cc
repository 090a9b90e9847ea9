// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/migration.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/record_rows.h"
#include "db/sqlite/transaction.h"
#include "proto/base/log.h"
#include "proto/base/log_header.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

int64_t Newest(std::span<const Migration> migrations) { return migrations.empty() ? 0 : migrations.back().version; }

absl::Status SyncPath(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool synced = fd >= 0 && fsync(fd) == 0;
  int error = errno;
  if (fd >= 0) close(fd);
  return synced ? absl::OkStatus() : Internal(absl::StrCat("cannot sync ", path, ": ", strerror(error)));
}

absl::Status BackUp(Database& database, int64_t version) {
  std::string target = absl::StrCat(database.path(), ".v", version, ".backup");
  if (access(target.c_str(), F_OK) == 0) return absl::OkStatus();
  return CopyLog(database, target);
}

/// Every ok record that is read as suspect (MarkSuspectIfInvalid of proto/types/validate.h) becomes suspect in its row, with the
/// reason. Damaged records stay as they are.
absl::Status JudgeStoredRecords(Database& database) {
  std::vector<std::pair<int64_t, std::string>> suspect;
  {
    RecordRows rows;
    ASSIGN_OR_RETURN(Statement select, database.Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.outcome = 'ok'")));
    while (true) {
      ASSIGN_OR_RETURN(bool row, select.Step());
      if (!row) break;
      const absl::StatusOr<TuningRecord> record = rows.Read(select);
      if (!record.ok() || record->measurement.outcome == Outcome::kOk) continue;
      suspect.emplace_back(record->id, record->measurement.message);
    }
  }
  for (const auto& [id, why] : suspect) {
    RETURN_IF_ERROR(
        database.Run("UPDATE measurement SET outcome = 'suspect', gflops = NULL, message = ?2 WHERE id = ?1", id, why));
  }
  return absl::OkStatus();
}

absl::Status Apply(Database& database, const Migration& migration) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  RETURN_IF_ERROR(database.Execute(migration.sql));
  if (migration.version == kJudgedVersion) RETURN_IF_ERROR(JudgeStoredRecords(database));
  RETURN_IF_ERROR(database.Execute(absl::StrCat("PRAGMA application_id = ", kLogApplicationId)));
  RETURN_IF_ERROR(database.Execute(absl::StrCat("PRAGMA user_version = ", migration.version)));
  return transaction.Commit();
}

}  // namespace

absl::Status CopyLog(Database& database, const std::string& target) {
  std::string partial = target + ".partial";
  unlink(partial.c_str());
  RETURN_IF_ERROR(database.Run("VACUUM INTO ?1", partial));
  RETURN_IF_ERROR(SyncPath(partial));
  if (rename(partial.c_str(), target.c_str()) != 0) {
    return Internal(absl::StrCat("cannot rename ", partial, " to ", target, ": ", strerror(errno)));
  }
  return SyncPath(std::filesystem::path(target).parent_path());
}

absl::Status CheckLogIdentity(const std::string& path, int64_t application_id, int64_t version,
                              std::span<const Migration> migrations) {
  if (application_id != kLogApplicationId) {
    return FailedPrecondition(
        absl::StrCat(path, " is a database of another program, not a tuning log; name another file"));
  }
  if (version <= Newest(migrations)) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat(path, " has version ", version, ", newer than this program's ",
                                         Newest(migrations), "; use the newer mmtune that wrote it"));
}

absl::StatusOr<int64_t> CheckLogVersion(Database& database, std::span<const Migration> migrations, bool allow_empty) {
  const std::string& path = database.path();
  ASSIGN_OR_RETURN(int64_t application_id, database.QueryInt("PRAGMA application_id"));
  ASSIGN_OR_RETURN(int64_t version, database.QueryInt("PRAGMA user_version"));
  ASSIGN_OR_RETURN(int64_t objects, database.QueryInt("SELECT count(*) FROM sqlite_schema"));
  if (application_id == 0 && version == 0 && objects == 0) {
    if (allow_empty) return 0;
    return FailedPrecondition(absl::StrCat(path, " is an empty database, not a tuning log"));
  }
  RETURN_IF_ERROR(CheckLogIdentity(path, application_id, version, migrations));
  if (version < 1) return FailedPrecondition(absl::StrCat(path, " is corrupt: its version is ", version));
  return version;
}

absl::Status MigrateLog(Database& database, std::span<const Migration> migrations) {
  ASSIGN_OR_RETURN(int64_t version, CheckLogVersion(database, migrations, /*allow_empty=*/true));
  const int64_t newest = Newest(migrations);
  if (version == newest) return absl::OkStatus();
  if (version > 0) {
    RETURN_IF_ERROR(WithContext(BackUp(database, version), "backup before the migration"));
    LogInfo("log_migration", {{"path", database.path()}, {"from", version}, {"to", newest}});
  }
  for (const Migration& migration : migrations) {
    if (migration.version <= version) continue;
    RETURN_IF_ERROR(WithContext(Apply(database, migration), absl::StrCat("migration to version ", migration.version)));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
