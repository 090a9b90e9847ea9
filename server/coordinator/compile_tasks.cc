// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/compile_tasks.h"

#include <algorithm>
#include <utility>

namespace mmtune {

void CompileTasks::Ask(int64_t job_id, Schedule schedule) {
  CompileTask task;
  task.token = new_token_();
  task.job_id = job_id;
  task.schedule = std::move(schedule);
  task.asked = clock_.Now();
  jobs_[job_id].push_back(std::move(task));
}

std::vector<const CompileTask*> CompileTasks::Give(int64_t job_id, std::string_view worker, std::string_view request_id,
                                                   int most) {
  std::vector<const CompileTask*> given;
  const auto job = jobs_.find(job_id);
  if (job == jobs_.end()) return given;
  const TimePoint now = clock_.Now();
  for (CompileTask& task : job->second) {
    if (static_cast<int>(given.size()) >= most) break;
    const bool is_free = task.worker.empty() || (task.worker != worker && now - task.given >= kSilence);
    if (!is_free || task.given_to.size() == kMostTimes) continue;
    task.given_to.emplace_back(worker);
    task.worker = worker;
    task.request_id = request_id;
    task.given = now;
    given.push_back(&task);
  }
  return given;
}

std::vector<const CompileTask*> CompileTasks::Repeat(std::string_view worker, std::string_view request_id) const {
  std::vector<const CompileTask*> found;
  for (const auto& [id, tasks] : jobs_) {
    for (const CompileTask& task : tasks) {
      if (task.worker == worker && task.request_id == request_id) found.push_back(&task);
    }
  }
  return found;
}

int CompileTasks::HeldBy(std::string_view worker) const {
  int held = 0;
  for (const auto& [id, tasks] : jobs_) {
    for (const CompileTask& task : tasks) held += task.worker == worker;
  }
  return held;
}

CompileTask* CompileTasks::Find(std::string_view token, std::string_view worker) {
  for (auto& [id, tasks] : jobs_) {
    for (CompileTask& task : tasks) {
      if (task.token != token) continue;
      const bool had = std::find(task.given_to.begin(), task.given_to.end(), worker) != task.given_to.end();
      return had ? &task : nullptr;
    }
  }
  return nullptr;
}

CompileTask CompileTasks::Extract(const CompileTask& task) {
  Tasks& tasks = jobs_[task.job_id];
  const auto at = tasks.begin() + (&task - tasks.data());
  CompileTask extracted = std::move(*at);
  tasks.erase(at);
  return extracted;
}

std::optional<CompileTask> CompileTasks::Take(std::string_view token, std::string_view worker) {
  const CompileTask* const task = Find(token, worker);
  if (task == nullptr) return std::nullopt;
  return Extract(*task);
}

std::optional<CompileTask> CompileTasks::Return(std::string_view token, std::string_view worker) {
  CompileTask* const task = Find(token, worker);
  if (task == nullptr || task->worker != worker) return std::nullopt;  // another one is at it
  if (task->given_to.size() == kMostTimes) return Extract(*task);
  task->worker.clear();
  return std::nullopt;
}

void CompileTasks::ForgetWorker(std::string_view worker) {
  for (auto& [id, tasks] : jobs_) {
    for (CompileTask& task : tasks) {
      if (task.worker == worker) task.worker.clear();
    }
  }
}

std::vector<CompileTask> CompileTasks::Overdue() {
  std::vector<CompileTask> overdue;
  const TimePoint now = clock_.Now();
  for (auto& [id, tasks] : jobs_) {
    // They were asked for in their order.
    auto first = tasks.begin();
    for (; first != tasks.end() && now - first->asked >= kPatience; ++first) overdue.push_back(std::move(*first));
    tasks.erase(tasks.begin(), first);
  }
  return overdue;
}

std::optional<TimePoint> CompileTasks::NextDeadline() const {
  std::optional<TimePoint> next;
  for (const auto& [id, tasks] : jobs_) {
    if (tasks.empty()) continue;
    const TimePoint ends = tasks.front().asked + kPatience;
    if (!next || ends < *next) next = ends;
  }
  return next;
}

}  // namespace mmtune
