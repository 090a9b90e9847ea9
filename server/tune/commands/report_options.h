// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of `tune report`.
#pragma once

#include <CLI/CLI.hpp>

#include "server/tune/commands/report_command.h"

namespace mmtune {

/// Declares them; `options` outlives `command`.
void AddReportOptions(CLI::App& command, ReportOptions& options);

}  // namespace mmtune
