// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records spec`: the best schedules of the log as a tuning spec.
#pragma once

#include "absl/status/statusor.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/records_source.h"

namespace mmtune {

absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
