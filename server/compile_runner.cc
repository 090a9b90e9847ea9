// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/compile_runner.h"

#include <optional>
#include <utility>
#include <vector>

#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/storage_status.h"
#include "server/work_requests.h"

namespace mmtune {
namespace {

absl::StatusOr<CompiledAhead> Parse(const v1::CompileReport& report) {
  CompiledAhead compiled;
  switch (report.result_case()) {
    case v1::CompileReport::kFacts: {
      ASSIGN_OR_RETURN(compiled.resources, FromWire(report.facts().resources()));
      ASSIGN_OR_RETURN(compiled.phases, FromWire(report.facts().phases()));
      RETURN_IF_ERROR(compiled.resources.Validate());
      RETURN_IF_ERROR(compiled.phases.Validate());
      compiled.code_digest = LogText(report.facts().code_digest());
      return compiled;
    }
    case v1::CompileReport::kCompileFailed:
      compiled.failure = LogText(report.compile_failed());
      if (compiled.failure.empty()) compiled.failure = "the worker does not say why";
      return compiled;
    default:
      return InvalidArgument("the report holds no result");
  }
}

}  // namespace

absl::StatusOr<bool> CompileRunner::Ask(ActiveJob& active) {
  bool told = false;
  for (Schedule& schedule : active.job.ToCompile()) {
    ASSIGN_OR_RETURN(const bool known, TellFromLog(active, schedule));
    told |= known;
    if (!known) tasks_.Ask(active.job.id(), std::move(schedule));
  }
  return told;
}

absl::StatusOr<bool> CompileRunner::TellFromLog(ActiveJob& active, const Schedule& schedule) {
  const TuningJob& job = active.job;
  ASSIGN_OR_RETURN(const std::optional<TuningRecord> found,
                   FromStorage(log_.Find(job.spec().problem, schedule, job.target()->device, job.target()->toolchain,
                                         job.spec().measure.regime)));
  if (!found) return false;
  const bool failed = found->measurement.outcome == Outcome::kCompileFailed;
  if (!failed && found->measurement.resources.registers < 0) return false;
  using End = CompiledFacts::End;
  active.job.TakeCompiled({schedule, failed ? End::kFailed : End::kCompiled, found->measurement.resources});
  return true;
}

void CompileRunner::Take(ActiveJob& active, const CompileTask& task, std::string_view worker,
                         const v1::CompileReport& report) {
  absl::StatusOr<CompiledAhead> compiled = Parse(report);
  if (!compiled.ok()) {
    LogWarning("compiled_nonsense", {{"worker", worker}, {"error", ToStd(compiled.status().message())}});
    return GiveUp(active, task);
  }
  using End = CompiledFacts::End;
  active.job.TakeCompiled(
      {task.schedule, compiled->failure.empty() ? End::kCompiled : End::kFailed, compiled->resources});
  compiled->schedule = task.schedule;
  compiled->worker = worker;
  active.compiled_ahead[task.schedule.Digest()] = *std::move(compiled);
}

void CompileRunner::GiveUp(ActiveJob& active, const CompileTask& task) {
  active.job.TakeCompiled({task.schedule, CompiledFacts::End::kUnknown, {}});
}

}  // namespace mmtune
