// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: searches a schedule for one problem, and prints the best ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/tune/commands/options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {

/// Returns the table of best schedules, and the lines around it.
std::string TuningReport(const TuningResult& result, size_t top, const TableStyle& style = {});
/// Returns the same as one JSON object on one line.
std::string TuningReportJson(const TuningResult& result, size_t top);

/// Returns the line that says what to do with the result of a device of this kind: a report, a compiled model, an
/// explanation.
std::string NextStepsLine(const JobOptions& options, std::string_view device_kind, size_t width);

struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;
  bool csv = false;  ///< Prints the records of the table, as `tune records best --csv` does.
};

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

}  // namespace mmtune
