// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/compile_queue.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

void CompileQueue::Enqueue(int64_t job_id, Schedule schedule) {
  CompileTask task;
  task.token = new_token_();
  task.job_id = job_id;
  task.schedule = std::move(schedule);
  task.asked = clock_.Now();
  jobs_[job_id].push_back(std::move(task));
}

std::vector<const CompileTask*> CompileQueue::Assign(int64_t job_id, std::string_view worker,
                                                     std::string_view request_id, int most) {
  std::vector<const CompileTask*> given;
  const auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return given;
  const TimePoint now = clock_.Now();
  for (CompileTask& task : job->second) {
    if (static_cast<int>(given.size()) >= most) break;
    const bool is_free = task.worker.empty() || (task.worker != worker && now - task.given >= kWorkerTimeout);
    if (!is_free || task.given_to.size() == kMaxAssignments) continue;
    task.given_to.emplace_back(worker);
    task.worker = worker;
    task.request_id = request_id;
    task.given = now;
    given.push_back(&task);
  }
  return given;
}

std::vector<const CompileTask*> CompileQueue::AssignedTo(std::string_view worker, std::string_view request_id) const {
  std::vector<const CompileTask*> found;
  for (const auto& [id, tasks] : jobs_) {
    for (const CompileTask& task : tasks) {
      if (task.worker == worker && task.request_id == request_id) found.push_back(&task);
    }
  }
  return found;
}

int CompileQueue::HeldBy(std::string_view worker) const {
  int held = 0;
  for (const auto& [id, tasks] : jobs_) {
    for (const CompileTask& task : tasks) held += task.worker == worker;
  }
  return held;
}

CompileTask* CompileQueue::Find(std::string_view token, std::string_view worker) {
  for (auto& [id, tasks] : jobs_) {
    for (CompileTask& task : tasks) {
      if (task.token != token) continue;
      const bool had = std::find(task.given_to.begin(), task.given_to.end(), worker) != task.given_to.end();
      return had ? &task : nullptr;
    }
  }
  return nullptr;
}

CompileTask CompileQueue::Extract(const CompileTask& task) {
  Tasks& tasks = jobs_[task.job_id];
  const auto at = tasks.begin() + (&task - tasks.data());
  CompileTask extracted = std::move(*at);
  tasks.erase(at);
  return extracted;
}

std::optional<CompileTask> CompileQueue::Complete(std::string_view token, std::string_view worker) {
  const CompileTask* const task = Find(token, worker);
  if (task == nullptr) return std::nullopt;
  return Extract(*task);
}

std::optional<CompileTask> CompileQueue::Return(std::string_view token, std::string_view worker) {
  CompileTask* const task = Find(token, worker);
  if (task == nullptr || task->worker != worker) return std::nullopt;  // another worker has it
  if (task->given_to.size() == kMaxAssignments) return Extract(*task);
  task->worker.clear();
  return std::nullopt;
}

void CompileQueue::ForgetWorker(std::string_view worker) {
  for (auto& [id, tasks] : jobs_) {
    for (CompileTask& task : tasks) {
      if (task.worker == worker) task.worker.clear();
    }
  }
}

std::vector<CompileTask> CompileQueue::TakeOverdue() {
  std::vector<CompileTask> overdue;
  const TimePoint now = clock_.Now();
  for (auto& [id, tasks] : jobs_) {
    auto first = tasks.begin();
    for (; first != tasks.end() && now - first->asked >= kTaskTimeout; ++first) overdue.push_back(std::move(*first));
    tasks.erase(tasks.begin(), first);
  }
  return overdue;
}

std::optional<TimePoint> CompileQueue::NextDeadline() const {
  std::optional<TimePoint> next;
  for (const auto& [id, tasks] : jobs_) {
    if (tasks.empty()) continue;
    const TimePoint ends = tasks.front().asked + kTaskTimeout;
    if (!next || ends < *next) next = ends;
  }
  return next;
}

