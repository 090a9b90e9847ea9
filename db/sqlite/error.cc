// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/error.h"

#include <sqlite3.h>

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
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

}  // namespace mmtune
