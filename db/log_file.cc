// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "db/database.h"
#include "db/schema_sql.h"
#include "proto/base/log_header.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kDatabase = 0, kWal = 1, kShm = 2;

absl::Status LinkedTwice(const std::string& path, nlink_t links) {
  return FailedPrecondition(absl::StrCat(path, " has ", links,
                                         " names (hard links): by each of them it would be opened as a log of its own; "
                                         "remove the other names, or make a copy in place of the link"));
}

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

/// Returns the refusal of a log that is one of `what`.
absl::Status OtherSchema(const std::string& path, std::string_view what) {
  return absl::OutOfRangeError(absl::StrCat(path, " is a tuning log of ", ToAbsl(what),
                                            ": export its records with the mmtune that wrote it (tune records "
                                            "export) and import them into a new log (tune records import)"));
}

/// Returns FailedPrecondition unless the database at `path` is a tuning log, and OutOfRange unless it is of this
/// program's schema version.
absl::Status CheckIdentity(const std::string& path, int64_t application_id, int64_t version) {
  if (application_id != kLogApplicationId) {
    return FailedPrecondition(
        absl::StrCat(path, " is a database of another program, not a tuning log; name another file"));
  }
  if (version == kSchemaVersion) return absl::OkStatus();
  return OtherSchema(path, absl::StrCat("schema version ", version, ", and this program reads and writes version ",
                                        kSchemaVersion, " only"));
}

/// Returns the statements of a schema that make tables, views and triggers, without "CREATE", comments and line breaks.
std::set<std::string> DeclarationsIn(std::string_view schema) {
  std::string plain;
  for (const absl::string_view line : absl::StrSplit(ToAbsl(schema), '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line.substr(0, line.find("--")), absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    absl::StrAppend(&plain, absl::StrJoin(words, " "), " ");
  }
  std::set<std::string> declarations;
  for (const absl::string_view statement : absl::StrSplit(plain, "CREATE ", absl::SkipWhitespace())) {
    if (absl::StartsWith(statement, "INDEX ") || absl::StartsWith(statement, "UNIQUE INDEX ")) continue;
    declarations.emplace(absl::StripTrailingAsciiWhitespace(statement));
  }
  return declarations;
}

/// FailedPrecondition if a table, view or trigger is not what db/schema.sql says. The schema of version 1 changed
/// before the first release. Indexes may differ: they change how long a query takes, and not what it finds.
absl::Status CheckSchema(Database& database) {
  static const auto* const expected = new std::set<std::string>(DeclarationsIn(kSchemaSql));
  ASSIGN_OR_RETURN(const std::string stored,
                   database.QueryText("SELECT group_concat(sql || ';', char(10)) FROM sqlite_schema "
                                      "WHERE name NOT LIKE 'sqlite%'"));
  const std::set<std::string> found = DeclarationsIn(stored);
  std::vector<std::string> others;
  std::set_symmetric_difference(expected->begin(), expected->end(), found.begin(), found.end(),
                                std::back_inserter(others));
  if (others.empty()) return absl::OkStatus();
  const std::vector<std::string> kind_and_name = absl::StrSplit(others[0], absl::MaxSplits(absl::ByAnyChar(" ("), 2));
  return OtherSchema(database.path(),
                     absl::StrCat("an earlier build of mmtune, whose ", absl::AsciiStrToLower(kind_and_name[0]), " '",
                                  kind_and_name[1], "' is not the one that this build makes"));
}

/// True if the database is a log with this schema; false if it is empty. Anything else is FailedPrecondition.
absl::StatusOr<bool> HasSchema(Database& database) {
  ASSIGN_OR_RETURN(int64_t application_id, database.QueryInt("PRAGMA application_id"));
  ASSIGN_OR_RETURN(int64_t version, database.QueryInt("PRAGMA user_version"));
  ASSIGN_OR_RETURN(int64_t objects, database.QueryInt("SELECT count(*) FROM sqlite_schema"));
  if (application_id == 0 && version == 0 && objects == 0) return false;
  RETURN_IF_ERROR(CheckIdentity(database.path(), application_id, version));
  RETURN_IF_ERROR(CheckSchema(database));
  return true;
}

absl::Status CreateTables(Database& database) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  RETURN_IF_ERROR(database.Execute(kSchemaSql));
  RETURN_IF_ERROR(database.Execute(absl::StrCat("PRAGMA application_id = ", kLogApplicationId)));
  RETURN_IF_ERROR(database.Execute(absl::StrCat("PRAGMA user_version = ", kSchemaVersion)));
  return transaction.Commit();
}

absl::Status SyncPath(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool synced = fd >= 0 && fsync(fd) == 0;
  int error = errno;
  if (fd >= 0) close(fd);
  return synced ? absl::OkStatus() : Internal(absl::StrCat("cannot sync ", path, ": ", strerror(error)));
}

