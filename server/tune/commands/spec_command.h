// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records spec`: the best schedules of a log as a tuning spec.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// The tuning spec of a log.
struct LogSpec {
  TuningSpec spec;
  size_t slower = 0;  ///< The number of entries for which another toolchain measured something faster.
};

/// Returns the first schedule of the ranking of each problem and class of devices, warm before cold, with the time by
/// which it is ranked; only those for architecture `arch` unless it is empty. Errors have exit code kLog.
absl::StatusOr<LogSpec> SpecOfLog(TuningLogReader& log, const RecordFilter& filter, const std::string& arch);

/// Runs `tune records spec`.
absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
