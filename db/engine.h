// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between db/database.h and a database engine: SQLite (db/sqlite_engine.h) or PostgreSQL
// (db/postgres/postgres_engine.h). Only Database, Statement and Transaction call it; database.h documents the
// functions.
//
// All SQL is written for SQLite, with parameters ?1, ?2, …. The engine for PostgreSQL translates it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mmtune {

/// The way in which the rows of a statement are read.
enum class StatementKind {
  kPlain,   ///< All rows are needed, and fit into memory.
  kLong,    ///< There may be more rows than are read or fit into memory. Used within a transaction.
  kInsert,  ///< INSERT into a table with a column `id`, run by Statement::Insert().
};

/// A compiled statement. Parameters count from 1, columns from 0.
class EngineStatement {
 public:
  explicit EngineStatement(std::string sql) : sql_(std::move(sql)) {}
  virtual ~EngineStatement() = default;

  virtual void BindInt(int parameter, int64_t value) = 0;
  virtual void BindReal(int parameter, double value) = 0;
  /// If `borrowed`, the text lives until the statement has run.
  virtual void BindText(int parameter, std::string_view text, bool borrowed) = 0;
  virtual void BindBlob(int parameter, std::string_view bytes, bool borrowed) = 0;
  virtual void BindNull(int parameter) = 0;

  /// Runs the statement up to its next row. Returns false at the end.
  virtual absl::StatusOr<bool> Step() = 0;
  /// Runs the statement to its end, and ignores rows. Sets `*changes` to the number of rows that it changed. The engine
  /// may hold the statement back until another one runs, or EngineConnection::RunWaiting() is called. That call then
  /// also returns this statement's error, and `*changes` must live until then.
  virtual absl::Status RunLater(int64_t* changes) = 0;
  /// Runs a statement of kInsert. Returns the id of its row, or nullopt if ON CONFLICT inserted none.
  virtual absl::StatusOr<std::optional<int64_t>> Insert() = 0;
  virtual int Columns() const = 0;
  virtual int64_t Int(int column) const = 0;
  virtual double Real(int column) const = 0;
  virtual std::string_view View(int column) const = 0;

  /// Ends the statement and forgets its values. Returns true if it can be used again.
  virtual bool Reset() = 0;
  /// Returns the SQL text from which it was compiled.
  const std::string& sql() const { return sql_; }

 private:
  const std::string sql_;
};

/// A connection to a database.
class EngineConnection {
 public:
  virtual ~EngineConnection() = default;

  /// Compiles a statement, which the caller owns and must destroy before the connection.
  virtual absl::StatusOr<EngineStatement*> Compile(std::string_view sql, StatementKind kind) = 0;
  /// Runs all statements of a script and ignores rows.
  virtual absl::Status Execute(const std::string& script) = 0;
  /// Runs the statements that EngineStatement::RunLater() has held back.
  virtual absl::Status RunWaiting() { return absl::OkStatus(); }
  /// Returns the number of rows that the last INSERT or UPDATE changed.
  virtual int64_t Changes() const = 0;
  /// Returns the number of the session with the server, which changes when a lost connection was opened again. 0 for a
  /// file.
  virtual int64_t Session() const { return 0; }
  /// Makes other transactions that call LockNewRows() wait until this one ends. A file has one writer, and needs no
  /// lock.
  virtual absl::Status LockNewRows() { return absl::OkStatus(); }
  /// Turns triggers on or off, if there are any.
  virtual absl::Status EnableTriggers(bool on) = 0;
  /// True if a transaction is open that can be committed.
  virtual bool InTransaction() const = 0;
  /// True if a transaction must be ended, because it is open or has failed.
  virtual bool HasTransaction() const = 0;
  /// The next three return SQL statements: two that begin a transaction, and one that ends a transaction that only
  /// reads.
  virtual const char* BeginWriting() const = 0;
  virtual const char* BeginReading() const = 0;
  virtual const char* EndReading() const = 0;
};

}  // namespace mmtune
