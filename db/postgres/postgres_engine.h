// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PostgreSQL as a database engine (db/engine.h).
//
// A connection that was lost is opened again by the next statement outside of a transaction. Inside of one, every
// statement fails until the transaction is ended: nothing of it was stored. If the connection is lost while a
// transaction commits, it is not known whether it was stored: the caller repeats its calls with the same
// attempt tokens and record uuids, which stores nothing twice (TuningLog::Begin()). The same holds for a commit whose
// wait for a synchronous standby was ended.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/engine.h"

struct pg_conn;
struct pg_result;

namespace mmtune {

struct Libpq;

/// Returns Unimplemented for a server that is older than PostgreSQL 15. `version` is as PQserverVersion() has it.
absl::Status CheckServerVersion(int version, std::string_view url);

/// The options of a connection.
struct PostgresOptions {
  bool writes = false;  ///< Connect only to a server that can be written, and refuse a pooler in transaction mode.
  bool bulk = false;    ///< No limit on the duration of a statement.
};

/// A connection to a server. Owns it. Not thread-safe.
class PostgresConnection : public EngineConnection {
 public:
  /// Connects. Returns InvalidArgument for a malformed URL, one with a password, or a pooler in transaction mode;
  /// Unauthenticated if the server refuses the password, PermissionDenied if it refuses the user, Unavailable if it
  /// cannot be reached, Unimplemented if it is too old, and FailedPrecondition if the server has no such database.
  static absl::StatusOr<std::unique_ptr<PostgresConnection>> Open(const std::string& url,
                                                                  const PostgresOptions& options);
  ~PostgresConnection() override;

  absl::StatusOr<EngineStatement*> Compile(std::string_view sql, StatementKind kind) override;
  absl::Status Execute(const std::string& script) override;
  absl::Status RunWaiting() override { return RunWaiting(nullptr); }
  int64_t Changes() const override { return changes_; }
  int64_t Session() const override { return session_; }
  absl::Status LockNewRows() override;
  absl::Status EnableTriggers(bool) override { return absl::OkStatus(); }
  bool InTransaction() const override;
  bool HasTransaction() const override { return in_transaction_; }
  const char* BeginWriting() const override { return "BEGIN"; }
  const char* BeginReading() const override { return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"; }
  const char* EndReading() const override { return "ROLLBACK"; }

 private:
  friend class PostgresStatement;
  PostgresConnection(const Libpq& libpq, std::string url, const PostgresOptions& options)
      : libpq_(libpq), url_(std::move(url)), options_(options) {}

  absl::Status Connect();
  /// Opens a session with the server, and runs `settings`, SQL statements that set its parameters.
  absl::StatusOr<pg_conn*> NewSession(const std::string& settings);
  /// Returns InvalidArgument if the URL is that of a pooler in transaction mode. `token` is a setting of the current
  /// session: such a pooler lets another session see it, or loses it.
  absl::Status ProbePooler(const std::string& token);
  /// Connects again after the connection was lost, unless a transaction was lost with it.
  absl::Status EnsureConnected();
  bool IsConnected() const;
  /// Takes over a result: notes the state of the transaction, and returns the error, if it is one.
  absl::Status Check(pg_result* result);
  /// Sends the statements that EngineStatement::RunLater() has held back, and waits for their results, in one round
  /// trip. If `last` is not null, the last statement was sent by the caller, who gets its result.
  absl::Status RunWaiting(pg_result** last);
  /// Returns the number of rows that a statement changed.
  int64_t CountOf(pg_result* result) const;
  /// Runs a statement without parameters, such as BEGIN or COMMIT.
  absl::Status Control(const std::string& sql);
  absl::Status ToStatus(pg_conn* session, const pg_result* result) const;

  const Libpq& libpq_;
  const std::string url_;
  const PostgresOptions options_;
  pg_conn* connection_ = nullptr;
  int64_t session_ = 0;   ///< Counts the sessions: a prepared statement ends with its session.
  int64_t prepared_ = 0;  ///< Counts the names given to prepared statements and cursors.
  int64_t changes_ = 0;
  std::vector<int64_t*> waiting_;  ///< For each statement held back: where its number of changed rows is stored.
  std::string warning_;            ///< The server's last warning.
  bool in_transaction_ = false;    ///< Stays true if the connection is lost in a transaction, until that is ended.
};

/// Opens a connection as a Database.
absl::StatusOr<Database> OpenPostgresDatabase(const std::string& url, const PostgresOptions& options);

}  // namespace mmtune
