// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a step of a launch plan, for tests that have the plan's buffers at addresses of their own.
//
//   DevicePtr buffers[kPlanBufferCount] = {a, b, c};
//   absl::Status launched = LaunchStep(*device, **module, plan.steps[0], buffers);
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device/device.h"
#include "proto/base/status.h"

namespace mmtune {

/// Launches a step of the kind kLaunch; buffers[i] is the address of the PlanBuffer i.
inline absl::Status LaunchStep(Device& device, DeviceModule& module, const PlanStep& step, const DevicePtr* buffers) {
  ASSIGN_OR_RETURN(DeviceKernel * kernel, module.GetKernel(step.kernel));
  std::vector<LaunchArgument> values;
  for (const PlanArgument& argument : step.arguments) {
    ASSIGN_OR_RETURN(LaunchArgument value,
                     MakeLaunchArgument(device, argument, buffers[static_cast<size_t>(argument.buffer)]));
    values.push_back(value);
  }
  std::vector<void*> arguments;
  for (LaunchArgument& value : values) arguments.push_back(&value);
  return device.Launch(kernel, ShapeOf(step), arguments.data());
}

}  // namespace mmtune
