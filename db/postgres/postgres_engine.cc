// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/postgres_engine.h"

#include <charconv>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "db/postgres/libpq.h"
#include "db/postgres/postgres_statement.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kOldestVersion = 150000;

/// The key of the advisory lock of LockNewRows(): "MMTR".
constexpr int64_t kNewRowsKey = 0x4d4d5452;

/// The limits of a session: a transaction that this process leaves open must not hold locks for long.
constexpr char kLimits[] =
    "SET lock_timeout = '10s'; SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '10s'; ";
constexpr char kBulkLimits[] =
    "SET lock_timeout = '10s'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = '600s'; ";
// The session of a host that is gone ends within half a minute, so that its jobs can be taken over. A cursor
// is for lists of which mostly the first rows are read: they should come from an index, without a sort.
constexpr char kSettings[] =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET "
    "synchronous_commit = on; SET default_transaction_isolation = 'read committed'; SET search_path = mmtune; "
    "SET cursor_tuple_fraction = 0.001; SET client_min_messages = warning";

// A writer's statements change few rows of long tables. The server plans a statement once, when the tables may be
// empty, and keeps the plan while they grow: it must not read whole tables.
constexpr char kWriterSettings[] =
    "; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET jit = off";

/// Returns the lines of an error message as one.
std::string OneLine(const char* message) {
  std::vector<std::string> lines = absl::StrSplit(message == nullptr ? "" : message, '\n', absl::SkipWhitespace());
  for (std::string& line : lines) line = std::string(absl::StripAsciiWhitespace(line));
  return PlainText(absl::StrJoin(lines, "; "));
}

/// Returns the status of a connection that could not be made: libpq tells the reason by its text alone.
absl::Status ConnectError(const std::string& message, const std::string& url) {
  const auto says = [&](const char* text) { return absl::StrContains(message, text); };
  const std::string text = absl::StrCat("cannot open the tuning log ", url, ": ", message);
  if (says("authentication failed") || says("no password supplied")) {
    return absl::UnauthenticatedError(
        absl::StrCat(text, "; write the password into ~/.pgpass, or into the file named by $PGPASSFILE"));
  }
  if ((says("role \"") && !says("too many connections")) || says("no pg_hba.conf entry") ||
      says("permission denied for database")) {
    return absl::PermissionDeniedError(absl::StrCat(text, "; ask the server's administrator"));
  }
  if (message.starts_with("invalid ")) return InvalidArgument(absl::StrCat(text, "; correct the URL"));
  if (says("database \"") && says("does not exist")) {
    return FailedPrecondition(absl::StrCat(text, "; make the database with createdb, or name another"));
  }
  if (says("session is read-only") || says("server is in hot standby mode")) {
    // Also in the middle of a failover, so that whoever asks may ask again.
    return Unavailable(absl::StrCat(text, "; a log is written on the primary server"));
  }
  return Unavailable(text);
}

absl::Status ErrorOfState(std::string_view state, const std::string& text) {
  const std::string_view group = state.substr(0, 2);
  if (state == "40001" || state == "40P01") return absl::AbortedError(text);
  if (state == "23505") return absl::AlreadyExistsError(text);
  if (state == "42501" || state == "25006") {
    return absl::PermissionDeniedError(absl::StrCat(text, "; this needs a role that may write, on the primary server"));
  }
  if (state == "53300" || state == "55P03" || state == "57014" || state == "25P03" || state.empty() || group == "08" ||
      group == "57") {
    return Unavailable(text);
  }
  if (group == "53") return ResourceExhausted(text);
  if (group == "22" || group == "23") return InvalidArgument(text);
  return Internal(text);
}

/// True if a URL has a password, also one that libpq does not take for a URL.
bool HasPassword(std::string_view url) {
  const size_t begin = url.find("://");
  const std::string_view rest = begin == std::string_view::npos ? url : url.substr(begin + 3);
  const size_t query = rest.find('?');
  const std::string_view user = rest.substr(0, rest.substr(0, query).rfind('@') + 1);  // empty without an @
  return absl::StrContains(ToAbsl(user), ":") ||
         (query != std::string_view::npos && absl::StrContains(ToAbsl(rest.substr(query)), "password="));
}

}  // namespace

absl::Status CheckServerVersion(int version, std::string_view url) {
  if (version >= kOldestVersion) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("the server of ", ToAbsl(url), " is PostgreSQL ", version / 10000, ".",
                                               version % 10000, ", which is too old; a tuning log needs 15 or newer"));
}

