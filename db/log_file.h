// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a path to an open, checked, up-to-date database, with the errors that users see.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"

namespace mmtune {

/// The version of db/schema.sql, kept in user_version. Logs of any other version are refused.
inline constexpr int64_t kSchemaVersion = 1;

/// The absolute path with symbolic links resolved: two names of one log are one log. The file need not exist.
/// InvalidArgument: empty. NotFound: its directory does not exist. FailedPrecondition: it is a directory.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path);

/// Looks at the file's first bytes and changes nothing, so that no lock file is left beside somebody else's file.
/// NotFound: no such file. FailedPrecondition: not a tuning log, of another schema version, empty and not just made, or
/// as CheckLogNames.
absl::Status CheckLogHeader(const std::string& path);

/// What is checked within a fraction of a second. Damage to the rest of a longer log is found when it is read, and by
/// `tune records check`.
inline constexpr int64_t kCheckedWhole = int64_t{32} << 20;

/// SQLite's quick_check, which reads the whole file. FailedPrecondition when it is corrupt.
absl::Status QuickCheck(Database& database);

/// Creates the log where the file is empty or absent, and makes it ready to write: WAL, durable commits, foreign keys,
/// quick_check passed. Of a file of more than kCheckedWhole bytes only the tables are checked that do not grow with
/// every record. The caller holds the log's lock.
absl::StatusOr<Database> OpenDatabaseForWriting(const std::string& path);

/// Works beside a writer, and in a directory that cannot be written when no writer left a WAL there.
absl::StatusOr<Database> OpenDatabaseForReading(const std::string& path);

/// Copies a log. The copy appears under its name, which must be free, only when it is whole and durable.
absl::Status CopyLog(Database& database, const std::string& target);

}  // namespace mmtune
