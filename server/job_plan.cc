// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/job_plan.h"

#include <utility>

#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<JobPlan> MakeJobPlan(const JobSpec& spec, const DeviceInfo& device, std::vector<Schedule> initial,
                                    int lanes) {
  JobPlan plan;
  if (!spec.schedules.empty()) {
    plan.strategy = CreateListStrategy(spec.schedules);
    return plan;
  }
  ASSIGN_OR_RETURN(plan.space, SearchSpace::Create(spec.problem, device, spec.families));
  plan.space_size = plan.space->Count();
  if (plan.space_size == 0) return InvalidArgument("no schedule of the families asked for is valid on this device");
  StrategyOptions options;
  options.seed = spec.seed;
  options.initial = std::move(initial);
  options.lanes = lanes;
  ASSIGN_OR_RETURN(plan.strategy, CreateStrategy(spec.strategy, *plan.space, options));
  return plan;
}

}  // namespace mmtune
