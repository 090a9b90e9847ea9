// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/database.h"

#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
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

constexpr size_t kMaxIdleStatements = 128;

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

void StatementReturn::operator()(sqlite3_stmt* statement) const {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  database->GiveBack(statement);
}

absl::Status Statement::Error(int code) const {
  const DatabaseHandle& database = *statement_.get_deleter().database;
  return SqliteError(database.db(), code, database.path());
}

void Statement::Note(int code) {
  if (code != SQLITE_OK && bind_status_.ok()) bind_status_ = Error(code);
}

void Statement::Bind(int parameter, int64_t value) { Note(sqlite3_bind_int64(statement_.get(), parameter, value)); }

void Statement::Bind(int parameter, double value) {
  if (std::isnan(value) && bind_status_.ok()) {
    bind_status_ = InvalidArgument(absl::StrCat(statement_.get_deleter().database->path(), ": NaN cannot be stored"));
  }
  Note(sqlite3_bind_double(statement_.get(), parameter, value));
}

void Statement::Bind(int parameter, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();
  Note(sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), borrows_ ? SQLITE_STATIC : SQLITE_TRANSIENT,
                           SQLITE_UTF8));
}

void Statement::BindBlob(int parameter, std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  Note(sqlite3_bind_blob64(statement_.get(), parameter, data, bytes.size(),
                           borrows_ ? SQLITE_STATIC : SQLITE_TRANSIENT));
}

void Statement::BindNull(int parameter) { Note(sqlite3_bind_null(statement_.get(), parameter)); }

absl::StatusOr<bool> Statement::Step() {
  RETURN_IF_ERROR(std::exchange(bind_status_, absl::OkStatus()));
  int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  absl::Status status = code == SQLITE_DONE ? absl::OkStatus() : Error(code);
  sqlite3_reset(statement_.get());
  if (!status.ok()) return status;
  return false;
}

absl::Status Statement::Run() {
  while (true) {
    ASSIGN_OR_RETURN(bool row, Step());
    if (!row) return absl::OkStatus();
  }
}

int Statement::Columns() const { return sqlite3_column_count(statement_.get()); }

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::Text(int column) const { return std::string(View(column)); }

std::string_view Statement::View(int column) const {
  const void* data = sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB
                         ? sqlite3_column_blob(statement_.get(), column)
                         : static_cast<const void*>(sqlite3_column_text(statement_.get(), column));
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

DatabaseHandle::~DatabaseHandle() {
  for (auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  int code = sqlite3_close(db_);
  if (code != SQLITE_OK) LogError("database_close", {{"path", path_}, {"error", sqlite3_errstr(code)}});
}

sqlite3_stmt* DatabaseHandle::Take(std::string_view sql) {
  auto it = idle_.find(sql);
  return it == idle_.end() ? nullptr : std::exchange(it->second, nullptr);
}

void DatabaseHandle::GiveBack(sqlite3_stmt* statement) {
  const std::string_view sql = sqlite3_sql(statement);
  auto it = idle_.find(sql);
  if (it == idle_.end() && idle_.size() < kMaxIdleStatements) it = idle_.emplace(sql, nullptr).first;
  if (it == idle_.end() || it->second != nullptr) {
    sqlite3_finalize(statement);
  } else {
    it->second = statement;
  }
}

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
  auto handle = std::make_unique<DatabaseHandle>(db, path);
  code = sqlite3_create_function_v2(db, "sha256", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                    Sha256, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return SqliteError(db, code, path);
  return Database(std::move(handle));
}

absl::StatusOr<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = handle_->Take(sql);
  if (statement == nullptr) {
    const std::string text(sql);
    int code = sqlite3_prepare_v3(handle_->db(), text.c_str(), static_cast<int>(text.size()) + 1,
                                  SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return SqliteError(handle_->db(), code, path());
  }
  return Statement(handle_.get(), statement);
}

absl::Status Database::Execute(std::string_view sql) {
  std::string script(sql);
  int code = sqlite3_exec(handle_->db(), script.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(handle_->db(), code, path());
}

absl::StatusOr<int64_t> Database::QueryInt(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row) return Internal(absl::StrCat(path(), ": no row from ", ToAbsl(sql)));
  return statement.Int(0);
}

absl::StatusOr<std::string> Database::QueryText(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row) return Internal(absl::StrCat(path(), ": no row from ", ToAbsl(sql)));
  return statement.Text(0);
}

absl::Status Database::EnableTriggers(bool on) {
  int code = sqlite3_db_config(handle_->db(), SQLITE_DBCONFIG_ENABLE_TRIGGER, on ? 1 : 0, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(handle_->db(), code, path());
}

int64_t Database::LastInsertId() const { return sqlite3_last_insert_rowid(handle_->db()); }

int64_t Database::Changes() const { return sqlite3_changes64(handle_->db()); }

bool Database::InTransaction() const { return sqlite3_get_autocommit(handle_->db()) == 0; }

bool Database::HasMoved() const {
  int moved = 0;
  const int code = sqlite3_file_control(handle_->db(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

absl::Status Database::CheckpointAll() {
  int code = sqlite3_wal_checkpoint_v2(handle_->db(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(handle_->db(), code, path());
}

absl::Status Database::KeepWalAtClose() {
  int code = sqlite3_db_config(handle_->db(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(handle_->db(), code, path());
}

absl::Status Database::Checkpoint() {
  int code = sqlite3_wal_checkpoint_v2(handle_->db(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(handle_->db(), code, path());
}

absl::StatusOr<Transaction> Transaction::Begin(Database& database) {
  RETURN_IF_ERROR(database.Run("BEGIN IMMEDIATE"));
  return Transaction(&database, "ROLLBACK");
}

absl::StatusOr<Transaction> Transaction::Read(Database& database) {
  // COMMIT at the end: a reader's temporary tables stay.
  if (database.InTransaction()) return Transaction(nullptr, "COMMIT");
  RETURN_IF_ERROR(database.Run("BEGIN"));
  return Transaction(&database, "COMMIT");
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), at_end_(other.at_end_) {}

Transaction::~Transaction() { End(); }

bool Transaction::alive() const { return database_ != nullptr && database_->InTransaction(); }

absl::Status Transaction::Commit() {
  if (!alive()) {
    std::string path = database_ == nullptr ? "" : database_->path();
    database_ = nullptr;
    return absl::AbortedError(absl::StrCat(path, ": the transaction was rolled back after an earlier error"));
  }
  const absl::Status status = database_->Run("COMMIT");
  if (!status.ok()) End();
  database_ = nullptr;
  return status;
}

void Transaction::End() {
  if (!alive()) return;
  const absl::Status status = database_->Run(at_end_);
  if (!status.ok()) {
    LogError("transaction_end_failed", {{"path", database_->path()}, {"sql", at_end_}, {"error", status.message()}});
  }
}

}  // namespace mmtune
