// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job measures on its device: the search space and the strategy.
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

/// `initial`, what the job had proposed before a restart, is proposed before anything else; `lanes` devices measure for
/// the job. Counting a space may take a
/// while: do not call it on the record writer's thread. InvalidArgument when nothing is valid on the device.
absl::StatusOr<JobPlan> MakeJobPlan(const JobSpec& spec, const DeviceInfo& device, std::vector<Schedule> initial,
                                    int lanes);

}  // namespace mmtune
