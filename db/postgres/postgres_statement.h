// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement of a PostgreSQL connection (db/engine.h). Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "db/engine.h"

namespace mmtune {

class PostgresConnection;

/// Translates a statement that was written for SQLite: ?1 becomes $1, and hints for SQLite's planner are dropped.
std::string TranslateSql(std::string_view sql);

/// Returns a new statement, which the caller owns. It is prepared when it first runs in a session. A statement of kind
/// kLong reads its rows through a cursor. `connection` must outlive it.
EngineStatement* NewPostgresStatement(PostgresConnection* connection, std::string_view sql, StatementKind kind);

}  // namespace mmtune
