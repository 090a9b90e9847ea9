// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/database.h"

#include <sqlite3.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "db/sqlite/error.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

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

}  // namespace mmtune
