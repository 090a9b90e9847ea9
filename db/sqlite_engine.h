// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SQLite as a database engine (db/engine.h). Database::Open() makes its connections.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "db/engine.h"

struct sqlite3;

namespace mmtune {

/// Returns the status of a failed call on the database file `path`; `db` may be null. Codes:
///
///   corrupt, not a database     FailedPrecondition
///   disk full, out of memory    ResourceExhausted
///   read-only, cannot open      PermissionDenied
///   busy, locked                Unavailable
///   uniqueness violated         AlreadyExists
///   other constraint violated   InvalidArgument
///   I/O error and the rest      Internal
absl::Status SqliteError(sqlite3* db, int extended_code, std::string_view path);

/// A connection to a SQLite file. Owns it.
class SqliteConnection : public EngineConnection {
 public:
  SqliteConnection(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}
  ~SqliteConnection() override;

  absl::StatusOr<EngineStatement*> Compile(std::string_view sql, StatementKind kind) override;
  absl::Status Execute(const std::string& script) override;
  int64_t Changes() const override;
  absl::Status EnableTriggers(bool on) override;
  bool InTransaction() const override;
  bool HasTransaction() const override { return InTransaction(); }
  const char* BeginWriting() const override { return "BEGIN IMMEDIATE"; }
  const char* BeginReading() const override { return "BEGIN"; }
  /// Commits instead of rolling back, so that temporary tables of a reader are kept.
  const char* EndReading() const override { return "COMMIT"; }

  sqlite3* db() const { return db_; }
  const std::string& path() const { return path_; }
  /// Returns the status of a call that returned `code`.
  absl::Status ToStatus(int code) const;

 private:
  sqlite3* db_;
  std::string path_;
};

}  // namespace mmtune
