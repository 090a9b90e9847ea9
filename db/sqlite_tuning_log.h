// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning log in a SQLite file. If somebody deletes or replaces the file while it is open, the next commit notices it,
// and what was stored is kept in a file that the error names.
#pragma once

#include <string>

#include "db/database.h"
#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/sql_tuning_log.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Writes a log in a file. Owns the connection and the lock. Not thread-safe.
class SqliteTuningLog : public SqlTuningLog {
 public:
  /// `database` comes from OpenDatabaseForWriting(), and `path` is the path that the user gave. If `bulk`, records are
  /// ranked when a group (all that is written between Begin() and Commit()) is committed, and not by triggers at each
  /// insert; this is faster for an import. If `discard`, the destructor removes a log without records.
  SqliteTuningLog(std::string path, LogLock lock, LogFiles files, Database database, bool bulk, bool discard);
  /// Rolls back what is not committed, copies the WAL into the database, and releases the lock.
  ~SqliteTuningLog() override;

 protected:
  absl::Status BeforeBegin() override { return lost_; }
  absl::Status AfterBegin() override { return absl::OkStatus(); }
  absl::Status CheckCommit() override { return CheckFiles(); }

 private:
  /// Returns an error once the log's files were deleted or replaced.
  absl::Status CheckFiles();
  /// Writes all stored data into one file: into the database if a path still leads to it, otherwise into a new copy.
  /// Returns the error `why` with the path of that file added.
  absl::Status Save(const absl::Status& why);
  bool IsUnused();

  LogLock lock_;
  LogFiles files_;
  const bool discard_;
  absl::Status lost_;  ///< Not OK once the files were deleted or replaced.
};

}  // namespace mmtune
