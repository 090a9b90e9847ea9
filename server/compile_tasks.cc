// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/compile_tasks.h"

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
    if (!is_free || task.times_given == kMostTimes) continue;
    task.worker = worker;
    task.request_id = request_id;
    task.given = now;
    ++task.times_given;
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

CompileTask* CompileTasks::Find(std::string_view token) {
  for (auto& [id, tasks] : jobs_) {
    for (CompileTask& task : tasks) {
      if (task.token == token) return &task;
    }
  }
  return nullptr;
}

std::optional<CompileTask> CompileTasks::Take(std::string_view token) {
  CompileTask* const found = Find(token);
  if (found == nullptr) return std::nullopt;
  CompileTask task = std::move(*found);
  Tasks& tasks = jobs_[task.job_id];
  tasks.erase(tasks.begin() + (found - tasks.data()));
  return task;
}

bool CompileTasks::Return(std::string_view token) {
  CompileTask* const task = Find(token);
  if (task == nullptr || task->times_given == kMostTimes) return false;
  task->worker.clear();
  return true;
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
