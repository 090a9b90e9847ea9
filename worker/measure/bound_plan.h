// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch plan with its kernels and buffers found: what is run again and again.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"

namespace mmtune {

struct PlanMemory {
  DevicePtr address = 0;
  size_t bytes = 0;
};

/// Indexed by PlanBuffer.
struct PlanMemories {
  PlanMemory buffers[kPlanBufferCount];
  const PlanMemory& operator[](PlanBuffer buffer) const { return buffers[static_cast<int>(buffer)]; }
  PlanMemory& operator[](PlanBuffer buffer) { return buffers[static_cast<int>(buffer)]; }
};

/// The device, the module and the memories must outlive it. Not thread-safe.
class BoundPlan {
 public:
  /// NotFound when the module lacks a kernel; InvalidArgument when the plan has no launch, or a kernel takes a buffer
  /// for which there is no memory.
  static absl::StatusOr<BoundPlan> Bind(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                        const PlanMemories& memories);
  /// Enqueues every step once.
  absl::Status Enqueue(StreamHandle stream);

 private:
  struct Step {
    DeviceKernel* kernel = nullptr;  // nullptr: zero `memory`
    PlanMemory memory;
    LaunchShape shape;
    std::vector<DevicePtr> addresses;
  };
  explicit BoundPlan(Device* device) : device_(device) {}

  Device* device_;
  std::vector<Step> steps_;
  std::vector<void*> arguments_;  // of the launch being made
};

}  // namespace mmtune
