// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/compile_runner.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

/// More than this no kernel has, shared or spilled.
constexpr int64_t kMostBytes = 1 << 24;
/// Nor a smaller share of peak than this: a search takes the logarithm.
constexpr double kLeastShare = 1e-4;

absl::Status CheckPossible(const KernelResources& real) {
  RETURN_IF_ERROR(real.Validate());
  if (real.registers <= kMaxThreadRegisters && real.threads <= kMaxBlockThreads && real.shared_bytes <= kMostBytes &&
      real.spill_bytes <= kMostBytes) {
    return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat("no kernel has ", real.registers, " registers, ", real.threads, " threads, ",
                                      real.shared_bytes, " bytes of shared memory and ", real.spill_bytes,
                                      " bytes spilled"));
}

absl::StatusOr<CompiledAhead> Parse(const v1::CompileReport& report) {
  CompiledAhead compiled;
  switch (report.result_case()) {
    case v1::CompileReport::kFacts: {
      ASSIGN_OR_RETURN(compiled.code.resources, FromWire(report.facts().resources()));
      ASSIGN_OR_RETURN(compiled.phases, FromWire(report.facts().phases()));
      RETURN_IF_ERROR(CheckPossible(compiled.code.resources));
      RETURN_IF_ERROR(compiled.phases.Validate());
      const double share = compiled.code.predicted_peak_fraction = report.facts().predicted_peak_fraction();
      if (share != 0 && !(share >= kLeastShare && share <= 1)) {
        return InvalidArgument(absl::StrCat("predicted_peak_fraction must be 0 (unknown) or in (0, 1], got ", share));
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

std::vector<v1::CompileTask> CompileRunner::Give(const RegisteredWorker& worker, const RegisteredDevice& device,
                                                 std::string_view request_id, int most) {
  most -= tasks_.HeldBy(worker.id);
  if (most <= 0) return {};
  std::vector<const TuningJob*> served;
  for (const auto& [id, active] : jobs_.all()) {
    if (active.job.state() == JobState::kRunning && active.binding.Takes(worker, device)) served.push_back(&active.job);
  }
  std::stable_sort(served.begin(), served.end(), [](const TuningJob* a, const TuningJob* b) {
    return a->spec().manners.priority > b->spec().manners.priority;
  });
  std::vector<const CompileTask*> given;
  for (const TuningJob* job : served) {
    const int left = most - static_cast<int>(given.size());
    for (const CompileTask* task : tasks_.Give(job->id(), worker.id, request_id, left)) given.push_back(task);
  }
  return Messages(given);
}

std::vector<v1::CompileTask> CompileRunner::Repeat(std::string_view worker, std::string_view request_id) const {
  return Messages(tasks_.Repeat(worker, request_id));
}

std::vector<v1::CompileTask> CompileRunner::Messages(const std::vector<const CompileTask*>& tasks) const {
  std::vector<v1::CompileTask> messages;
  for (const CompileTask* task : tasks) {
    const TuningJob& job = jobs_.Find(task->job_id)->job;
    v1::CompileTask& message = messages.emplace_back();
    message.set_token(task->token);
    message.set_job_uuid(job.uuid());
    message.set_trace_id(job.trace_id());
    *message.mutable_problem() = ToWire(job.spec().problem);
    *message.mutable_schedule() = ToWire(task->schedule);
    message.set_arch(job.target()->device.arch);
  }
  return messages;
}

ActiveJob* CompileRunner::Take(std::string_view worker, const v1::CompileReport& report, bool believed) {
  absl::StatusOr<CompiledAhead> compiled;
  if (believed && !report.released()) {
    compiled = Parse(report);
    if (!compiled.ok()) {
      LogWarning("compiled_nonsense", {{"worker", worker}, {"error", ToStd(compiled.status().message())}});
    }
  }
  const std::optional<CompileTask> task =
      compiled.ok() ? tasks_.Take(report.token(), worker) : tasks_.Return(report.token(), worker);
  if (!task) return nullptr;  // another worker was faster, or may do it; or the search did without
  ActiveJob& active = *jobs_.Find(task->job_id);
  CompiledFacts facts{task->schedule, CompiledFacts::End::kUnknown, {}};
  if (compiled.ok()) {
    using End = CompiledFacts::End;
    facts.end = compiled->failure.empty() ? End::kCompiled : End::kFailed;
    facts.code = compiled->code;
    compiled->schedule = task->schedule;
    compiled->worker = worker;
    active.compiled_ahead[task->schedule.Digest()] = *std::move(compiled);
  }
  active.job.TakeCompiled(facts);
  return &active;
}

std::set<int64_t> CompileRunner::EndWaits() {
  std::set<int64_t> told;
  for (const CompileTask& task : tasks_.Overdue()) {
    TuningJob& job = jobs_.Find(task.job_id)->job;
    Log(LogLevel::kWarning, "not_compiled_in_time", job.Subject(), {{"schedule", task.schedule.Text()}});
    job.TakeCompiled({task.schedule, CompiledFacts::End::kUnknown, {}});
    told.insert(task.job_id);
  }
  return told;
}

}  // namespace mmtune
