// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "db/log_files.h"
#include "db/ranking.h"
#include "proto/base/log_header.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr time_t kJustMadeSeconds = 60;

int64_t FileSize(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 ? info.st_size : -1;
}

absl::Status OpenError(const std::string& path, int error) {
  if (error == ENOENT) return NotFound(absl::StrCat("there is no tuning log ", path));
  std::string message = absl::StrCat("cannot read ", path, ": ", strerror(error));
  if (error == EACCES || error == EPERM) {
    return absl::PermissionDeniedError(absl::StrCat(message, "; check the file's and directory's modes"));
  }
  return FailedPrecondition(message);
}

absl::Status SetUpConnection(Database& database) {
  return database.Execute(
      "PRAGMA busy_timeout = 5000;"
      "PRAGMA trusted_schema = OFF;"
      "PRAGMA cell_size_check = ON;"
      "PRAGMA foreign_keys = ON;");
}

/// A reader of an older log puts a temporary view, with the columns that the log lacks, before its table; db/ranking.h
/// makes a ranking where there is none, or one of before version 9. Schedules keep the names and digests they were
/// stored with, which agree with each other.
constexpr int64_t kViewed = 10;
constexpr int64_t kFirstRanked = 9;

absl::Status ReadOlder(Database& database, int64_t version, int64_t newest) {
  if (newest != kViewed) {
    return FailedPrecondition(absl::StrCat(database.path(), " has version ", version, ", older than this program's ",
                                           newest, "; open it once with mmtune-server to migrate it"));
  }
  if (version < 3) {
    const std::string proof = version < 2 ? ", '' AS proof, NULL AS proven" : "";
    RETURN_IF_ERROR(database.Execute(absl::StrCat("CREATE TEMP VIEW measurement AS SELECT *", proof,
                                                  ", '' AS conditions, '' AS timing_key FROM main.measurement")));
  }
  if (version >= kFirstRanked) return absl::OkStatus();
  return database.Execute(absl::StrCat("CREATE TEMP VIEW ", kOlderRankingView, " AS ", kRankingRows, kRankingOrder));
}

/// An empty file has just been made, or it is what is left of a log: then it is old, or a released lock or a WAL, which
/// only a finished log has, lies beside it.
absl::Status CheckEmpty(const std::string& path) {
  struct stat info;
  const bool old = stat(path.c_str(), &info) == 0 && time(nullptr) - info.st_mtime > kJustMadeSeconds;
  if (!old && FileSize(path + ".lock") != 0 && FileSize(path + "-wal") < 0) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat(path, " is empty: what was in this tuning log is lost, or the file is none; ",
                                         "restore a backup, or remove the file to begin a new log"));
}

/// `what` is the pragma's argument: a limit of errors, or the one table to look at, with its indexes.
absl::Status RunQuickCheck(Database& database, std::string_view what) {
  ASSIGN_OR_RETURN(std::string verdict, database.QueryText(absl::StrCat("PRAGMA quick_check(", ToAbsl(what), ")")));
  if (verdict == "ok") return absl::OkStatus();
  return FailedPrecondition(
      absl::StrCat(database.path(), " is corrupt (", verdict, "); restore a backup, or name another file"));
}

/// A start must not wait for the log's length. SQLite itself compares the file's length with its header's, and every
/// page that is read later is checked then.
absl::Status CheckBeforeWriting(Database& database) {
  if (FileSize(database.path()) <= kCheckedWhole) return RunQuickCheck(database, "1");
  for (const char* table : {"sqlite_schema", "workload", "device", "toolchain", "job"}) {
    RETURN_IF_ERROR(RunQuickCheck(database, table));
  }
  return absl::OkStatus();
}

absl::StatusOr<Database> OpenReader(const std::string& path, Database::Mode mode,
                                    std::span<const Migration> migrations) {
  ASSIGN_OR_RETURN(Database database, Database::Open(path, mode));
  RETURN_IF_ERROR(SetUpConnection(database));
  ASSIGN_OR_RETURN(int64_t version, CheckLogVersion(database, migrations, /*allow_empty=*/false));
  const int64_t newest = migrations.back().version;
  if (version < newest) RETURN_IF_ERROR(ReadOlder(database, version, newest));
  return database;
}

}  // namespace

