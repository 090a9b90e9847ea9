// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune report`: what a log says, as one page for a browser.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/records_source.h"

namespace mmtune {

struct ReportOptions {
  RecordsOptions records;  ///< Which records, where the page goes ("-" is standard output), and whether it may replace.
  std::string against;     ///< Another log to compare with; empty: none.
};

absl::StatusOr<ExitCode> RunReportCommand(const ReportOptions& options, const Console& console);

}  // namespace mmtune
