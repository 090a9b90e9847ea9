// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/statement.h"

#include <sqlite3.h>

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/sqlite/database.h"
#include "db/sqlite/error.h"
#include "proto/base/status.h"

namespace mmtune {

Statement::Statement(DatabaseHandle* database, std::string sql, sqlite3_stmt* statement)
    : database_(database), sql_(std::move(sql)), statement_(statement) {}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      sql_(std::move(other.sql_)),
      statement_(std::exchange(other.statement_, nullptr)),
      borrows_(other.borrows_),
      bind_status_(std::move(other.bind_status_)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  if (this == &other) return *this;
  Release();
  database_ = other.database_;
  sql_ = std::move(other.sql_);
  statement_ = std::exchange(other.statement_, nullptr);
  borrows_ = other.borrows_;
  bind_status_ = std::move(other.bind_status_);
  return *this;
}

Statement::~Statement() { Release(); }

void Statement::Release() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  database_->GiveBack(std::move(sql_), std::exchange(statement_, nullptr));
}

void Statement::Note(int code) {
  if (code != SQLITE_OK && bind_status_.ok()) bind_status_ = SqliteError(database_->db(), code, database_->path());
}

void Statement::Bind(int parameter, int64_t value) { Note(sqlite3_bind_int64(statement_, parameter, value)); }

void Statement::Bind(int parameter, double value) {
  if (std::isnan(value) && bind_status_.ok()) {
    bind_status_ = InvalidArgument(absl::StrCat(database_->path(), ": NaN cannot be stored"));
  }
  Note(sqlite3_bind_double(statement_, parameter, value));
}

void Statement::Bind(int parameter, std::string_view text) {
  const char* data = text.data() == nullptr ? "" : text.data();
  Note(sqlite3_bind_text64(statement_, parameter, data, text.size(), borrows_ ? SQLITE_STATIC : SQLITE_TRANSIENT,
                           SQLITE_UTF8));
}

void Statement::BindBlob(int parameter, std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  Note(sqlite3_bind_blob64(statement_, parameter, data, bytes.size(), borrows_ ? SQLITE_STATIC : SQLITE_TRANSIENT));
}

void Statement::BindNull(int parameter) { Note(sqlite3_bind_null(statement_, parameter)); }

absl::StatusOr<bool> Statement::Step() {
  RETURN_IF_ERROR(std::exchange(bind_status_, absl::OkStatus()));
  int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  absl::Status status = code == SQLITE_DONE ? absl::OkStatus() : SqliteError(database_->db(), code, database_->path());
  sqlite3_reset(statement_);
  if (!status.ok()) return status;
  return false;
}

absl::Status Statement::Run() {
  while (true) {
    ASSIGN_OR_RETURN(bool row, Step());
    if (!row) return absl::OkStatus();
  }
}

int Statement::Columns() const { return sqlite3_column_count(statement_); }

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Statement::Text(int column) const { return std::string(View(column)); }

std::string_view Statement::View(int column) const {
  const void* data = sqlite3_column_type(statement_, column) == SQLITE_BLOB
                         ? sqlite3_column_blob(statement_, column)
                         : static_cast<const void*>(sqlite3_column_text(statement_, column));
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

absl::StatusOr<std::optional<int64_t>> FirstId(Statement& statement) {
  ASSIGN_OR_RETURN(bool row, statement.Step());
  if (!row) return std::nullopt;
  return statement.Int(0);
}

}  // namespace mmtune
