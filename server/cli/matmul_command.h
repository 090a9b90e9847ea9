// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: search a schedule for one problem, and show the best ones.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/job_options.h"

namespace mmtune {

struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;
};

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

}  // namespace mmtune
