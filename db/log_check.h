// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A look at every record of a log, and the mending of what is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

struct LogCheck {
  int64_t records = 0;   ///< Looked at.
  int64_t damaged = 0;   ///< Of these, each of which was told, and of other rows.
  int64_t restored = 0;  ///< Of the damaged, after a repair: by what stands elsewhere in the log, or by their digest.
  int64_t removed = 0;   ///< The others, after a repair.
  /// A line for each damaged row that is no record: of what records share, a job, a candidate, an attempt.
  std::vector<std::string> rows;
  int64_t set_aside = 0;  ///< Records that a repair removed, because the problem, device or toolchain is lost.
  std::string backup;     ///< The log as it was, with what was removed; empty where nothing was changed.
};

/// Reads every record, non-canonical ones too, and compares it with its digests, and every other row. Works beside a
/// writer. FailedPrecondition: the file itself is corrupt. NotFound: there is none.
absl::StatusOr<LogCheck> CheckTuningLog(const std::string& path, const DamageHandler& damaged);

/// CheckTuningLog, and then, where something is damaged: copies the log to `<path>.before-repair.backup`
/// (FailedPrecondition when there is one), restores what it can and removes the rest, all or nothing. Unavailable: the
/// log is in use.
absl::StatusOr<LogCheck> RepairTuningLog(const std::string& path, const DamageHandler& damaged);

}  // namespace mmtune
