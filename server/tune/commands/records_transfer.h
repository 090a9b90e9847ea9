// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records export`, `import` and `check`: moving records in and out of the log, and mending it.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

absl::StatusOr<ExitCode> RunRecordsExport(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsImport(const RecordsOptions& options, const Console& console);
/// Names every damaged record; ends with kLog where one stays damaged.
absl::StatusOr<ExitCode> RunRecordsCheck(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