absl::StatusOr<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(const std::string& url,
                                                                             const PostgresOptions& options) {
  ASSIGN_OR_RETURN(const Libpq* libpq, LoadLibpq());
  bool has_password = HasPassword(url);
  char* error = nullptr;
  PQconninfoOption* const parsed = libpq->PQconninfoParse(url.c_str(), &error);
  libpq->PQfreemem(error);  // It quotes the URL, and with it a password.
  for (const PQconninfoOption* option = parsed; option != nullptr && option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    has_password |= (keyword == "password" || keyword == "sslpassword") && option->val != nullptr;
  }
  libpq->PQconninfoFree(parsed);
  if (has_password) {
    return InvalidArgument(
        "the tuning log's URL has a password, which other users of this machine could read; write it into ~/.pgpass, "
        "or "
        "into the file named by $PGPASSFILE");
  }
  if (parsed == nullptr) {
    return InvalidArgument("the tuning log's URL is malformed; give postgres://user@host/database");
  }
  std::unique_ptr<PostgresConnection> connection(new PostgresConnection(*libpq, url, options));
  RETURN_IF_ERROR(connection->Connect());
  return connection;
}

PostgresConnection::~PostgresConnection() {
  if (connection_ != nullptr) libpq_.PQfinish(connection_);
}

bool PostgresConnection::IsConnected() const {
  return connection_ != nullptr && libpq_.PQstatus(connection_) == CONNECTION_OK;
}

absl::StatusOr<pg_conn*> PostgresConnection::NewSession(const std::string& settings) {
  // libpq lets the URL change only the parameters in front of dbname.
  const char* const names[] = {"application_name",
                               "connect_timeout",
                               "tcp_user_timeout",
                               "target_session_attrs",
                               "dbname",
                               "client_encoding",
                               options_.writes ? "target_session_attrs" : nullptr,
                               nullptr};
  const char* const values[] = {"mmtune", "10", "30000", "primary", url_.c_str(), "UTF8", "read-write", nullptr};
  pg_conn* const session = libpq_.PQconnectdbParams(names, values, /*expand_dbname=*/1);
  const auto give_up = [&](const absl::Status& why) {
    libpq_.PQfinish(session);
    return why;
  };
  if (session == nullptr) return ResourceExhausted("no memory for a connection to PostgreSQL");
  if (libpq_.PQstatus(session) != CONNECTION_OK) {
    return give_up(ConnectError(OneLine(libpq_.PQerrorMessage(session)), url_));
  }
  libpq_.PQsetNoticeProcessor(
      session,
      [](void* connection, const char* warning) {
        static_cast<PostgresConnection*>(connection)->warning_ = OneLine(warning);
      },
      this);
  absl::Status status = CheckServerVersion(libpq_.PQserverVersion(session), url_);
  if (!status.ok()) return give_up(status);
  pg_result* const result = libpq_.PQexec(session, settings.c_str());
  const bool set = libpq_.PQresultStatus(result) == PGRES_COMMAND_OK;
  if (!set) status = ToStatus(session, result);
  libpq_.PQclear(result);
  return set ? absl::StatusOr<pg_conn*>(session) : give_up(status);
}

absl::Status PostgresConnection::Connect() {
  if (connection_ != nullptr) libpq_.PQfinish(std::exchange(connection_, nullptr));
  waiting_.clear();
  const std::string token = RandomToken();
  ASSIGN_OR_RETURN(connection_, NewSession(absl::StrCat("SET mmtune.session = '", token, "'; ",
                                                        options_.bulk ? kBulkLimits : kLimits, kSettings,
                                                        options_.writes ? kWriterSettings : "")));
  ++session_;
  in_transaction_ = false;
  if (!options_.writes) return absl::OkStatus();
  const absl::Status probed = ProbePooler(token);
  if (!probed.ok()) libpq_.PQfinish(std::exchange(connection_, nullptr));  // The next statement probes again.
  return probed;
}

// A pooler in transaction mode gives each transaction of a client any of its connections to the server. Then a second
// client sees what the first one set, or the first one does not see it any more.
absl::Status PostgresConnection::ProbePooler(const std::string& token) {
  const auto sees_token = [&](pg_conn* session) {
    pg_result* const result = libpq_.PQexec(session, "SELECT current_setting('mmtune.session', true)");
    const bool sees = libpq_.PQresultStatus(result) == PGRES_TUPLES_OK && libpq_.PQgetvalue(result, 0, 0) == token;
    libpq_.PQclear(result);
    return sees;
  };
  ASSIGN_OR_RETURN(pg_conn * other, NewSession("BEGIN"));
  const bool leaks = sees_token(other);
  const bool keeps = leaks || sees_token(connection_);
  libpq_.PQfinish(other);
  if (!leaks && keeps) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(
      url_,
      " is a pooler in transaction mode, which does not keep the settings of a session; give the server's own "
      "address, or a pooler in session mode"));
}

absl::Status PostgresConnection::EnsureConnected() {
  if (IsConnected()) return absl::OkStatus();
  if (in_transaction_) {
    return Unavailable(absl::StrCat("the connection to ", url_, " was lost in a transaction, which stored nothing"));
  }
  return Connect();
}

bool PostgresConnection::InTransaction() const {
  return IsConnected() && (!waiting_.empty() || libpq_.PQtransactionStatus(connection_) == PQTRANS_INTRANS);
}

