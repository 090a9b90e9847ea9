// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward-only migrations of the log's schema.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"

namespace mmtune {

/// The statements that turn version `version - 1` into `version`; version 0 is an empty database. They may call
/// sha256(text), which Database::Open adds.
struct Migration {
  int64_t version;
  std::string_view sql;
};

/// Every migration, from 1 up without gaps; generated from db/schema/*.sql.
std::span<const Migration> LogMigrations();

/// Before this version of the schema, a record stored as ok may break a rule of proto/types/validate.h.
inline constexpr int64_t kJudgedVersion = 9;

/// FailedPrecondition unless the database at `path` is a tuning log of a version that these migrations know.
absl::Status CheckLogIdentity(const std::string& path, int64_t application_id, int64_t version,
                              std::span<const Migration> migrations);

/// FailedPrecondition unless the database is empty (`allow_empty`) or a tuning log of a version these migrations know.
/// Returns its version; 0 when empty.
absl::StatusOr<int64_t> CheckLogVersion(Database& database, std::span<const Migration> migrations, bool allow_empty);

/// Copies a log. The copy appears under its name, which must be free, only when it is whole and durable.
absl::Status CopyLog(Database& database, const std::string& target);

/// Brings the database to the last version, one transaction per migration. A log that is not empty is first copied to
/// `<path>.v<version>.backup`, with its old version in the name. An error leaves the last version reached.
absl::Status MigrateLog(Database& database, std::span<const Migration> migrations);

}  // namespace mmtune
