// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ classes over SQLite and PostgreSQL (db/engine.h): Database (a connection), Statement and Transaction. They
// release their resources when they are destroyed, and return errors as Status values whose text says what to do.
//
//   ASSIGN_OR_RETURN(Statement query, database.Prepare("SELECT id FROM job WHERE state = ?1"));
//   query.Bind(1, "running");
//   while (...query.Step()...) Use(query.Int(0));
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
#include "db/engine.h"
#include "proto/base/status.h"

namespace mmtune {

class DatabaseHandle;

/// A deleter that returns a compiled statement to the cache of its connection.
struct StatementReturn {
  DatabaseHandle* database = nullptr;
  void operator()(EngineStatement* statement) const;
};

/// A prepared statement, made by Database::Prepare(). Move-only; must not outlive its Database. Parameters count from
/// 1, columns from 0. A Bind() that fails is reported by the next Step() or Run().
class Statement {
 public:
  Statement(DatabaseHandle* database, EngineStatement* statement) : statement_(statement, {database}) {}

  void Bind(int parameter, int64_t value) { statement_->BindInt(parameter, value); }
  void Bind(int parameter, int value) { Bind(parameter, int64_t{value}); }
  void Bind(int parameter, bool value) { Bind(parameter, int64_t{value}); }
  /// Fails for NaN, which SQLite would store as NULL.
  void Bind(int parameter, double value) { statement_->BindReal(parameter, value); }
  void Bind(int parameter, std::string_view text) { statement_->BindText(parameter, text, borrows_); }
  void Bind(int parameter, const std::string& text) { Bind(parameter, std::string_view(text)); }
  void Bind(int parameter, const char* text) { Bind(parameter, std::string_view(text)); }
  void BindBlob(int parameter, std::string_view bytes) { statement_->BindBlob(parameter, bytes, borrows_); }
  /// Makes later Bind() calls keep references to texts instead of copies. The texts must live until the statement has
  /// run.
  void BorrowValues() { borrows_ = true; }
  void BindNull(int parameter) { statement_->BindNull(parameter); }
  template <typename T>
  void Bind(int parameter, const std::optional<T>& value) {
    value ? Bind(parameter, *value) : BindNull(parameter);
  }
  /// Binds the values to parameters 1, 2, 3 …
  template <typename... Values>
  Statement& BindAll(const Values&... values) {
    int parameter = 0;
    (Bind(++parameter, values), ...);
    return *this;
  }

  /// Runs the statement up to its next row. Returns true if there is a row, and false at the end; then the statement
  /// may be bound and run again.
  absl::StatusOr<bool> Step() { return statement_->Step(); }
  /// Runs the statement to its end and ignores rows.
  absl::Status Run();
  /// Like Run(), but may hold the statement back until the next statement runs, or Database::RunWaiting() is called:
  /// both then take one round trip to the server, and that later call also returns this statement's error. Sets
  /// `*changes` to the number of rows that the statement changed; it must live until the statement has run.
  absl::Status RunLater(int64_t* changes) { return statement_->RunLater(changes); }
  /// Runs an INSERT of Database::PrepareInsert(). Returns the id of its row, or nullopt if no row was inserted because
  /// of ON CONFLICT.
  absl::StatusOr<std::optional<int64_t>> Insert() { return statement_->Insert(); }

  int Columns() const { return statement_->Columns(); }
  /// Return the value of a column; 0 for NULL.
  int64_t Int(int column) const { return statement_->Int(column); }
  double Real(int column) const { return statement_->Real(column); }
  /// Returns a copy of a text; "" for NULL.
  std::string Text(int column) const { return std::string(View(column)); }
  /// Returns a text as a view that is valid until the next Step().
  std::string_view View(int column) const { return statement_->View(column); }

 private:
  std::unique_ptr<EngineStatement, StatementReturn> statement_;
  bool borrows_ = false;
};

/// A connection and its cache of compiled statements. Database owns it; statements point to it.
class DatabaseHandle {
 public:
  DatabaseHandle(std::unique_ptr<EngineConnection> connection, std::string path)
      : connection_(std::move(connection)), path_(std::move(path)) {}

  EngineConnection& connection() const { return *connection_; }
  const std::string& path() const { return path_; }
  /// Returns a compiled statement with this text; null if none is in the cache.
  EngineStatement* Take(std::string_view sql);
  /// Returns a statement to the cache. Destroys it if it cannot be used again, the cache is full, or the cache has a
  /// statement with the same text.
  void GiveBack(EngineStatement* statement);

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::unique_ptr<EngineConnection> connection_;
  std::string path_;
  /// The statements by SQL text; null while a statement is in use. Destroyed before the connection.
  std::unordered_map<std::string, std::unique_ptr<EngineStatement>, TextHash, std::equal_to<>> idle_;
};

/// A connection to a database, closed when it is destroyed. Move-only. Not thread-safe.
///
/// The methods of Database, Statement and Transaction return the errors of the engine, with these codes:
///
///   FailedPrecondition   the file is corrupt or no database, or the server has no such database
///   ResourceExhausted    the disk is full, or memory is exhausted
///   PermissionDenied     the database cannot be opened or written by this user
///   Unauthenticated      the server refused the password
///   Unavailable          another program writes to the file, or the server cannot be reached
///   Aborted              the server ended a transaction because of another one
///   AlreadyExists        a row breaks a UNIQUE constraint or has the primary key of another one
///   InvalidArgument      a row breaks another constraint, a value is out of range, or the URL is malformed
///   Internal             anything else
class Database {
 public:
  explicit Database(std::unique_ptr<DatabaseHandle> handle) : handle_(std::move(handle)) {}

