// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job will measure on the device it got: the space and the strategy over it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "search/search_space.h"
#include "search/strategy.h"
#include "server/job_spec.h"

namespace mmtune {

struct JobPlan {
  std::unique_ptr<SearchSpace> space;  ///< Null when the job names its schedules.
  std::unique_ptr<Strategy> strategy;
  int64_t space_size = 0;  ///< 0: not counted.
};

/// `initial` are proposed before anything else: what the job had proposed before a restart. Counting a space may take
/// a while: not for the record writer's thread. InvalidArgument when nothing is valid on the device.
absl::StatusOr<JobPlan> MakeJobPlan(const JobSpec& spec, const DeviceInfo& device, std::vector<Schedule> initial);

}  // namespace mmtune
