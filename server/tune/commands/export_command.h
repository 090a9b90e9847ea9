// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records export`: writes records, for another log or for `tune replay`, or the best schedules in the format of
// another tuner.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Writes the records that pass the filters of `options`, as JSON lines. The options `landscape`, `kernel_tuner` and
/// `seeds` (records_source.h) select other formats.
absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