/// An empty file has just been made, or it is what is left of a log: then it is old, or a released lock or a WAL, which
/// only a finished log has, lies beside it.
absl::Status CheckEmpty(const std::string& path) {
  struct stat info;
  const bool old = stat(path.c_str(), &info) == 0 && time(nullptr) - info.st_mtime > kJustMadeSeconds;
  if (!old && FileSize(path + ".lock") != 0 && FileSize(path + "-wal") < 0) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat(path, " is empty: what was in this tuning log is lost, or it never was one; ",
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

absl::StatusOr<Database> OpenReader(const std::string& path, Database::Mode mode) {
  ASSIGN_OR_RETURN(Database database, Database::Open(path, mode));
  RETURN_IF_ERROR(SetUpConnection(database));
  ASSIGN_OR_RETURN(const bool has_schema, HasSchema(database));
  if (!has_schema)
    return FailedPrecondition(absl::StrCat(path, " is an empty database, not a tuning log; name another file"));
  return database;
}

}  // namespace

absl::Status CheckLogNames(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink > 1) {
    return LinkedTwice(path, info.st_nlink);
  }
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string beside = path + suffix;
    if (lstat(beside.c_str(), &info) != 0) continue;
    if (!S_ISREG(info.st_mode)) {
      return FailedPrecondition(
          absl::StrCat(beside, " is a link or not a regular file, so it does not belong to the tuning log ", path,
                       "; move it away"));
    }
    if (info.st_nlink > 1) return LinkedTwice(beside, info.st_nlink);
  }
  return absl::OkStatus();
}

absl::StatusOr<LogFiles> LogFiles::Hold(const std::string& given, const Database& database) {
  const std::string& path = database.path();
  LogFiles files;
  std::error_code none;
  const std::string own_name = std::filesystem::absolute(given, none);
  const std::vector<std::string> names[] = {{path, own_name}, {path + "-wal"}, {path + "-shm"}, {path + ".lock"}};
  for (const std::vector<std::string>& of_file : names) {
    File& file = files.files_.emplace_back();
    file.names = of_file;
    file.held = std::make_unique<Descriptor>(open(of_file[0].c_str(), O_PATH | O_CLOEXEC));
    struct stat info;
    if (file.held->get() < 0 || fstat(file.held->get(), &info) != 0) {
      return absl::DataLossError(
          absl::StrCat(of_file[0], " was removed while the log was being opened: ", strerror(errno)));
    }
    file.device = info.st_dev;
    file.inode = info.st_ino;
  }
  if (database.HasMoved()) {
    return absl::DataLossError(absl::StrCat(path, " was deleted, moved or replaced while it was being opened"));
  }
  RETURN_IF_ERROR(files.Check());
  return files;
}

absl::Status LogFiles::CheckName(const File& file, const std::string& name) {
  struct stat info;
  if (stat(name.c_str(), &info) == 0) {
    if (info.st_dev == file.device && info.st_ino == file.inode) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(name, " was replaced by another file while the log was open"));
  }
  if (errno == ENOENT || errno == ENOTDIR || errno == ESTALE) {
    return absl::DataLossError(absl::StrCat(name, " was deleted or moved away while the log was open"));
  }
  return Unavailable(absl::StrCat("cannot look at ", name, ": ", strerror(errno)));
}

absl::Status LogFiles::Check() const {
  for (const File& file : files_) {
    for (const std::string& name : file.names) RETURN_IF_ERROR(CheckName(file, name));
  }
  return absl::OkStatus();
}

bool LogFiles::DatabaseIsNamed() const {
  const File& database = files_[kDatabase];
  return CheckName(database, database.names[0]).ok();
}

bool LogFiles::DatabaseIsDeleted() const {
  struct stat info;
  return fstat(files_[kDatabase].held->get(), &info) == 0 && info.st_nlink == 0;
}

void LogFiles::RemoveWal() const {
  for (const size_t which : {kWal, kShm}) {
    const File& file = files_[which];
    if (CheckName(file, file.names[0]).ok()) unlink(file.names[0].c_str());
  }
}

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

absl::Status CheckLogHeader(const std::string& path) {
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
  return CheckIdentity(path, header->application_id, header->version);
}

absl::StatusOr<Database> OpenDatabaseForWriting(const std::string& path) {
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, " cannot be written: ", strerror(errno), "; check the file's mode"));
  }
  ASSIGN_OR_RETURN(Database database, Database::Open(path, Database::Mode::kReadWrite));
  RETURN_IF_ERROR(SetUpConnection(database));
  // EXTRA until the WAL is on: a rollback journal that reappears after a power cut would undo the creation.
  RETURN_IF_ERROR(database.Execute("PRAGMA synchronous = EXTRA"));
  ASSIGN_OR_RETURN(const bool has_schema, HasSchema(database));
  // A new log is made under a rollback journal: its application_id is then in the file itself, never only in a WAL.
  // Once there is a version 2, a log of version 1 is copied (CopyLog) and migrated here, in one transaction.
  RETURN_IF_ERROR(has_schema ? CheckBeforeWriting(database) : CreateTables(database));
  ASSIGN_OR_RETURN(std::string mode, database.QueryText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return FailedPrecondition(absl::StrCat("the file system of ", path, " cannot hold a tuning log (journal mode ",
                                           mode, "); use a local disk"));
  }
  RETURN_IF_ERROR(
      database.Execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY;"));
  return database;
}

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

absl::StatusOr<Database> OpenDatabaseForReading(const std::string& path) {
  absl::StatusOr<Database> database = OpenReader(path, Database::Mode::kReadOnly);
  // Reading a WAL database needs its -shm file. Where it can neither be opened nor made and no WAL exists, the main
  // file alone is the whole log and nobody writes it.
  if (absl::IsPermissionDenied(database.status()) && FileSize(path + "-wal") <= 0) {
    return OpenReader(path, Database::Mode::kReadOnlyImmutable);
  }
  return database;
}

}  // namespace mmtune
