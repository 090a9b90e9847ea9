// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/migration.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "db/judge.h"
#include "db/sqlite/transaction.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

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
  {
    ASSIGN_OR_RETURN(Statement vacuum, database.Prepare("VACUUM INTO ?1"));
    vacuum.Bind(1, partial);
    RETURN_IF_ERROR(vacuum.Run());
  }
  RETURN_IF_ERROR(SyncPath(partial));
  if (rename(partial.c_str(), target.c_str()) != 0) {
    return Internal(absl::StrCat("cannot rename ", partial, " to ", target, ": ", strerror(errno)));
  }
  return SyncPath(std::filesystem::path(target).parent_path());
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
  if (application_id != kLogApplicationId) {
    return FailedPrecondition(
        absl::StrCat(path, " is a database of another program, not a tuning log; name another file"));
  }
  int64_t newest = migrations.empty() ? 0 : migrations.back().version;
  if (version > newest) {
    return FailedPrecondition(absl::StrCat(path, " has version ", version, ", newer than this program's ", newest,
                                           "; use the newer mmtune that wrote it"));
  }
  if (version < 1) return FailedPrecondition(absl::StrCat(path, " is corrupt: its version is ", version));
  return version;
}

absl::Status MigrateLog(Database& database, std::span<const Migration> migrations) {
  ASSIGN_OR_RETURN(int64_t version, CheckLogVersion(database, migrations, /*allow_empty=*/true));
  int64_t newest = migrations.empty() ? 0 : migrations.back().version;
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
