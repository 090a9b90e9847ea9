// A look at every record of a log, and the mending of what is damaged.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

struct LogCheck {
  int64_t records = 0;   ///< Looked at.
  int64_t damaged = 0;   ///< Of these; each was told.
  int64_t restored = 0;  ///< Of the damaged, after a repair: their schedules stood elsewhere in the log, too.
  int64_t removed = 0;   ///< The others, after a repair.
  std::string backup;    ///< The log as it was; empty where nothing was changed.
};

/// Reads every record, non-canonical ones too, and compares it with its digests. Works beside a writer.
/// FailedPrecondition: the file itself is corrupt, or a row that records share (a
/// problem, a device, a toolchain), which is named with the number of its records. NotFound: there is none.
absl::StatusOr<LogCheck> CheckTuningLog(const std::string& path, const DamageHandler& damaged);

/// CheckTuningLog, and then, where something is damaged: copies the log to `<path>.before-repair.backup`
/// (FailedPrecondition when there is one), restores what it can and removes the rest, all or nothing. Unavailable: the
/// log is in use.
absl::StatusOr<LogCheck> RepairTuningLog(const std::string& path, const DamageHandler& damaged);

}  // namespace mmtune
