// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SQLite's result codes as Status.
#pragma once

#include <string_view>

#include "absl/status/status.h"

struct sqlite3;

namespace mmtune {

/// The status of a failed call on `path`; `db` may be null. One line that says what to do.
///   corrupt, not a database     FailedPrecondition
///   disk full, out of memory    ResourceExhausted
///   read-only, cannot open      PermissionDenied
///   busy, locked                Unavailable
///   uniqueness violated         AlreadyExists
///   other constraint violated   InvalidArgument
///   I/O error and the rest      Internal
absl::Status SqliteError(sqlite3* db, int extended_code, std::string_view path);

}  // namespace mmtune
