// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records spec`: the best schedules of the log as a tuning spec.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

absl::StatusOr<ExitCode> RunRecordsSpec(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
