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

}  // namespace mmtune
