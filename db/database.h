// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RAII over SQLite's C API: Database (a connection), Statement, Transaction. Errors are Status values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace mmtune {

/// Returns the status of a failed call on `path`, with one line that says what to do; `db` may be null.
///   corrupt, not a database     FailedPrecondition
///   disk full, out of memory    ResourceExhausted
///   read-only, cannot open      PermissionDenied
///   busy, locked                Unavailable
///   uniqueness violated         AlreadyExists
///   other constraint violated   InvalidArgument
///   I/O error and the rest      Internal
absl::Status SqliteError(sqlite3* db, int extended_code, std::string_view path);

class DatabaseHandle;

/// Gives a compiled statement back to the cache of its connection.
struct StatementReturn {
  DatabaseHandle* database = nullptr;
  void operator()(sqlite3_stmt* statement) const;
};

/// A prepared statement, from Database::Prepare. Move-only; must not outlive its Database. Parameters count from 1,
/// columns from 0. A failed Bind is reported by the next Step or Run.
class Statement {
 public:
  Statement(DatabaseHandle* database, sqlite3_stmt* statement) : statement_(statement, {database}) {}

  void Bind(int parameter, int64_t value);
  void Bind(int parameter, int value) { Bind(parameter, int64_t{value}); }
  void Bind(int parameter, bool value) { Bind(parameter, int64_t{value}); }
  /// NaN is refused: SQLite would store NULL.
  void Bind(int parameter, double value);
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, const std::string& text) { Bind(parameter, std::string_view(text)); }
  void Bind(int parameter, const char* text) { Bind(parameter, std::string_view(text)); }
  void BindBlob(int parameter, std::string_view bytes);
  /// Values bound from now on are not copied and must live until the statement has run.
  void BorrowValues() { borrows_ = true; }
  void BindNull(int parameter);
  template <typename T>
  void Bind(int parameter, const std::optional<T>& value) {
    value ? Bind(parameter, *value) : BindNull(parameter);
  }
  /// Binds parameters 1, 2, 3 …
  template <typename... Values>
  Statement& BindAll(const Values&... values) {
    int parameter = 0;
    (Bind(++parameter, values), ...);
    return *this;
  }

  /// Returns true if a row is ready; false at the end, when the statement may be bound and run again.
  absl::StatusOr<bool> Step();
  /// Steps to the end, dropping rows.
  absl::Status Run();

  int Columns() const;
  int64_t Int(int column) const;
  double Real(int column) const;
  /// Returns a copy; empty for NULL.
  std::string Text(int column) const;
  /// Returns a view that is valid until the next Step.
  std::string_view View(int column) const;

 private:
  void Note(int code);
  absl::Status Error(int code) const;

  std::unique_ptr<sqlite3_stmt, StatementReturn> statement_;
  bool borrows_ = false;
  absl::Status bind_status_;
};

/// The connection and its cache of compiled statements; Database owns it, statements point to it.
class DatabaseHandle {
 public:
  DatabaseHandle(sqlite3* db, std::string path) : db_(db), path_(std::move(path)) {}
  ~DatabaseHandle();

  sqlite3* db() const { return db_; }
  const std::string& path() const { return path_; }
  /// Returns null when none is cached.
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

/// A connection. Move-only; closed when destroyed. Not thread-safe.
class Database {
 public:
  enum class Mode {
    kReadWrite,          ///< Creates the file when absent.
    kReadOnly,           ///< Beside a writer.
    kReadOnlyImmutable,  ///< No locks, no WAL: nobody may write meanwhile.
  };
  /// Opens the file, and adds the SQL function sha256(text), which gives lower-case hex.
  static absl::StatusOr<Database> Open(const std::string& path, Mode mode);

  /// Compiles a statement, or takes it from the cache when this text was prepared before.
  absl::StatusOr<Statement> Prepare(std::string_view sql);
  /// Runs one statement to its end, with parameters 1, 2, 3 … bound to `values`.
  template <typename... Values>
  absl::Status Run(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    return statement.BindAll(values...).Run();
  }
  /// Returns the first column of the first row of such a statement; nullopt when it gives no row.
  template <typename... Values>
  absl::StatusOr<std::optional<int64_t>> FirstId(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    ASSIGN_OR_RETURN(bool row, statement.BindAll(values...).Step());
    return row ? std::optional(statement.Int(0)) : std::nullopt;
  }
  /// Returns the first column of all its rows.
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
  /// Returns the first column of the first row; Internal when there is none.
  absl::StatusOr<int64_t> QueryInt(std::string_view sql);
  absl::StatusOr<std::string> QueryText(std::string_view sql);

  /// Turns triggers on or off for this connection; they are on at first.
  absl::Status EnableTriggers(bool on);

  int64_t LastInsertId() const;
  /// Returns how many rows the last INSERT or UPDATE touched.
  int64_t Changes() const;
  /// Returns false also after an error made SQLite roll back by itself.
  bool InTransaction() const;
  /// True if the name leads nowhere or to another file than the open one.
  bool HasMoved() const;
  /// Copies the WAL into the database as far as no reader holds it back, without waiting.
  absl::Status Checkpoint();
  /// Copies all of the WAL into the database and empties it. Unavailable when readers do not let go of it in time.
  absl::Status CheckpointAll();
  /// Makes closing leave the WAL as it is, without looking for it by its name.
  absl::Status KeepWalAtClose();

  const std::string& path() const { return handle_->path(); }

 private:
  explicit Database(std::unique_ptr<DatabaseHandle> handle) : handle_(std::move(handle)) {}

  std::unique_ptr<DatabaseHandle> handle_;
};

/// A transaction. Move-only; must not outlive its Database.
class Transaction {
 public:
  /// Begins a transaction that writes; it is rolled back when destroyed uncommitted.
  static absl::StatusOr<Transaction> Begin(Database& database);
  /// Begins a transaction that reads: until it is destroyed, all reads of the connection see one state of the database.
  /// Does nothing inside another transaction.
  static absl::StatusOr<Transaction> Read(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  /// Commits; on an error everything since Begin is undone. Called once.
  absl::Status Commit();
  /// Returns false once an error made SQLite roll back by itself.
  bool alive() const;

 private:
  Transaction(Database* database, const char* at_end) : database_(database), at_end_(at_end) {}
  void End();

  Database* database_;  ///< Null once ended.
  const char* at_end_;  ///< The statement that the destructor executes.
};

}  // namespace mmtune