absl::Status PostgresConnection::RunWaiting(pg_result** last) {
  if (waiting_.empty()) return absl::OkStatus();
  std::vector<int64_t*> waiting = std::exchange(waiting_, {});
  if (last != nullptr) waiting.push_back(&changes_);
  absl::Status status;
  bool in_step = libpq_.PQpipelineSync(connection_) == 1;
  for (size_t i = 0; in_step && i < waiting.size(); ++i) {
    pg_result* const result = libpq_.PQgetResult(connection_);
    pg_result* const more = libpq_.PQgetResult(connection_);  // null, unless the connection is lost
    in_step = result != nullptr && more == nullptr;
    libpq_.PQclear(more);
    const ExecStatusType got = libpq_.PQresultStatus(result);
    const bool done = got == PGRES_COMMAND_OK || got == PGRES_TUPLES_OK;
    if (done && waiting[i] != nullptr) *waiting[i] = CountOf(result);
    if (!done && status.ok()) status = ToStatus(connection_, result);
    if (done && last != nullptr && i + 1 == waiting.size()) {
      *last = result;
    } else {
      libpq_.PQclear(result);
    }
  }
  if (in_step) {
    pg_result* const end = libpq_.PQgetResult(connection_);
    in_step = libpq_.PQresultStatus(end) == PGRES_PIPELINE_SYNC;
    libpq_.PQclear(end);
  }
  if (!in_step || libpq_.PQexitPipelineMode(connection_) == 0) {
    libpq_.PQfinish(std::exchange(connection_, nullptr));
    if (last != nullptr) libpq_.PQclear(std::exchange(*last, nullptr));
    if (status.ok()) status = Unavailable(absl::StrCat("the connection to ", url_, " was lost"));
  }
  return status;
}

absl::Status PostgresConnection::ToStatus(pg_conn* session, const pg_result* result) const {
  const char* const state = libpq_.PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const message = libpq_.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return ErrorOfState(state == nullptr ? "" : state,
                      absl::StrCat(url_, ": ", OneLine(message != nullptr ? message : libpq_.PQerrorMessage(session)),
                                   state == nullptr ? "" : absl::StrCat(" (SQLSTATE ", state, ")")));
}

int64_t PostgresConnection::CountOf(pg_result* result) const {
  const std::string_view count = libpq_.PQcmdTuples(result);
  int64_t changes = 0;
  std::from_chars(count.data(), count.data() + count.size(), changes);
  return changes;
}

absl::Status PostgresConnection::Check(pg_result* result) {
  if (IsConnected()) {
    const PGTransactionStatusType status = libpq_.PQtransactionStatus(connection_);
    in_transaction_ = status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
  }
  const ExecStatusType got = libpq_.PQresultStatus(result);
  if (got == PGRES_TUPLES_OK || got == PGRES_COMMAND_OK) {
    changes_ = CountOf(result);
    return absl::OkStatus();
  }
  const absl::Status status = ToStatus(connection_, result);
  // An error that the server did not send: the connection is lost, though PQstatus() may not say so yet.
  const bool lost = libpq_.PQresultErrorField(result, PG_DIAG_SQLSTATE) == nullptr;
  libpq_.PQclear(result);
  if (lost) libpq_.PQfinish(std::exchange(connection_, nullptr));
  return status;
}

absl::Status PostgresConnection::Control(const std::string& sql) {
  const absl::Status waited = RunWaiting();
  if (!waited.ok() && sql != "ROLLBACK") return waited;
  if (!IsConnected() && sql == "ROLLBACK") {
    in_transaction_ = false;
    return absl::OkStatus();
  }
  const auto run = [&]() -> absl::Status {
    RETURN_IF_ERROR(EnsureConnected());
    warning_.clear();
    pg_result* const result = libpq_.PQexec(connection_, sql.c_str());
    RETURN_IF_ERROR(Check(result));
    const bool undone = sql == "COMMIT" && std::string_view(libpq_.PQcmdStatus(result)) == "ROLLBACK";
    libpq_.PQclear(result);
    // The server warns when the wait for a synchronous standby was ended: a failover may lose the transaction.
    if (sql == "COMMIT" && !undone && !warning_.empty()) return Unavailable(absl::StrCat(url_, ": ", warning_));
    return undone ? absl::AbortedError(absl::StrCat(url_, ": the transaction was rolled back after an earlier error"))
                  : absl::OkStatus();
  };
  absl::Status status = run();
  // The server may have been restarted since the last transaction.
  if (!status.ok() && !IsConnected() && !in_transaction_ && sql.starts_with("BEGIN")) status = run();
  return status;
}

absl::StatusOr<EngineStatement*> PostgresConnection::Compile(std::string_view sql, StatementKind kind) {
  return NewPostgresStatement(this, sql, kind);
}

absl::Status PostgresConnection::LockNewRows() {
  return Control(absl::StrCat("SELECT pg_advisory_xact_lock(", kNewRowsKey, ")"));
}

absl::Status PostgresConnection::Execute(const std::string& script) { return Control(script); }

absl::StatusOr<Database> OpenPostgresDatabase(const std::string& url, const PostgresOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<PostgresConnection> connection, PostgresConnection::Open(url, options));
  return Database(std::make_unique<DatabaseHandle>(std::move(connection), url));
}

}  // namespace mmtune
