// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a tuning log in PostgreSQL: those of db/schema.sql, without triggers and foreign keys, and the tables
// `coordinator` and `ownership` (coordinator_row.h). They are in a schema of their own, `mmtune`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "db/database.h"

namespace mmtune {

/// Translates db/schema.sql to PostgreSQL's types and syntax. Leaves out its triggers, because the writer ranks the
/// records of a transaction when it commits, and its foreign keys, which would lock rows that all writers share. An
/// index of SQLite ends with the row id without naming it. Here, indexes that are read in that order end with `id`.
std::string TranslateSchema(std::string_view sqlite_schema);

/// Makes the tables if there are none, in one transaction under an advisory lock, so that only one of several programs
/// that start at once makes them. Returns FailedPrecondition if the schema `mmtune` is of another program or the
/// database is not encoded in UTF8, OutOfRange for another version, and PermissionDenied if the role may not make the
/// tables.
absl::Status EnsureSchema(Database& database);

/// Returns NotFound if the database has no tuning log, and FailedPrecondition and OutOfRange as EnsureSchema() does.
absl::Status CheckSchema(Database& database);

}  // namespace mmtune
