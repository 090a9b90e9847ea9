// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/compile_runner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/work_requests.h"

namespace mmtune {
namespace {

absl::StatusOr<CompiledAhead> Parse(const v1::CompileReport& report) {
  CompiledAhead compiled;
  switch (report.result_case()) {
    case v1::CompileReport::kFacts: {
      ASSIGN_OR_RETURN(compiled.code.resources, FromWire(report.facts().resources()));
      ASSIGN_OR_RETURN(compiled.phases, FromWire(report.facts().phases()));
      RETURN_IF_ERROR(compiled.code.resources.Validate());
      RETURN_IF_ERROR(compiled.phases.Validate());
      compiled.code.modelled_share = report.facts().modelled_share();
      if (!(compiled.code.modelled_share >= 0 && compiled.code.modelled_share <= 1)) {
        return InvalidArgument(absl::StrCat("modelled_share is ", compiled.code.modelled_share, ", no share"));
      }
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

void CompileRunner::Ask(ActiveJob& active) {
  for (Schedule& schedule : active.job.ToCompile()) tasks_.Ask(active.job.id(), std::move(schedule));
}

void CompileRunner::Take(ActiveJob& active, const CompileTask& task, std::string_view worker,
                         const v1::CompileReport& report) {
  absl::StatusOr<CompiledAhead> compiled = Parse(report);
  if (!compiled.ok()) {
    LogWarning("compiled_nonsense", {{"worker", worker}, {"error", ToStd(compiled.status().message())}});
    return GiveUp(active, task);
  }
  using End = CompiledFacts::End;
  active.job.TakeCompiled({task.schedule, compiled->failure.empty() ? End::kCompiled : End::kFailed, compiled->code});
  compiled->schedule = task.schedule;
  compiled->worker = worker;
  active.compiled_ahead[task.schedule.Digest()] = *std::move(compiled);
}

void CompileRunner::GiveUp(ActiveJob& active, const CompileTask& task) {
  active.job.TakeCompiled({task.schedule, CompiledFacts::End::kUnknown, {}});
}

}  // namespace mmtune
