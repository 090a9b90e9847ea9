// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What jobs' searches want compiled before they choose becomes tasks of workers, and what these tell is told them. What
// the log knows of a schedule is not: it is less, and a repeated job is to choose as the first one did.
//
// The rules of job_runner.h for calling hold here, too.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "mmtune/v1/work_queue.pb.h"
#include "server/coordinator/compile_tasks.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

class CompileRunner {
 public:
  /// All but the last must outlive it.
  CompileRunner(const Clock& clock, JobTable& jobs, TokenSource new_token)
      : jobs_(jobs), tasks_(clock, std::move(new_token)) {}

  /// Makes tasks of what the job's search wants compiled.
  void Ask(ActiveJob& active);

  /// Tasks of the jobs that may have something compiled by this device of the worker, of the highest priority first,
  /// the oldest of these: as many as bring it to `most`.
  std::vector<v1::CompileTask> Give(const RegisteredWorker& worker, const RegisteredDevice& device,
                                    std::string_view request_id, int most);
  /// Those that this request got before and has not done.
  std::vector<v1::CompileTask> Repeat(std::string_view worker, std::string_view request_id) const;
  /// A worker comes without the tasks that it was given.
  void ForgetWorker(std::string_view worker) { tasks_.ForgetWorker(worker); }

  /// What became of a task. What makes no sense, or is not `believed`, is for another worker. The job whose search has
  /// been told; null: none.
  ActiveJob* Take(std::string_view worker, const v1::CompileReport& report, bool believed);
  /// No search waits for ever: the jobs whose searches have been told that nobody compiles what they want.
  std::set<int64_t> EndWaits();
  /// When EndWaits() will next have something to do.
  std::optional<TimePoint> NextDeadline() const { return tasks_.NextDeadline(); }

  /// Its search is over.
  void DropJob(int64_t job_id) { tasks_.DropJob(job_id); }
  void Clear() { tasks_.Clear(); }

 private:
  std::vector<v1::CompileTask> Messages(const std::vector<const CompileTask*>& tasks) const;

  JobTable& jobs_;
  CompileTasks tasks_;
};

}  // namespace mmtune
