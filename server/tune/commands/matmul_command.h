// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: searches for the fastest schedules of one problem, and prints them.
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

/// Returns the table of the `top` best schedules, and the lines around it.
std::string TuningReport(const TuningResult& result, size_t top, const TableStyle& style = {});
/// Returns the contents of TuningReport() as one JSON object on one line.
std::string TuningReportJson(const TuningResult& result, size_t top);

/// Returns a line with the commands that can follow, depending on the kind of device: for a report, a compiled model or
/// an explanation.
std::string NextStepsLine(const JobOptions& options, std::string_view device_kind, size_t width);

struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;
  bool csv = false;  ///< Prints the records of the table, as `tune records best --csv` does.
};

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

}  // namespace mmtune
