// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job measures on its device: the search space and the strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "search/space/search_space.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {

struct JobPlan {
  std::vector<std::unique_ptr<KernelFamily>> restricted;  ///< Of `space`, where the job searches parts of families.
  std::unique_ptr<SearchSpace> space;                     ///< Null when the job names its schedules.
  std::unique_ptr<Strategy> strategy;
  SpaceSize space_size;    ///< SearchSpace::Size(), or Count() where the strategy needs it; 0 without a space.
  size_t experiences = 0;  ///< Records of the log that the strategy has learnt from.
  std::string log_error;   ///< Why it could not learn from the log; empty where it could, or was not to.
};

struct JobPlanRequest {
  JobSpec spec;
  DeviceInfo device;
  Toolchain toolchain;
  std::vector<Schedule> initial;  ///< What the job had proposed before a restart: proposed before anything else.
  int lanes = 1;                  ///< So many devices measure for the job.
  int compile_lanes = 0;          ///< As StrategyOptions::compile_lanes.
  /// When the job was submitted, in Unix milliseconds: it learns from what is older, so that it learns the same again
  /// after a restart.
  int64_t created_unix_millis = 0;
  ReaderFactory open_log;  ///< Empty: there is nothing to learn from.
};

/// Counting a space and learning from the log may take a while: do not call it on the record writer's thread. A log
/// that cannot be read is no error. InvalidArgument when nothing is valid on the device, or a part of its peak is to
/// end the search and nobody knows it.
absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request);

}  // namespace mmtune
