// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/tuning_log.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "db/log_file.h"
#include "db/log_lock.h"
#include "db/migration.h"
#include "db/sqlite/database.h"
#include "db/sqlite_log_reader.h"
#include "db/sqlite_tuning_log.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<TuningLog>> OpenTuningLog(const std::string& path, const TuningLogOptions& options,
                                                         std::string* owner_endpoint) {
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  absl::Status header = CheckLogHeader(resolved, LogMigrations());
  if (!header.ok() && !absl::IsNotFound(header)) return header;
  ASSIGN_OR_RETURN(LogLock lock, LogLock::Acquire(resolved, options.endpoint, owner_endpoint));
  absl::StatusOr<Database> database = OpenLogForWriting(resolved, LogMigrations());
  // When a new log could not be made (a full disk), no empty file stays behind: it would be taken for a lost log.
  std::error_code error;
  if (!database.ok() && absl::IsNotFound(header) && std::filesystem::file_size(resolved, error) == 0) {
    std::filesystem::remove(resolved, error);
  }
  RETURN_IF_ERROR(database.status());
  RETURN_IF_ERROR(lock.TellOpened(resolved, options.endpoint));
  // Enough for the indexes of some hundred thousand records, which an import does not bring in their order.
  if (options.bulk) RETURN_IF_ERROR(database->Execute("PRAGMA cache_size = -98304"));
  return std::make_unique<SqliteTuningLog>(path, std::move(lock), *std::move(database), options.bulk);
}

absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenTuningLogReadOnly(const std::string& path) {
  ASSIGN_OR_RETURN(std::string resolved, ResolveLogPath(path));
  RETURN_IF_ERROR(CheckLogHeader(resolved, LogMigrations()));
  ASSIGN_OR_RETURN(Database database, OpenLogForReading(resolved, LogMigrations()));
  return std::make_unique<SqliteLogReader>(std::move(database));
}

bool SpeaksForAll(const Measurement& measurement) {
  return measurement.outcome == Outcome::kOk && Proven(measurement.proof) &&
         measurement.conditions.health.finding.empty();
}

bool Settles(const Measurement& measurement) {
  const bool failed = measurement.outcome != Outcome::kOk && measurement.outcome != Outcome::kSuspect;
  return failed || SpeaksForAll(measurement);
}

}  // namespace mmtune
