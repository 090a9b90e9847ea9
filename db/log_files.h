// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a log that is open for writing: whether their names still lead to them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"
#include "proto/base/whole_file.h"

namespace mmtune {

/// Refuses what would give a log two names or another file's content: FailedPrecondition for a log, or a -wal, -shm,
/// -journal beside it, that has hard links, and for one of these three that is not a regular file. Through a second
/// name it would be opened beside its lock and without its -wal.
absl::Status CheckLogNames(const std::string& path);

/// Holds the database, its -wal and -shm, and the lock file by their inodes, which no other file can get meanwhile.
/// Descriptors of O_PATH are held: closing one takes no lock away from SQLite. Move-only.
class LogFiles {
 public:
  /// `given` is the user's name of the log; `database` is in WAL mode and has read, so that all of the files are there.
  /// DataLoss: one was deleted or replaced since it was opened.
  static absl::StatusOr<LogFiles> Hold(const std::string& given, const Database& database);

  /// DataLoss, naming the file, when one of the names leads nowhere or to another file: what is written now would not
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

}  // namespace mmtune
