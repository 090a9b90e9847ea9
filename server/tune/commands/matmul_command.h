// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: search a schedule for one problem, and show the best ones.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "server/tune/commands/job_options.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;
};

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

}  // namespace mmtune
