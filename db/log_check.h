// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every row of a log against the digests and columns beside it, and repairs what is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

/// The result of a check, or of a repair.
struct LogCheck {
  int64_t records = 0;   ///< Records checked.
  int64_t damaged = 0;   ///< Damaged records, each of which was reported, and other damaged rows.
  int64_t restored = 0;  ///< Those that a repair restored, from a copy elsewhere in the log or by their digest.
  int64_t removed = 0;   ///< Those that a repair removed; without `set_aside`.
  /// A line for each other damaged row: a problem, device or toolchain, a job, a candidate, an attempt.
  std::vector<std::string> rows;
  int64_t set_aside = 0;  ///< Whole records that a repair removed, too, as their problem, device or toolchain is lost.
  std::string backup;     ///< A copy of the log as it was; empty where nothing was changed.
};

/// Reads every record, non-canonical ones too, and every other row, and compares them with their digests. Works beside
/// a writer. FailedPrecondition: the file itself is corrupt. NotFound: there is no file.
absl::StatusOr<LogCheck> CheckTuningLog(const std::string& path, const DamageHandler& damaged);

/// Checks the log, and where something is damaged: copies the log to `<path>.before-repair.backup`
/// (FailedPrecondition when there is one), restores what it can and removes the rest, all or nothing. Unavailable: the
/// log is in use.
absl::StatusOr<LogCheck> RepairTuningLog(const std::string& path, const DamageHandler& damaged);

}  // namespace mmtune
