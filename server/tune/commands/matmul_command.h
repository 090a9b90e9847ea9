// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: searches for the fastest schedules of one problem, and prints them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "server/tune/commands/options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {

/// Returns the text that the command prints: lines about the job, and the table of the `top` best schedules.
std::string TuningReport(const TuningResult& result, size_t top, const TableStyle& style = {});
/// Returns the contents of TuningReport() as one JSON object on one line.
std::string TuningReportJson(const TuningResult& result, size_t top);

/// Returns the line that names commands that can follow: "tune report --log tuning.db -o report.html, or tune explain,
/// compile". The first is ready to be copied; the others need further arguments. `width` is the most characters of a
/// line; 0: no limit.
std::string NextStepText(const JobOptions& options, size_t width);

/// The options of `tune matmul`.
struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;  ///< The largest number of rows of the table.
};

/// Tunes, and prints the result. Returns kNoResult if no schedule was measured, kInterrupted after Ctrl-C. Errors have
/// exit codes (console.h).
absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

}  // namespace mmtune
