// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/matmul_command.h"

#include "proto/base/status.h"
#include "server/tune/commands/tuning_report.h"
#include "server/tune/session/interrupt.h"

namespace mmtune {

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(options.job));
  ASSIGN_OR_RETURN(SessionOptions session, MakeSessionOptions(options.job));
  InterruptGuard interrupt;
  ASSIGN_OR_RETURN(TuningResult result, RunTuning(session, spec, FinalistsOf(options.job), options.job.quiet, console,
                                                  options.job.allow_unproven));
  const bool measured = result.run.job.progress().done() > 0;
  const auto top = static_cast<size_t>(options.top);
  if (options.job.json) {
    console.out << TuningReportJson(result, top) << std::endl;
  } else if (measured || result.run.status.ok()) {
    console.out << TuningReport(result, top, console.out_width) << std::flush;
  }
  if (result.run.interrupted) return ExitCode::kInterrupted;
  RETURN_IF_ERROR(result.run.status);
  return result.best.size() > 0 ? ExitCode::kOk : ExitCode::kNoResult;
}

}  // namespace mmtune
