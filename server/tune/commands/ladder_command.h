// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune ladder`: the teaching ladder of schedules, measured side by side.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/job_options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

/// The rungs of LadderSchedules and, as the last one, the best schedule of the log; when the log has none, it is tuned
/// first with the options' limits.
absl::StatusOr<ExitCode> RunLadderCommand(const JobOptions& options, const Console& console);

}  // namespace mmtune
