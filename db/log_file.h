// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a tuning log on disk: finds, creates, opens, checks and copies the SQLite database, with errors for
// users. LogFiles notices if somebody deletes or replaces the files while the log is open.
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

/// The version of db/schema.sql, stored as SQLite's user_version. Logs of other versions are refused.
inline constexpr int64_t kSchemaVersion = 1;

/// Returns FailedPrecondition if the log, or a -wal, -shm or -journal file beside it, has more than one hard link, or
/// if one of these three files is not a regular file. A program that opens the log by another name would not see its
/// lock and its -wal.
absl::Status CheckLogNames(const std::string& path);

/// Holds the database, its -wal and -shm, and the lock file open, so that their inodes are not reused. Descriptors are
/// opened with O_PATH: closing them does not release locks of SQLite. Move-only.
class LogFiles {
 public:
  /// Opens the files. `given` is the path of the log as the user wrote it. `database` must be in WAL mode and have read
  /// something, so that all files exist. Returns DataLoss if one was deleted or replaced since it was opened.
  static absl::StatusOr<LogFiles> Hold(const std::string& given, const Database& database);

  /// Returns DataLoss naming the file if one was deleted or replaced: what is written now could not be found again.
  /// Returns Unavailable if this cannot be determined.
  absl::Status Check() const;
  /// True if the path of the database still leads to it.
  bool DatabaseIsNamed() const;
  /// True if no path leads to the database any more.
  bool DatabaseIsDeleted() const;
  /// Removes the -wal and -shm files, if their paths still lead to them.
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

  std::vector<File> files_;  ///< The database, its -wal, its -shm, and the lock file.
};

/// Returns the absolute path with symbolic links resolved, so that a log has one path. The file need not exist. Returns
/// InvalidArgument for an empty path, NotFound if its directory does not exist, and FailedPrecondition if it is a
/// directory.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path);

/// Checks the first bytes of the file without changing anything, before a lock file is made beside it. Returns NotFound
/// if there is no file. Returns FailedPrecondition if it is not a tuning log, has several names, or is an empty file
/// that is older than some seconds, which may be what is left of a log. Returns OutOfRange if it has another schema
/// version.
absl::Status CheckLogHeader(const std::string& path);

/// The size in bytes up to which a file is checked completely when it is opened. Damage in longer logs is found when it
/// is read, or by `tune records check`.
inline constexpr int64_t kCheckedWhole = int64_t{32} << 20;

/// Runs SQLite's quick_check, which reads the whole file. Returns FailedPrecondition if it is corrupt.
absl::Status QuickCheck(Database& database);

/// Opens a log for writing; creates it if the file is empty or does not exist. Turns on WAL mode, durable commits and
/// foreign keys, and runs quick_check. In files of more than kCheckedWhole bytes, tables that grow with every record
/// are not checked. The caller must hold the log's lock. Returns PermissionDenied if the file cannot be written, and
/// FailedPrecondition if it is corrupt or its file system cannot hold a WAL.
absl::StatusOr<Database> OpenDatabaseForWriting(const std::string& path);

/// Opens a log for reading, also while a writer has it open. Works in a read-only directory, too, if no writer left a
/// WAL there.
absl::StatusOr<Database> OpenDatabaseForReading(const std::string& path);

/// Copies a log to `target`, which must not exist. The copy appears there only when it is complete and on disk. Until
/// then it is in the file `<target>.partial`.
absl::Status CopyLog(Database& database, const std::string& target);

}  // namespace mmtune