  /// The mode in which a file is opened.
  enum class Mode {
    kReadWrite,          ///< Creates the file if it does not exist.
    kReadOnly,           ///< Another process may write at the same time.
    kReadOnlyImmutable,  ///< Without locks and WAL. No process may write while the file is open.
  };
  /// Opens a SQLite file (OpenPostgresDatabase() in db/postgres opens a PostgreSQL database), and adds the SQL function
  /// sha256(text), which returns lower-case hexadecimal digits.
  static absl::StatusOr<Database> Open(const std::string& path, Mode mode);

  /// Compiles a statement, or takes it from the cache.
  absl::StatusOr<Statement> Prepare(std::string_view sql) { return Compile(sql, StatementKind::kPlain); }
  /// Compiles a SELECT that may have more rows than are read or fit into memory. It must run within a transaction.
  absl::StatusOr<Statement> PrepareLong(std::string_view sql) { return Compile(sql, StatementKind::kLong); }
  /// Compiles an INSERT of one row into a table with a column `id`, for Statement::Insert().
  absl::StatusOr<Statement> PrepareInsert(std::string_view sql) { return Compile(sql, StatementKind::kInsert); }
  /// Runs an INSERT. Returns the id of its row, or nullopt if no row was inserted because of ON CONFLICT.
  template <typename... Values>
  absl::StatusOr<std::optional<int64_t>> Insert(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, PrepareInsert(sql));
    return statement.BindAll(values...).Insert();
  }
  /// Runs one statement to its end, with `values` as parameters 1, 2, 3 …
  template <typename... Values>
  absl::Status Run(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    return statement.BindAll(values...).Run();
  }
  /// Like Run(), but may hold the statement back, as Statement::RunLater() does.
  template <typename... Values>
  absl::Status RunLater(int64_t* changes, std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    return statement.BindAll(values...).RunLater(changes);
  }
  /// Runs the statements that RunLater() has held back. Returns the first error.
  absl::Status RunWaiting() { return connection().RunWaiting(); }
  /// Runs one statement, and returns the first column of its first row; nullopt if there is no row.
  template <typename... Values>
  absl::StatusOr<std::optional<int64_t>> FirstId(std::string_view sql, const Values&... values) {
    ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
    ASSIGN_OR_RETURN(bool row, statement.BindAll(values...).Step());
    return row ? std::optional(statement.Int(0)) : std::nullopt;
  }
  /// Runs one statement, and returns the first column of all rows.
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
  /// Runs all statements of a script and ignores rows.
  absl::Status Execute(std::string_view sql);
  /// Runs one statement, and returns the first column of its first row. Returns Internal if there is no row.
  absl::StatusOr<int64_t> QueryInt(std::string_view sql);
  /// Runs one statement, and returns the first column of its first row as text. Returns Internal if there is no row.
  absl::StatusOr<std::string> QueryText(std::string_view sql);

  /// Returns the number of rows that the last INSERT or UPDATE changed. Must be called directly after it, because with
  /// PostgreSQL every other statement, such as a SELECT, changes the number.
  int64_t Changes() const { return connection().Changes(); }
  /// Returns a number that changes when a lost connection was opened again. By then the database may have lost rows,
  /// because of a failover or because a backup was restored, and other rows may have got their ids.
  int64_t Session() const { return connection().Session(); }
  /// True if a transaction is open. After some errors the engine rolls back by itself; then no transaction is open.
  bool InTransaction() const { return connection().InTransaction(); }

  /// Locks until the end of the transaction: other transactions that call LockNewRows() wait for it. So each of them
  /// sees the rows that the one before it has added. Does nothing for a SQLite file, which has one writer.
  absl::Status LockNewRows() { return connection().LockNewRows(); }
  /// Turns triggers on or off for this connection. They are on at first. The tables in PostgreSQL have no triggers.
  absl::Status EnableTriggers(bool on) { return connection().EnableTriggers(on); }

  // The rest is for SQLite files only.

  /// True if the file was deleted or renamed, so that its path leads nowhere or to another file.
  bool HasMoved() const;
  /// Copies the WAL (the write-ahead log file) into the database as far as readers allow, without waiting.
  absl::Status Checkpoint();
  /// Copies all of the WAL into the database and empties it. Returns Unavailable if readers need it for too long.
  absl::Status CheckpointAll();
  /// Makes closing the connection leave the WAL as it is. By default SQLite copies it into the database and removes it.
  absl::Status KeepWalAtClose();

  const std::string& path() const { return handle_->path(); }

 private:
  friend class Transaction;
  EngineConnection& connection() const { return handle_->connection(); }
  absl::StatusOr<Statement> Compile(std::string_view sql, StatementKind kind);

  std::unique_ptr<DatabaseHandle> handle_;
};

/// A transaction. Move-only; must not outlive its Database.
class Transaction {
 public:
  /// Begins a transaction that writes. If it is destroyed without Commit(), everything is rolled back.
  static absl::StatusOr<Transaction> Begin(Database& database);
  /// Begins a transaction that reads: all reads of the connection see the same state until the Transaction is
  /// destroyed. Does nothing inside another transaction.
  static absl::StatusOr<Transaction> Read(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  /// Commits. On an error everything since Begin() is rolled back. Returns Aborted if the engine has rolled back
  /// already (alive() is false). May be called once.
  absl::Status Commit();
  /// False if an error made the engine roll back by itself.
  bool alive() const;

 private:
  Transaction(Database* database, const char* at_end) : database_(database), at_end_(at_end) {}
  void End();

  Database* database_;  ///< Null after the end of the transaction.
  const char* at_end_;  ///< The statement that the destructor executes.
};

}  // namespace mmtune
