// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of a log: finding, creating, opening and copying it, with the errors that users see, and watching whether
// its names still lead to it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "proto/base/whole_file.h"

namespace mmtune {

/// The version of db/schema.sql, kept in user_version. Logs of any other version are refused.
inline constexpr int64_t kSchemaVersion = 1;

/// Refuses a log that has two names or may get another file's content: FailedPrecondition for a log, or a -wal, -shm,
/// -journal beside it, that has hard links, and for one of these three that is not a regular file. Through a second
/// name it would be opened beside its lock and without its -wal.
absl::Status CheckLogNames(const std::string& path);

/// Holds the database, its -wal and -shm, and the lock file by their inodes, which no other file can get meanwhile.
/// Descriptors of O_PATH are held: closing one takes no lock away from SQLite. Move-only.
class LogFiles {
 public:
  /// Takes hold of the files. `given` is the user's name of the log; `database` is in WAL mode and has read, so that
  /// all of the files are there. DataLoss: one was deleted or replaced since it was opened.
  static absl::StatusOr<LogFiles> Hold(const std::string& given, const Database& database);

  /// DataLoss, naming the file, when one of the names leads nowhere or to another file: a record written now would not
  /// be found by that name. Unavailable when the names cannot be looked at.
  absl::Status Check() const;
  /// True if the name of the database still leads to it.
  bool DatabaseIsNamed() const;
  /// True if no name is left that leads to the database.
  bool DatabaseIsDeleted() const;
  /// Removes the -wal and the -shm where their names still lead to them.
  void RemoveWal() const;

 private:
  struct File {
    std::vector<std::string> names;
    std::unique_ptr<Descriptor> held;
    dev_t device = 0;
    ino_t inode = 0;
  };
  LogFiles() = default;
  static absl::Status CheckName(const File& file, const std::string& name);

  std::vector<File> files_;  ///< The database, its -wal, its -shm, the lock file.
};

/// Returns the absolute path with symbolic links resolved: two names of one log are one log. The file need not exist.
/// InvalidArgument: empty. NotFound: its directory does not exist. FailedPrecondition: it is a directory.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path);

/// Checks the file's first bytes and changes nothing, so that no lock file is left beside somebody else's file.
/// NotFound: no such file. FailedPrecondition: not a tuning log, of another schema version, empty and not just made, or
/// as CheckLogNames.
absl::Status CheckLogHeader(const std::string& path);

/// A longer file is not checked whole when it is opened. Damage to the rest of a longer log is found when it is read,
/// and by `tune records check`.
inline constexpr int64_t kCheckedWhole = int64_t{32} << 20;

/// Runs SQLite's quick_check, which reads the whole file. FailedPrecondition when it is corrupt.
absl::Status QuickCheck(Database& database);

/// Creates the log where the file is empty or absent, and makes it ready to write: WAL, durable commits, foreign keys,
/// quick_check passed. Of a file of more than kCheckedWhole bytes only the tables are checked that do not grow with
/// every record. The caller holds the log's lock.
absl::StatusOr<Database> OpenDatabaseForWriting(const std::string& path);

/// Opens the log for reading, also beside a writer, and in a directory that cannot be written when no writer left a WAL
/// there.
absl::StatusOr<Database> OpenDatabaseForReading(const std::string& path);

/// Copies a log. The copy appears under its name, which must be free, only when it is whole and durable.
absl::Status CopyLog(Database& database, const std::string& target);

}  // namespace mmtune
