// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement of a PostgreSQL connection (db/engine.h). Not thread-safe, as its connection.
#pragma once

#include <string>
#include <string_view>

#include "db/engine.h"

namespace mmtune {

class PostgresConnection;

/// Returns the text of a statement that was written for SQLite: ?1 becomes $1, hints for SQLite's planner are dropped.
std::string TranslateSql(std::string_view sql);

/// Returns a statement, which the caller owns. It is prepared when it first runs in a session; a kLong one is read
/// through a cursor. `connection` must live longer.
EngineStatement* NewPostgresStatement(PostgresConnection* connection, std::string_view sql, StatementKind kind);

}  // namespace mmtune
