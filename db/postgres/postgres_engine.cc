// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/postgres_engine.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "db/postgres/libpq.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kOldestVersion = 150000;
constexpr int kText = 0, kBinary = 1;
/// Rows that a cursor fetches at first, and at most.
constexpr int kFirstRows = 32, kMostRows = 1024;

// Types of columns: src/include/catalog/pg_type.dat.
constexpr unsigned kInt2 = 21, kInt4 = 23, kInt8 = 20, kFloat4 = 700;

/// The limits of a session: a transaction that this process leaves open must not hold locks for long.
constexpr char kLimits[] =
    "SET lock_timeout = '10s'; SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s'; ";
constexpr char kBulkLimits[] =
    "SET lock_timeout = '10s'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = '600s'; ";
// The session of a host that is gone ends within half a minute, and with it the host's ownership of the log. A cursor
// is for lists of which mostly the first rows are read: they should come from an index, without a sort.
constexpr char kSettings[] =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET "
    "synchronous_commit = on; SET default_transaction_isolation = 'read committed'; SET search_path = mmtune; "
    "SET cursor_tuple_fraction = 0.001; SET client_min_messages = warning";

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
    return absl::PermissionDeniedError(absl::StrCat(text, "; give the password by ~/.pgpass or PGPASSFILE"));
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
    return absl::PermissionDeniedError(absl::StrCat(text, "; a log is written on the primary server"));
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

template <typename T>
T FromNetwork(const char* bytes) {
  std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>> value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<decltype(value)>((value << 8) | static_cast<unsigned char>(bytes[i]));
  }
  return std::bit_cast<T>(value);
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

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

std::string TranslateSql(std::string_view sql) {
  constexpr std::string_view kHint = "INDEXED BY ", kOrRollback = "OR ROLLBACK ", kInstr = "instr(",
                             kNoLimit = "LIMIT -1";
  std::string text;
  text.reserve(sql.size());
  bool quoted = false;
  for (size_t i = 0; i < sql.size(); ++i) {
    const std::string_view rest = sql.substr(i);
    const char next = rest.size() > 1 ? rest[1] : ' ';
    if (rest[0] == '\'') quoted = !quoted;
    if (quoted) {
      text += rest[0];
    } else if (rest.starts_with(kHint)) {
      i += kHint.size();
      while (i < sql.size() && IsLetter(sql[i])) ++i;
    } else if (rest.starts_with(kOrRollback)) {
      i += kOrRollback.size() - 1;
    } else if (rest.starts_with(kInstr)) {
      text += "strpos(";
      i += kInstr.size() - 1;
    } else if (rest.starts_with(kNoLimit)) {
      text += "LIMIT ALL";
      i += kNoLimit.size() - 1;
    } else if (rest[0] == '?' && next >= '0' && next <= '9') {
      text += '$';
    } else if (rest[0] != '+' || !IsLetter(next)) {  // +column keeps SQLite from an index
      text += rest[0];
    }
  }
  return text;
}

absl::Status CheckServerVersion(int version, std::string_view url) {
  if (version >= kOldestVersion) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat("the server of ", ToAbsl(url), " is PostgreSQL ", version / 10000, ".",
                                         version % 10000, ", which is too old; a tuning log needs 15 or newer"));
}

/// A statement. It is prepared when it first runs in a session. A kLong one is read through a cursor.
class PostgresStatement : public EngineStatement {
 public:
  PostgresStatement(PostgresConnection* connection, std::string_view sql, StatementKind kind)
      : EngineStatement(std::string(sql)),
        connection_(*connection),
        libpq_(connection->libpq_),
        kind_(kind),
        text_(TranslateSql(sql)) {
    if (kind == StatementKind::kInsert) absl::StrAppend(&text_, " RETURNING id");
    is_control_ = sql.starts_with("BEGIN") || sql == "COMMIT" || sql == "ROLLBACK";
  }
  ~PostgresStatement() override { Clear(); }

  void BindInt(int parameter, int64_t value) override { Set(parameter, absl::StrCat(value)); }
  void BindReal(int parameter, double value) override {
    if (std::isnan(value)) return Refuse("NaN cannot be stored");
    char digits[32];
    Set(parameter, std::string(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr));
  }
  void BindText(int parameter, std::string_view text, bool) override {
    // The server would refuse these, and with them the whole transaction.
    if (text.find('\0') != std::string_view::npos) return Refuse("a text with a zero byte cannot be stored");
    if (Utf8(text) != text) return Refuse("a text that is not UTF-8 cannot be stored");
    Set(parameter, std::string(text));
  }
  void BindBlob(int parameter, std::string_view bytes, bool) override { Set(parameter, std::string(bytes), kBinary); }
  void BindNull(int parameter) override { At(parameter).is_null = true; }

