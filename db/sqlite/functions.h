// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SQL functions that SQLite lacks.
#pragma once

#include <string>

#include "absl/status/status.h"

struct sqlite3;

namespace mmtune {

/// sha256(text): in lower-case hex; NULL of NULL. `path` is for the error.
absl::Status AddSqlFunctions(sqlite3* db, const std::string& path);

}  // namespace mmtune
