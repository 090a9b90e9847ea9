// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device buffers of a kernel (A, B, C, bias, addend, workspace), each between red zones filled with a pattern, so
// that a write out of bounds is found. This file also binds a launch plan, the list of a schedule's launches, to such
// buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device/device.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The memory of one buffer.
struct PlanMemory {
  DevicePtr address = 0;
  size_t bytes = 0;
};

/// The memory of each buffer of a launch plan.
struct PlanMemories {
  PlanMemory buffers[kPlanBufferCount];
  const PlanMemory& operator[](PlanBuffer buffer) const { return buffers[static_cast<int>(buffer)]; }
  PlanMemory& operator[](PlanBuffer buffer) { return buffers[static_cast<int>(buffer)]; }
};

/// Enqueues one run of a schedule on a stream. Not thread-safe.
using EnqueueRun = std::function<absl::Status(StreamHandle)>;

/// Returns a function that runs a plan with these kernels and buffers. Device, module and memories must outlive it.
/// Tensor maps are encoded once, in this call. Returns the error of Device::EncodeTensorMap() for a map that it
/// refuses. Returns NotFound if the module lacks a kernel; InvalidArgument if the plan launches nothing, or a kernel
/// takes a buffer without memory.
absl::StatusOr<EnqueueRun> BindPlan(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                    const PlanMemories& memories);

/// Writes elements [first, first + count) of an input, in its type and in the layout of the problem.
using OperandSource = std::function<void(PlanBuffer input, int64_t first, int64_t count, void* elements)>;

/// Buffers for the operands of a problem and for a workspace. Each is aligned to 256 bytes, and lies between two red
/// zones of `zone_bytes` bytes. The methods return the errors of the device. Not thread-safe; the device must outlive
/// it.
class GuardedBuffers {
 public:
  /// The usual size of a red zone.
  static constexpr size_t kZoneBytes = 4096;

  /// Allocates the buffers. The workspace is rounded up to whole 4-byte words. Returns ResourceExhausted if they do not
  /// fit. `zone_bytes` is a multiple of 256; with 0 there are no red zones, so that the device's own guards adjoin the
  /// buffers.
  static absl::StatusOr<std::unique_ptr<GuardedBuffers>> Create(Device* device, const MatmulProblem& problem,
                                                                int64_t workspace_bytes, size_t zone_bytes);
  ~GuardedBuffers();
  GuardedBuffers(const GuardedBuffers&) = delete;
  GuardedBuffers& operator=(const GuardedBuffers&) = delete;

  const PlanMemories& memories() const { return memories_; }

  /// Writes all inputs to the device.
  absl::Status Upload(const OperandSource& operands);
  /// Fills C and the workspace with a pattern that is NaN in every floating-point type.
  absl::Status Poison();
  /// Reads elements [first, first + count) of C.
  absl::Status Download(int64_t first, int64_t count, void* elements);
  /// Returns a line that says which red zone or input a kernel has written to; "" if none. The inputs must have been
  /// uploaded from `operands`.
  absl::StatusOr<std::string> Damage(const OperandSource& operands);

 private:
  GuardedBuffers(Device* device, const MatmulProblem& problem, size_t zone_bytes);
  const DataTypeTraits& TraitsOfBuffer(PlanBuffer buffer) const { return TraitsOf(types_[static_cast<int>(buffer)]); }
  absl::Status Allocate(PlanBuffer buffer, size_t bytes);
  absl::StatusOr<std::string> ZoneDamage(PlanBuffer buffer);
  absl::StatusOr<std::string> InputDamage(PlanBuffer buffer, const OperandSource& operands);
  /// Visits an input in parts: the index of the first element, the expected bytes, and their address on the device.
  absl::Status ForParts(PlanBuffer buffer, const OperandSource& operands,
                        absl::FunctionRef<absl::Status(int64_t first, const std::vector<char>& part, DevicePtr)> visit);
  /// Returns the offset of the first element that differs from `expected`; `bytes` if there is none.
  absl::StatusOr<size_t> FirstDifference(DevicePtr address, const void* expected, size_t bytes, size_t element_bytes);

  Device* device_;
  const size_t zone_bytes_;
  DataType types_[kPlanBufferCount];
  PlanMemories memories_;
  std::vector<char> read_;  // a part of a buffer
};

}  // namespace mmtune
