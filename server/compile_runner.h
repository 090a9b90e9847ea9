// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job's search wants compiled before it chooses becomes tasks of workers, and what these tell is told it. What
// the log knows of a schedule is not: it has less, and a repeated job is to choose as the first one did.
//
// The rules of job_runner.h for calling hold here, too.
#pragma once

#include <string_view>

#include "mmtune/v1/work_queue.pb.h"
#include "server/compile_tasks.h"
#include "server/job_table.h"

namespace mmtune {

class CompileRunner {
 public:
  /// `tasks` must outlive it.
  explicit CompileRunner(CompileTasks& tasks) : tasks_(tasks) {}

  /// Makes tasks of what the job's search wants compiled.
  void Ask(ActiveJob& active);
  /// A worker has done the task. What makes no sense tells nothing.
  static void Take(ActiveJob& active, const CompileTask& task, std::string_view worker,
                   const v1::CompileReport& report);
  /// Nobody will.
  static void GiveUp(ActiveJob& active, const CompileTask& task);

 private:
  CompileTasks& tasks_;
};

}  // namespace mmtune
