// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/matmul_command.h"

#include <utility>

#include "proto/base/status.h"
#include "server/cli/finals.h"
#include "server/cli/interrupt.h"
#include "server/cli/missed_records.h"
#include "server/job_spec.h"

namespace mmtune {
namespace {

// How often a lost coordinator is replaced before the loss is an error.
constexpr int kTakeovers = 10;

}  // namespace

absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session_options, const v1::JobSpec& spec,
                                       int64_t finalists, bool quiet, const Console& console, bool allow_unproven) {
  TuningResult result;
  result.best = BestRecords(allow_unproven || !WantsProofs(spec));
  for (int attempt = 0;; ++attempt) {
    ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Open(session_options));
    JobRunOptions options;
    options.spec = spec;
    options.quiet = quiet;
    options.on_record = [&result](const TuningRecord& record) { result.best.Add(record); };
    auto run = RunJob(*session, options, console);
    const bool lost = run.ok() ? run->coordinator_gone : absl::IsUnavailable(run.status());
    if (session->joined() && lost && !InterruptGuard::Requested() && attempt < kTakeovers) {
      if (!quiet) console.err << "the coordinator joined was lost: going on with the log" << std::endl;
      continue;
    }
    if (!run.ok()) return run.status();
    result.run = *std::move(run);
    if (!lost) AddMissedRecords(session->client(), result.run, result.best);
    result.log_text = session->log_text();
    if (finalists > 1 && !lost && result.run.status.ok() && !result.run.interrupted) {
      RunFinals(*session, spec, static_cast<size_t>(finalists), quiet, console, result);
    }
    return result;
  }
}

absl::StatusOr<ExitCode> RunMatmulCommand(const MatmulOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(options.job));
  ASSIGN_OR_RETURN(SessionOptions session, MakeSessionOptions(options.job));
  if (options.top < 1) return InvalidArgument("--top must be 1 or more");
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
