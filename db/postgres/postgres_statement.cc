// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/postgres/postgres_statement.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "db/postgres/libpq.h"
#include "db/postgres/postgres_engine.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kText = 0, kBinary = 1;
/// Rows that a cursor fetches at first, and at most.
constexpr int kFirstRows = 32, kMostRows = 1024;

// Types of columns: src/include/catalog/pg_type.dat.
constexpr unsigned kInt2 = 21, kInt4 = 23, kInt8 = 20, kFloat4 = 700;

template <typename T>
T FromNetwork(const char* bytes) {
  std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>> value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<decltype(value)>((value << 8) | static_cast<unsigned char>(bytes[i]));
  }
  return std::bit_cast<T>(value);
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

std::string TranslateSql(std::string_view sql) {
  constexpr std::string_view kHint = "INDEXED BY ", kOrRollback = "OR ROLLBACK ", kInstr = "instr(",
                             kNoLimit = "LIMIT -1", kJsonEach = "json_each(";
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
    } else if (rest.starts_with(kJsonEach)) {
      text += "json_array_elements(";  // both have a column `value`
      i += kJsonEach.size() - 1;
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
  absl::Status RunLater(int64_t* changes) override {
    RETURN_IF_ERROR(std::exchange(refused_, absl::OkStatus()));
    RETURN_IF_ERROR(Prepare());
    RETURN_IF_ERROR(Send());
    connection_.waiting_.push_back(changes);
    return absl::OkStatus();
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
    // Where statements wait, an error of theirs is for the next one; the cursor ends with the transaction then.
    if (!cursor_.empty() && connection_.waiting_.empty() && connection_.InTransaction() &&
        session_ == connection_.session_) {
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
    RETURN_IF_ERROR(Prepare());
    if (!connection_.waiting_.empty()) {
      RETURN_IF_ERROR(Send());
      return connection_.RunWaiting(&result_);
    }
    const Arguments arguments = MakeArguments();
    return Take(libpq_.PQexecPrepared(connection_.connection_, name_.c_str(), arguments.count, arguments.values.data(),
                                      arguments.lengths.data(), arguments.formats.data(), kBinary));
  }
  absl::Status Prepare() {
    RETURN_IF_ERROR(connection_.EnsureConnected());
    if (session_ == connection_.session_ && !name_.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(connection_.RunWaiting());
    name_ = absl::StrCat("s", ++connection_.prepared_);
    pg_result* const prepared = libpq_.PQprepare(connection_.connection_, name_.c_str(), text_.c_str(), 0, nullptr);
    RETURN_IF_ERROR(connection_.Check(prepared));
    libpq_.PQclear(prepared);
    session_ = connection_.session_;
    return absl::OkStatus();
  }
  /// Sends the statement, which is prepared, behind those that wait. Its result comes by
  /// PostgresConnection::RunWaiting().
  absl::Status Send() {
    pg_conn* const connection = connection_.connection_;
    const Arguments arguments = MakeArguments();
    const bool sent = (!connection_.waiting_.empty() || libpq_.PQenterPipelineMode(connection) == 1) &&
                      libpq_.PQsendQueryPrepared(connection, name_.c_str(), arguments.count, arguments.values.data(),
                                                 arguments.lengths.data(), arguments.formats.data(), kBinary) == 1;
    if (sent) return absl::OkStatus();
    libpq_.PQfinish(std::exchange(connection_.connection_, nullptr));
    connection_.waiting_.clear();
    return Unavailable(
        absl::StrCat("the connection to ", connection_.url_, " was lost, so that a statement could not be sent"));
  }

  absl::StatusOr<bool> StepCursor() {
    RETURN_IF_ERROR(std::exchange(refused_, absl::OkStatus()));
    if (result_ != nullptr && ++row_ < libpq_.PQntuples(result_)) return true;
    if (result_ != nullptr && libpq_.PQntuples(result_) < rows_) return false;
    RETURN_IF_ERROR(connection_.EnsureConnected());
    RETURN_IF_ERROR(connection_.RunWaiting());
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

EngineStatement* NewPostgresStatement(PostgresConnection* connection, std::string_view sql, StatementKind kind) {
  return new PostgresStatement(connection, sql, kind);
}

}  // namespace mmtune