namespace {

/// The largest valid number of bytes of shared or spilled memory of a kernel.
constexpr int64_t kMaxBytes = 1 << 24;
/// The smallest valid fraction of the peak. A search takes its logarithm.
constexpr double kMinPeakFraction = 1e-4;

absl::Status CheckPossible(const KernelResources& resources) {
  RETURN_IF_ERROR(resources.Validate());
  if (resources.registers <= kMaxThreadRegisters && resources.threads <= kMaxBlockThreads &&
      resources.shared_bytes <= kMaxBytes && resources.spill_bytes <= kMaxBytes) {
    return absl::OkStatus();
  }
  return InvalidArgument(absl::StrCat("no kernel can have ", resources.registers, " registers, ", resources.threads,
                                      " threads, ", resources.shared_bytes, " bytes of shared memory and ",
                                      resources.spill_bytes, " bytes spilled"));
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
      if (share != 0 && !(share >= kMinPeakFraction && share <= 1)) {
        return InvalidArgument(
            absl::StrCat("predicted_peak_fraction must be 0 (unknown) or in [", kMinPeakFraction, ", 1], got ", share));
      }
      compiled.code_digest = LogText(report.facts().code_digest());
      return compiled;
    }
    case v1::CompileReport::kCompileFailed:
      compiled.failure = LogText(report.compile_failed());
      if (compiled.failure.empty()) compiled.failure = "the worker did not say why compiling failed";
      return compiled;
    default:
      return InvalidArgument("the report of a compilation holds neither the facts of a kernel nor a failure");
  }
}

}  // namespace

void CompileDispatcher::Ask(ActiveJob& active) {
  for (Schedule& schedule : active.job.ToCompile()) queue_.Enqueue(active.job.id(), std::move(schedule));
}

std::vector<v1::CompileTask> CompileDispatcher::Assign(const RegisteredWorker& worker, const RegisteredDevice& device,
                                                       std::string_view request_id, int most) {
  most -= queue_.HeldBy(worker.id);
  if (most <= 0) return {};
  std::vector<const TuningJob*> served;
  for (const auto& [id, active] : jobs_.all()) {
    if (active.job.state() == JobState::kRunning && active.binding.Takes(worker, device)) served.push_back(&active.job);
  }
  std::stable_sort(served.begin(), served.end(), [](const TuningJob* a, const TuningJob* b) {
    return a->spec().policy.priority > b->spec().policy.priority;
  });
  std::vector<const CompileTask*> given;
  for (const TuningJob* job : served) {
    const int left = most - static_cast<int>(given.size());
    for (const CompileTask* task : queue_.Assign(job->id(), worker.id, request_id, left)) given.push_back(task);
  }
  return Messages(given);
}

std::vector<v1::CompileTask> CompileDispatcher::AssignedTo(std::string_view worker, std::string_view request_id) const {
  return Messages(queue_.AssignedTo(worker, request_id));
}

std::vector<v1::CompileTask> CompileDispatcher::Messages(const std::vector<const CompileTask*>& tasks) const {
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

ActiveJob* CompileDispatcher::HandleReport(std::string_view worker, const v1::CompileReport& report, bool believed) {
  absl::StatusOr<CompiledAhead> compiled;
  if (believed && !report.released()) {
    compiled = Parse(report);
    if (!compiled.ok()) {
      LogWarning("compile_report_invalid", {{"worker", worker}, {"error", ToStd(compiled.status().message())}});
    }
  }
  const std::optional<CompileTask> task =
      compiled.ok() ? queue_.Complete(report.token(), worker) : queue_.Return(report.token(), worker);
  if (!task) return nullptr;  // done by or left to another worker, or no longer needed
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

std::set<int64_t> CompileDispatcher::EndWaits() {
  std::set<int64_t> told;
  for (const CompileTask& task : queue_.TakeOverdue()) {
    TuningJob& job = jobs_.Find(task.job_id)->job;
    Log(LogLevel::kWarning, "not_compiled_in_time", job.Subject(),
        {{"schedule", task.schedule.Text()}, {"effect", "the search goes on without its registers and spills"}});
    job.TakeCompiled({task.schedule, CompiledFacts::End::kUnknown, {}});
    told.insert(task.job_id);
  }
  return told;
}

}  // namespace mmtune
