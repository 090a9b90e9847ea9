// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune records list`, `best` and `show`: reading the tuning log.
#pragma once

#include "absl/status/statusor.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

absl::StatusOr<ExitCode> RunRecordsList(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsBest(const RecordsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunRecordsShow(const RecordsOptions& options, const Console& console);

}  // namespace mmtune
