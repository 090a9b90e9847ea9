// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a tuning log in a SQLite file for damage (flipped bits, edits by hand) and repairs it: `tune records check`.
// Every row is compared with the digests that are stored beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

/// The result of a check, or of a repair.
struct LogCheck {
  int64_t records = 0;  ///< The number of records that were checked.
  /// The number of damaged records, which are passed to the DamageHandler, and of other damaged rows.
  int64_t damaged = 0;
  /// The number of damaged rows that a repair restored, from a copy elsewhere in the log, or by changing one byte such
  /// that the digest matches again.
  int64_t restored = 0;
  int64_t removed = 0;  ///< The number of damaged rows that a repair removed.
  /// One line for each damaged row that is not a record, but a problem, device, toolchain, job, candidate or attempt.
  std::vector<std::string> rows;
  /// The number of undamaged records that a repair removed, because their problem, device or toolchain is lost. They
  /// are only in the backup then.
  int64_t set_aside = 0;
  std::string backup;  ///< The path of a copy of the log from before the repair; empty if nothing was changed.
};

/// Checks every record, also those that are not canonical (kept, but never ranked; tuning_log.h), and every other row.
/// Calls `damaged` for each damaged record. Another process may write at the same time. Returns FailedPrecondition if
/// the file itself is corrupt, and NotFound if there is none.
absl::StatusOr<LogCheck> CheckTuningLog(const std::string& path, const DamageHandler& damaged);

/// Checks the log like CheckTuningLog(). If something is damaged, copies the log to `<path>.before-repair.backup`, then
/// restores what it can and removes the rest, all or nothing. Returns FailedPrecondition if a file with the name of
/// that copy exists already, and Unavailable if the log is in use.
absl::StatusOr<LogCheck> RepairTuningLog(const std::string& path, const DamageHandler& damaged);

}  // namespace mmtune
