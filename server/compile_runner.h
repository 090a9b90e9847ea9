// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job's search wants compiled before it chooses: told from the log, or given to workers as tasks.
//
// The rules of job_runner.h for calling hold here, too.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/work_queue.pb.h"
#include "server/compile_tasks.h"
#include "server/job_table.h"

namespace mmtune {

class CompileRunner {
 public:
  /// Both must outlive it.
  CompileRunner(TuningLog& log, CompileTasks& tasks) : log_(log), tasks_(tasks) {}

  /// Makes tasks of what the job's search wants compiled. What the log has a record of, it is told of at once: whether
  /// it was told anything.
  absl::StatusOr<bool> Ask(ActiveJob& active);
  /// A worker has done the task. What makes no sense tells nothing.
  static void Take(ActiveJob& active, const CompileTask& task, std::string_view worker,
                   const v1::CompileReport& report);
  /// Nobody will.
  static void GiveUp(ActiveJob& active, const CompileTask& task);

 private:
  absl::StatusOr<bool> TellFromLog(ActiveJob& active, const Schedule& schedule);

  TuningLog& log_;
  CompileTasks& tasks_;
};

}  // namespace mmtune
