// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite_engine.h"

#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/database.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

std::string Cause(sqlite3* db, int code) {
  std::string cause = db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  int error = db != nullptr ? sqlite3_system_errno(db) : 0;
  if (error != 0 && (code & 0xff) != SQLITE_CONSTRAINT) absl::StrAppend(&cause, ", ", strerror(error));
  return absl::StrCat(cause, ", SQLite code ", code);
}

absl::Status ConstraintError(int code, const std::string& text) {
  switch (code) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
      return absl::AlreadyExistsError(text);
    default:
      return absl::InvalidArgumentError(text);
  }
}

/// "file:" URI of a path, which may hold characters that mean something in a URI.
std::string FileUri(const std::string& path, std::string_view query) {
  std::string uri = "file:";
  for (char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      absl::StrAppend(&uri, "%", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else {
      uri += c;
    }
  }
  return absl::StrCat(uri, "?", ToAbsl(query));
}

/// The SQL function sha256(text): lower-case hex; NULL of NULL.
void Sha256(sqlite3_context* context, int, sqlite3_value** arguments) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
  if (text == nullptr) return sqlite3_result_null(context);
  const std::string digest = Sha256Hex(std::string_view(text, static_cast<size_t>(sqlite3_value_bytes(arguments[0]))));
  sqlite3_result_text(context, digest.data(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
}

/// A compiled statement. A bind that fails is reported by the next Step().
class SqliteStatement : public EngineStatement {
 public:
  SqliteStatement(SqliteConnection* connection, std::string sql, sqlite3_stmt* statement)
      : EngineStatement(std::move(sql)), connection_(*connection), statement_(statement) {}
  ~SqliteStatement() override { sqlite3_finalize(statement_); }

  void BindInt(int parameter, int64_t value) override { Note(sqlite3_bind_int64(statement_, parameter, value)); }
  void BindReal(int parameter, double value) override {
    if (std::isnan(value) && bind_status_.ok()) {
      bind_status_ = InvalidArgument(absl::StrCat(connection_.path(), ": NaN cannot be stored"));
    }
    Note(sqlite3_bind_double(statement_, parameter, value));
  }
  void BindText(int parameter, std::string_view text, bool borrowed) override {
    const char* data = text.data() == nullptr ? "" : text.data();
    Note(sqlite3_bind_text64(statement_, parameter, data, text.size(), borrowed ? SQLITE_STATIC : SQLITE_TRANSIENT,
                             SQLITE_UTF8));
  }
  void BindBlob(int parameter, std::string_view bytes, bool borrowed) override {
    const char* data = bytes.data() == nullptr ? "" : bytes.data();
    Note(sqlite3_bind_blob64(statement_, parameter, data, bytes.size(), borrowed ? SQLITE_STATIC : SQLITE_TRANSIENT));
  }
  void BindNull(int parameter) override { Note(sqlite3_bind_null(statement_, parameter)); }

  absl::StatusOr<bool> Step() override {
    RETURN_IF_ERROR(std::exchange(bind_status_, absl::OkStatus()));
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    absl::Status status = code == SQLITE_DONE ? absl::OkStatus() : connection_.ToStatus(code);
    sqlite3_reset(statement_);
    if (!status.ok()) return status;
    return false;
  }
  absl::Status RunLater(int64_t* changes) override {
    while (true) {
      ASSIGN_OR_RETURN(const bool row, Step());
      if (row) continue;
      if (changes != nullptr) *changes = connection_.Changes();
      return absl::OkStatus();
    }
  }
  absl::StatusOr<std::optional<int64_t>> Insert() override {
    RETURN_IF_ERROR(Step().status());
    if (connection_.Changes() == 0) return std::nullopt;
    return sqlite3_last_insert_rowid(connection_.db());
  }
  int Columns() const override { return sqlite3_column_count(statement_); }
  int64_t Int(int column) const override { return sqlite3_column_int64(statement_, column); }
  double Real(int column) const override { return sqlite3_column_double(statement_, column); }
  std::string_view View(int column) const override {
    const void* data = sqlite3_column_type(statement_, column) == SQLITE_BLOB
                           ? sqlite3_column_blob(statement_, column)
                           : static_cast<const void*>(sqlite3_column_text(statement_, column));
    if (data == nullptr) return {};
    return {static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }
  bool Reset() override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    bind_status_ = absl::OkStatus();
    return true;
  }

 private:
  void Note(int code) {
    if (code != SQLITE_OK && bind_status_.ok()) bind_status_ = connection_.ToStatus(code);
  }

  SqliteConnection& connection_;
  sqlite3_stmt* statement_;
  absl::Status bind_status_;
};

}  // namespace

absl::Status SqliteError(sqlite3* db, int extended_code, std::string_view path) {
  std::string cause = Cause(db, extended_code);
  std::string where = std::string(path);
  switch (extended_code & 0xff) {
    case SQLITE_CORRUPT:
      return FailedPrecondition(
          absl::StrCat(where, " is corrupt (", cause, "); restore a backup, or name another file"));
    case SQLITE_NOTADB:
      return FailedPrecondition(absl::StrCat(where, " is not a database (", cause, "); name another file"));
    case SQLITE_FULL:
      return ResourceExhausted(absl::StrCat("the disk of ", where, " is full (", cause, "); free some space"));
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return ResourceExhausted(absl::StrCat(where, ": ", cause));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return absl::PermissionDeniedError(
          absl::StrCat(where, " cannot be opened or written (", cause, "); check the file's and directory's modes"));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Unavailable(absl::StrCat(where, " is busy (", cause, "): another program writes to it"));
    case SQLITE_CONSTRAINT:
      return ConstraintError(extended_code, absl::StrCat(where, ": ", cause));
    default:
      return Internal(absl::StrCat(where, ": ", cause));
  }
}

SqliteConnection::~SqliteConnection() {
  const int code = sqlite3_close(db_);
  if (code != SQLITE_OK) LogError("database_close", {{"path", path_}, {"error", sqlite3_errstr(code)}});
}

absl::Status SqliteConnection::ToStatus(int code) const {
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(db_, code, path_);
}

absl::StatusOr<EngineStatement*> SqliteConnection::Compile(std::string_view sql, StatementKind) {
  std::string text(sql);
  sqlite3_stmt* statement = nullptr;
  RETURN_IF_ERROR(ToStatus(sqlite3_prepare_v3(db_, text.c_str(), static_cast<int>(text.size()) + 1,
                                              SQLITE_PREPARE_PERSISTENT, &statement, nullptr)));
  return new SqliteStatement(this, std::move(text), statement);
}

absl::Status SqliteConnection::Execute(const std::string& script) {
  return ToStatus(sqlite3_exec(db_, script.c_str(), nullptr, nullptr, nullptr));
}

int64_t SqliteConnection::Changes() const { return sqlite3_changes64(db_); }

bool SqliteConnection::InTransaction() const { return sqlite3_get_autocommit(db_) == 0; }

absl::StatusOr<Database> Database::Open(const std::string& path, Mode mode) {
  // Nobody asks SQLite how much memory it uses, and counting takes a lock for each allocation.
  [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  std::string name = path;
  if (mode == Mode::kReadWrite) {
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  } else {
    flags |= SQLITE_OPEN_READONLY;
  }
  if (mode == Mode::kReadOnlyImmutable) {
    flags |= SQLITE_OPEN_URI;
    name = FileUri(path, "immutable=1");
  }
  sqlite3* db = nullptr;
  int code = sqlite3_open_v2(name.c_str(), &db, flags, nullptr);
  if (code != SQLITE_OK) {
    absl::Status status = SqliteError(db, code, path);
    sqlite3_close(db);
    return status;
  }
  auto connection = std::make_unique<SqliteConnection>(db, path);
  code = sqlite3_create_function_v2(db, "sha256", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                    Sha256, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return SqliteError(db, code, path);
  return Database(std::make_unique<DatabaseHandle>(std::move(connection), path));
}

absl::Status SqliteConnection::EnableTriggers(bool on) {
  return ToStatus(sqlite3_db_config(db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, on ? 1 : 0, nullptr));
}

bool Database::HasMoved() const {
  int moved = 0;
  const auto& sqlite = static_cast<const SqliteConnection&>(connection());
  const int code = sqlite3_file_control(sqlite.db(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

absl::Status Database::CheckpointAll() {
  const auto& sqlite = static_cast<const SqliteConnection&>(connection());
  return sqlite.ToStatus(sqlite3_wal_checkpoint_v2(sqlite.db(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr));
}

absl::Status Database::KeepWalAtClose() {
  const auto& sqlite = static_cast<const SqliteConnection&>(connection());
  return sqlite.ToStatus(sqlite3_db_config(sqlite.db(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
}

absl::Status Database::Checkpoint() {
  const auto& sqlite = static_cast<const SqliteConnection&>(connection());
  return sqlite.ToStatus(sqlite3_wal_checkpoint_v2(sqlite.db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr));
}

}  // namespace mmtune
