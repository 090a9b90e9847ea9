// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records export`: writes records for another log, for `tune replay`, or the best schedules for another tuner.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Writes the records that pass the options' filters as JSON lines, or as `landscape`, `kernel_tuner` or `seeds` say.
absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