absl::StatusOr<std::string> ResolveLogPath(const std::string& path) {
  if (path.empty()) return InvalidArgument("the path of the tuning log is empty");
  std::error_code error;
  std::filesystem::path resolved = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (error) return FailedPrecondition(absl::StrCat("cannot resolve ", path, ": ", error.message()));
  if (std::filesystem::is_directory(resolved, error)) {
    return FailedPrecondition(absl::StrCat(path, " is a directory, not a tuning log; name a file"));
  }
  if (std::filesystem::is_other(resolved, error)) {
    return FailedPrecondition(absl::StrCat(path, " is a FIFO, a socket or a device, not a tuning log; name a file"));
  }
  std::filesystem::path folder = resolved.parent_path();
  if (!std::filesystem::is_directory(folder, error)) {
    return NotFound(absl::StrCat("the directory ", folder.string(), " of the tuning log does not exist; create it"));
  }
  return resolved.string();
}

absl::Status QuickCheck(Database& database) { return RunQuickCheck(database, "1"); }

absl::Status CheckLogHeader(const std::string& path, std::span<const Migration> migrations) {
  RETURN_IF_ERROR(CheckLogNames(path));
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return OpenError(path, errno);
  char bytes[kLogHeaderBytes];
  ssize_t size = pread(fd, bytes, sizeof(bytes), 0);
  int error = errno;
  close(fd);
  if (size < 0) return OpenError(path, error);
  // Its creation was cut short: SQLite recovers the file from its rollback journal.
  if (FileSize(path + "-journal") > 0) return absl::OkStatus();
  if (size == 0) return CheckEmpty(path);
  const std::optional<LogHeader> header = ReadLogHeader({bytes, static_cast<size_t>(size)});
  if (!header) {
    return FailedPrecondition(absl::StrCat(path, " is not a database, so not a tuning log; name another file"));
  }
  return CheckLogIdentity(path, header->application_id, header->version, migrations);
}

absl::StatusOr<Database> OpenLogForWriting(const std::string& path, std::span<const Migration> migrations) {
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, " cannot be written: ", strerror(errno), "; check the file's mode"));
  }
  ASSIGN_OR_RETURN(Database database, Database::Open(path, Database::Mode::kReadWrite));
  RETURN_IF_ERROR(SetUpConnection(database));
  // EXTRA until the WAL is on: a rollback journal that reappears after a power cut would undo the creation.
  RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = EXTRA"));
  ASSIGN_OR_RETURN(int64_t version, CheckLogVersion(database, migrations, /*allow_empty=*/true));
  if (version > 0) RETURN_IF_ERROR(CheckBeforeWriting(database));
  // A new log is made under a rollback journal: its application_id is then in the file itself, never only in a WAL.
  RETURN_IF_ERROR(MigrateLog(database, migrations));
  ASSIGN_OR_RETURN(std::string mode, database.QueryText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return FailedPrecondition(absl::StrCat("the file system of ", path, " cannot hold a tuning log (journal mode ",
                                           mode, "); use a local disk"));
  }
  RETURN_IF_ERROR(
      database.Execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY;"));
  return database;
}

absl::StatusOr<Database> OpenLogForReading(const std::string& path, std::span<const Migration> migrations) {
  absl::StatusOr<Database> database = OpenReader(path, Database::Mode::kReadOnly, migrations);
  // Reading a WAL database needs its -shm file. Where it can neither be opened nor made and no WAL exists, the main
  // file alone is the whole log and nobody writes it.
  if (absl::IsPermissionDenied(database.status()) && FileSize(path + "-wal") <= 0) {
    return OpenReader(path, Database::Mode::kReadOnlyImmutable, migrations);
  }
  return database;
}

}  // namespace mmtune
