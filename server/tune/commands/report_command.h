// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune report`: what a log says, as one page for a browser, or one plot of it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct ReportOptions {
  RecordsOptions records;  ///< Which records, where the page goes ("-" is standard output), and whether it may replace.
  std::string against;     ///< Another log to compare with; empty: none.
  /// A single plot instead of the page: its name (report_plots.h), "" is the first; as a drawing, or as a table.
  std::string plot;
  bool svg = false;
  bool csv = false;
};

absl::StatusOr<ExitCode> RunReportCommand(const ReportOptions& options, const Console& console);

}  // namespace mmtune
