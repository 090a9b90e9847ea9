// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A SQLite connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "db/sqlite/statement.h"
#include "proto/base/status.h"

struct sqlite3;

namespace mmtune {

/// The connection and its cache of compiled statements; Database owns it, statements point to it.
class DatabaseHandle {
 public:
  DatabaseHandle(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}
  ~DatabaseHandle();

  sqlite3* db() const { return db_; }
  const std::string& path() const { return path_; }
  /// Null when none is cached.
  sqlite3_stmt* Take(std::string_view sql);
  void GiveBack(sqlite3_stmt* statement);

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  sqlite3* db_;
  std::string path_;
  std::unordered_map<std::string, sqlite3_stmt*, TextHash, std::equal_to<>> idle_;  // null: in use
};

/// Move-only; closed when destroyed. Not thread-safe.
class Database {
 public:
  enum class Mode {
    kReadWrite,          ///< Creates the file when absent.
    kReadOnly,           ///< Beside a writer.
    kReadOnlyImmutable,  ///< No locks, no WAL: nobody may write meanwhile.
  };
  /// Adds the SQL function sha256(text), which gives lower-case hex.
  static absl::StatusOr<Database> Open(const std::string& path, Mode mode);

  /// From the cache when this text was prepared before.
  absl::StatusOr<Statement> Prepare(std::string_view sql);
  /// One statement with parameters 1, 2, 3 … bound to `values`, run to its end.
  template <typename... Values>
  absl::Status Run(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    return statement.BindAll(values...).Run();
  }
  /// The first column of the first row of such a statement; nullopt when it gives no row.
  template <typename... Values>
  absl::StatusOr<std::optional<int64_t>> FirstId(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    ASSIGN_OR_RETURN(bool row, statement.BindAll(values...).Step());
    return row ? std::optional(statement.Int(0)) : std::nullopt;
  }
  /// The first column of all its rows.
  template <typename... Values>
  absl::StatusOr<std::vector<int64_t>> Ids(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    statement.BindAll(values...);
    std::vector<int64_t> ids;
    while (true) {
      ASSIGN_OR_RETURN(bool row, statement.Step());
      if (!row) return ids;
      ids.push_back(statement.Int(0));
    }
  }
  /// Runs every statement of a script, dropping rows.
  absl::Status Execute(std::string_view sql);
  /// The first column of the first row; Internal when there is none.
  absl::StatusOr<int64_t> QueryInt(std::string_view sql);
  absl::StatusOr<std::string> QueryText(std::string_view sql);

  /// For this connection; they are on at first.
  absl::Status EnableTriggers(bool on);

  int64_t LastInsertId() const;
  /// Rows the last INSERT or UPDATE touched.
  int64_t Changes() const;
  /// False also after an error made SQLite roll back by itself.
  bool InTransaction() const;
  /// True if the name leads nowhere or to another file than the open one.
  bool HasMoved() const;
  /// Copies the WAL into the database as far as no reader holds it back, without waiting.
  absl::Status Checkpoint();
  /// Copies all of the WAL into the database and empties it. Unavailable when readers do not let go of it in time.
  absl::Status CheckpointAll();
  /// Closing leaves the WAL as it is, and does not look for it by its name.
  absl::Status KeepWalAtClose();

  const std::string& path() const { return handle_->path(); }

 private:
  explicit Database(std::unique_ptr<DatabaseHandle> handle) : handle_(std::move(handle)) {}

  std::unique_ptr<DatabaseHandle> handle_;
};

}  // namespace mmtune
