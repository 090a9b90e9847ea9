// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/sqlite/functions.h"

#include <sqlite3.h>

#include <string>
#include <string_view>

#include "db/sqlite/error.h"
#include "proto/base/digest.h"

namespace mmtune {
namespace {

void Sha256(sqlite3_context* context, int, sqlite3_value** arguments) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
  if (text == nullptr) return sqlite3_result_null(context);
  const std::string digest = Sha256Hex(std::string_view(text, static_cast<size_t>(sqlite3_value_bytes(arguments[0]))));
  sqlite3_result_text(context, digest.data(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
}

}  // namespace

absl::Status AddSqlFunctions(sqlite3* db, const std::string& path) {
  const int code = sqlite3_create_function_v2(db, "sha256", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                              nullptr, Sha256, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : SqliteError(db, code, path);
}

}  // namespace mmtune
