// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records spec` and `tune records export`: write what a log has for other programs. A tuning spec has the best
// schedules, as a JSON file from which the compiler chooses the schedule of each matmul, by its problem and device
// (tuning_spec.h). An export has records, for another log or for `tune replay`, or the best schedules in the format of
// another tuner.
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

/// Returns an entry for each problem and class of devices: the schedule that ranks first, and the time by which it
/// ranks. Times with warm caches are preferred: those with cold caches are used only for a problem and class that has
/// no others. A non-empty `arch` selects entries for that architecture. Errors have exit code kLog.
absl::StatusOr<LogSpec> SpecOfLog(TuningLogReader& log, const RecordFilter& filter, const std::string& arch);

/// Runs `tune records spec`.
absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console);

/// Writes the records that pass the filters of `options`, as JSON lines. The options `landscape`, `kernel_tuner` and
/// `seeds` (records_source.h) select other formats.
absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
