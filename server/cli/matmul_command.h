// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune matmul`: search a schedule for one problem, and show the best ones.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"
#include "server/cli/best_records.h"
#include "server/cli/console.h"
#include "server/cli/exit_code.h"
#include "server/cli/job_options.h"
#include "server/cli/job_run.h"

namespace mmtune {

struct MatmulOptions {
  JobOptions job;
  int64_t top = 10;
};

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console);

/// A tuning job run to its end, and what it found.
struct TuningResult {
  JobRunResult run;
  BestRecords best;
  size_t finalists = 0;       ///< Compared, or to be; 0: none.
  double finals_seconds = 0;  ///< What comparing them took.
  std::string log_text;
};

/// Opens a session for `spec` and runs it. When a coordinator that was joined goes away, goes on with the next one:
/// what was measured is in the log. Schedules that were not proven count where
/// `allow_unproven` or the job wants no proof. The `finalists` fastest (fewer than two: none) are then compared.
absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session, const v1::JobSpec& spec, int64_t finalists,
                                       bool quiet, const Console& console, bool allow_unproven = false);

/// The table, in lines of `width` characters (0: any), and what stands above and below it.
std::string TuningReport(const TuningResult& result, size_t top, size_t width = 0);
/// The same as one JSON object on one line.
std::string TuningReportJson(const TuningResult& result, size_t top);

}  // namespace mmtune