  absl::StatusOr<bool> Step() override {
    if (kind_ == StatementKind::kLong) return StepCursor();
    if (result_ == nullptr) RETURN_IF_ERROR(Run());
    if (result_ != nullptr && ++row_ < libpq_.PQntuples(result_)) return true;
    Clear();  // may be bound and run again
    return false;
  }
  absl::StatusOr<std::optional<int64_t>> Insert() override {
    ASSIGN_OR_RETURN(const bool row, Step());
    if (!row) return std::nullopt;
    const int64_t id = Int(0);
    Clear();
    return id;
  }
  int Columns() const override { return result_ == nullptr ? 0 : libpq_.PQnfields(result_); }
  int64_t Int(int column) const override {
    const char* value = libpq_.PQgetvalue(result_, row_, column);
    switch (libpq_.PQgetlength(result_, row_, column)) {
      case 1:
        return *value;
      case 2:
        return FromNetwork<int16_t>(value);
      case 4:
        return FromNetwork<int32_t>(value);
      case 8:
        return FromNetwork<int64_t>(value);
      default:
        return 0;  // NULL
    }
  }
  double Real(int column) const override {
    if (libpq_.PQgetisnull(result_, row_, column) != 0) return 0;
    const char* value = libpq_.PQgetvalue(result_, row_, column);
    return libpq_.PQftype(result_, column) == kFloat4 ? FromNetwork<float>(value) : FromNetwork<double>(value);
  }
  std::string_view View(int column) const override {
    const unsigned type = libpq_.PQftype(result_, column);
    if (type == kInt2 || type == kInt4 || type == kInt8) return shown_ = absl::StrCat(Int(column));
    return {libpq_.PQgetvalue(result_, row_, column), static_cast<size_t>(libpq_.PQgetlength(result_, row_, column))};
  }
  bool Reset() override {
    if (!cursor_.empty() && connection_.InTransaction() && session_ == connection_.session_) {
      const absl::Status status = connection_.Control(absl::StrCat("CLOSE ", cursor_));
      if (!status.ok()) LogWarning("cursor_close_failed", {{"error", status.message()}});
    }
    cursor_.clear();
    Clear();
    parameters_.clear();
    refused_ = absl::OkStatus();
    return true;
  }

 private:
  struct Parameter {
    std::string value;
    int format = kText;
    bool is_null = true;
  };
  /// The parameters as libpq takes them.
  struct Arguments {
    std::vector<const char*> values;
    std::vector<int> lengths, formats;
    int count = 0;
  };

  Parameter& At(int parameter) {
    if (parameters_.size() < static_cast<size_t>(parameter)) parameters_.resize(static_cast<size_t>(parameter));
    return parameters_[static_cast<size_t>(parameter) - 1];
  }
  void Set(int parameter, std::string value, int format = kText) {
    At(parameter) = {std::move(value), format, /*is_null=*/false};
  }
  void Refuse(const char* why) {
    if (refused_.ok()) refused_ = InvalidArgument(absl::StrCat(connection_.url_, ": ", why));
  }
  void Clear() {
    if (result_ != nullptr) libpq_.PQclear(result_);
    result_ = nullptr;
    row_ = -1;
  }
  Arguments MakeArguments() const {
    Arguments arguments;
    for (const Parameter& parameter : parameters_) {
      arguments.values.push_back(parameter.is_null ? nullptr : parameter.value.data());
      arguments.lengths.push_back(static_cast<int>(parameter.value.size()));
      arguments.formats.push_back(parameter.format);
    }
    arguments.count = static_cast<int>(parameters_.size());
    return arguments;
  }
  /// Keeps the result, if it is not an error.
  absl::Status Take(pg_result* result) {
    RETURN_IF_ERROR(connection_.Check(result));
    result_ = result;
    return absl::OkStatus();
  }

  absl::Status Run() {
    RETURN_IF_ERROR(std::exchange(refused_, absl::OkStatus()));
    if (is_control_) return connection_.Control(text_);
    absl::Status status = RunOnce();
    // The server may have been restarted since the last statement: reading can be repeated.
    if (!status.ok() && !connection_.IsConnected() && !connection_.in_transaction_ && text_.starts_with("SELECT")) {
      status = RunOnce();
    }
    return status;
  }
  absl::Status RunOnce() {
    RETURN_IF_ERROR(connection_.EnsureConnected());
    pg_conn* const connection = connection_.connection_;
    if (session_ != connection_.session_ || name_.empty()) {
      name_ = absl::StrCat("s", ++connection_.prepared_);
      pg_result* const prepared = libpq_.PQprepare(connection, name_.c_str(), text_.c_str(), 0, nullptr);
      RETURN_IF_ERROR(connection_.Check(prepared));
      libpq_.PQclear(prepared);
      session_ = connection_.session_;
    }
    const Arguments arguments = MakeArguments();
    return Take(libpq_.PQexecPrepared(connection, name_.c_str(), arguments.count, arguments.values.data(),
                                      arguments.lengths.data(), arguments.formats.data(), kBinary));
  }

