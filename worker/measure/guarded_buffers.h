// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device buffers of a launch plan, with red zones around them, and the plan bound to them.
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

/// A function that enqueues one run. Not thread-safe.
using EnqueueRun = std::function<absl::Status(StreamHandle)>;

/// Binds the kernels and buffers of a plan. Device, module and memories must outlive the result. Returns NotFound if
/// the module lacks a kernel; InvalidArgument if the plan has no launch, or a kernel takes a buffer without memory.
absl::StatusOr<EnqueueRun> BindPlan(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                    const PlanMemories& memories);

/// A function that writes elements [first, first + count) of an input, of its type, laid out as the problem says.
using OperandSource = std::function<void(PlanBuffer input, int64_t first, int64_t count, void* elements)>;

/// Returns "A", "B", "C", "the bias", "the addend", "the workspace".
std::string_view PlanBufferText(PlanBuffer buffer);

/// Buffers for the operands of a problem and a workspace of whole 4-byte words, each between two red zones of
/// `zone_bytes` of a pattern; the zone also fills the rest of the last word. Addresses are multiples of 256. Not
/// thread-safe; the device must outlive it.
class GuardedBuffers {
 public:
  static constexpr size_t kZoneBytes = 4096;

  /// Allocates the buffers; returns ResourceExhausted if they do not fit. `zone_bytes` is a multiple of 256; with 0 the
  /// device's own guards are next to the buffers.
  static absl::StatusOr<std::unique_ptr<GuardedBuffers>> Create(Device* device, const MatmulProblem& problem,
                                                                int64_t workspace_bytes, size_t zone_bytes);
  ~GuardedBuffers();
  GuardedBuffers(const GuardedBuffers&) = delete;
  GuardedBuffers& operator=(const GuardedBuffers&) = delete;

  const PlanMemories& memories() const { return memories_; }

  absl::Status Upload(const OperandSource& operands);
  /// Fills C and the workspace with a pattern that is NaN in every type.
  absl::Status Poison();
  /// Reads elements [first, first + count) of C.
  absl::Status Download(int64_t first, int64_t count, void* elements);
  /// Says in a line which red zone or input (which held `operands`) a kernel has written to; empty if none.
  absl::StatusOr<std::string> Damage(const OperandSource& operands);

 private:
  GuardedBuffers(Device* device, const MatmulProblem& problem, size_t zone_bytes);
  const DataTypeTraits& TraitsOfBuffer(PlanBuffer buffer) const { return TraitsOf(types_[static_cast<int>(buffer)]); }
  absl::Status Allocate(PlanBuffer buffer, size_t bytes);
  absl::StatusOr<std::string> ZoneDamage(PlanBuffer buffer);
  absl::StatusOr<std::string> InputDamage(PlanBuffer buffer, const OperandSource& operands);
  /// Visits the elements of an input in parts, with their expected bytes and their address on the device.
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
