// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/bound_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<BoundPlan> BoundPlan::Bind(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                          const PlanMemories& memories) {
  BoundPlan bound(device);
  bool launches = false;
  for (const PlanStep& step : plan.steps) {
    Step& made = bound.steps_.emplace_back();
    if (step.kind == PlanStep::Kind::kMemset) {
      made.memory = memories[step.buffer];
      continue;
    }
    launches = true;
    ASSIGN_OR_RETURN(made.kernel, module->GetKernel(step.kernel));
    std::copy_n(step.grid, 3, made.shape.grid);
    std::copy_n(step.block, 3, made.shape.block);
    made.shape.dynamic_shared_bytes = step.dynamic_shared_bytes;
    for (PlanBuffer argument : step.arguments) {
      made.addresses.push_back(memories[argument].address);
      if (made.addresses.back() == 0) {
        return InvalidArgument(
            absl::StrCat("kernel '", step.kernel, "' takes an operand that the problem does not have"));
      }
    }
  }
  if (!launches) return InvalidArgument("the launch plan launches nothing");
  return bound;
}

absl::Status BoundPlan::Enqueue(StreamHandle stream) {
  for (Step& step : steps_) {
    if (step.kernel == nullptr) {
      RETURN_IF_ERROR(device_->Fill32(step.memory.address, 0, step.memory.bytes / 4, stream));
      continue;
    }
    arguments_.clear();
    for (DevicePtr& address : step.addresses) arguments_.push_back(&address);
    RETURN_IF_ERROR(device_->Launch(step.kernel, step.shape, arguments_.data(), stream));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