  absl::StatusOr<bool> StepCursor() {
    RETURN_IF_ERROR(std::exchange(refused_, absl::OkStatus()));
    if (result_ != nullptr && ++row_ < libpq_.PQntuples(result_)) return true;
    if (result_ != nullptr && libpq_.PQntuples(result_) < rows_) return false;
    RETURN_IF_ERROR(connection_.EnsureConnected());
    pg_conn* const connection = connection_.connection_;
    if (cursor_.empty()) {
      cursor_ = absl::StrCat("c", ++connection_.prepared_);
      session_ = connection_.session_;
      const Arguments arguments = MakeArguments();
      const std::string declare = absl::StrCat("DECLARE ", cursor_, " BINARY NO SCROLL CURSOR FOR ", text_);
      pg_result* const declared =
          libpq_.PQexecParams(connection, declare.c_str(), arguments.count, nullptr, arguments.values.data(),
                              arguments.lengths.data(), arguments.formats.data(), kBinary);
      RETURN_IF_ERROR(connection_.Check(declared));
      libpq_.PQclear(declared);
      rows_ = kFirstRows;
    } else {
      rows_ = std::min(2 * rows_, kMostRows);
    }
    Clear();
    const std::string fetch = absl::StrCat("FETCH FORWARD ", rows_, " FROM ", cursor_);
    RETURN_IF_ERROR(
        Take(libpq_.PQexecParams(connection, fetch.c_str(), 0, nullptr, nullptr, nullptr, nullptr, kBinary)));
    row_ = 0;
    return libpq_.PQntuples(result_) > 0;
  }

  PostgresConnection& connection_;
  const Libpq& libpq_;
  const StatementKind kind_;
  std::string text_;
  bool is_control_ = false;
  std::string name_;     ///< Its name in the session; empty until it is prepared.
  int64_t session_ = 0;  ///< The session in which it was prepared.
  std::string cursor_;   ///< The name of its cursor; empty if none is open.
  int rows_ = 0;         ///< The rows that were fetched last.
  std::vector<Parameter> parameters_;
  absl::Status refused_;  ///< The error of a bind.
  pg_result* result_ = nullptr;
  int row_ = -1;
  mutable std::string shown_;  ///< An integer as text.
};

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
        "the tuning log's URL has a password, which other users of this machine could read; give it by ~/.pgpass or "
        "PGPASSFILE");
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
  const std::string token = RandomToken();
  ASSIGN_OR_RETURN(connection_, NewSession(absl::StrCat("SET mmtune.session = '", token, "'; ",
                                                        options_.bulk ? kBulkLimits : kLimits, kSettings)));
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
  return FailedPrecondition(absl::StrCat(
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
  return IsConnected() && libpq_.PQtransactionStatus(connection_) == PQTRANS_INTRANS;
}

absl::Status PostgresConnection::ToStatus(pg_conn* session, const pg_result* result) const {
  const char* const state = libpq_.PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const message = libpq_.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return ErrorOfState(state == nullptr ? "" : state,
                      absl::StrCat(url_, ": ", OneLine(message != nullptr ? message : libpq_.PQerrorMessage(session)),
                                   state == nullptr ? "" : absl::StrCat(" (SQLSTATE ", state, ")")));
}

absl::Status PostgresConnection::Check(pg_result* result) {
  if (IsConnected()) {
    const PGTransactionStatusType status = libpq_.PQtransactionStatus(connection_);
    in_transaction_ = status == PQTRANS_INTRANS || status == PQTRANS_INERROR;
  }
  const ExecStatusType got = libpq_.PQresultStatus(result);
  if (got == PGRES_TUPLES_OK || got == PGRES_COMMAND_OK) {
    const std::string_view count = libpq_.PQcmdTuples(result);
    std::from_chars(count.data(), count.data() + count.size(), changes_);
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
  return new PostgresStatement(this, sql, kind);
}

absl::Status PostgresConnection::Execute(const std::string& script) { return Control(script); }

absl::StatusOr<Database> OpenPostgresDatabase(const std::string& url, const PostgresOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<PostgresConnection> connection, PostgresConnection::Open(url, options));
  return Database(std::make_unique<DatabaseHandle>(std::move(connection), url));
}

}  // namespace mmtune
