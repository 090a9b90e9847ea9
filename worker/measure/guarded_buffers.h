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

/// Enqueues one run. Not thread-safe.
using EnqueueRun = std::function<absl::Status(StreamHandle)>;

/// Finds the kernels and buffers of a plan. The device, the module and the memories must outlive the result. NotFound
/// when the module lacks a kernel; InvalidArgument when the plan has no launch, or a kernel takes a buffer for which
/// there is no memory.
absl::StatusOr<EnqueueRun> BindPlan(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                    const PlanMemories& memories);

/// Writes elements [first, first + count) of an input, of its type, as the problem lays it out.
using OperandSource = std::function<void(PlanBuffer input, int64_t first, int64_t count, void* elements)>;

/// "A", "B", "C", "the bias", "the addend", "the workspace".
std::string_view PlanBufferText(PlanBuffer buffer);

/// A buffer for each operand of a problem, of elements of its type, and for a workspace of whole 4-byte words.
/// `zone_bytes` of a pattern lie before and behind each; where narrow elements leave a part of the last word, the zone
/// begins there. Addresses are multiples of 256. Not thread-safe; the device must outlive it.
class GuardedBuffers {
 public:
  static constexpr size_t kZoneBytes = 4096;

  /// ResourceExhausted when they do not fit. `zone_bytes` is a multiple of 256; with 0 the device's own guards are next
  /// to the buffers.
  static absl::StatusOr<std::unique_ptr<GuardedBuffers>> Create(Device* device, const MatmulProblem& problem,
                                                                int64_t workspace_bytes, size_t zone_bytes);
  ~GuardedBuffers();
  GuardedBuffers(const GuardedBuffers&) = delete;
  GuardedBuffers& operator=(const GuardedBuffers&) = delete;

  const PlanMemories& memories() const { return memories_; }

  absl::Status Upload(const OperandSource& operands);
  /// Fills C and the workspace with a pattern that is NaN in every type.
  absl::Status Poison();
  /// Elements [first, first + count) of C.
  absl::Status Download(int64_t first, int64_t count, void* elements);
  /// What a kernel wrote to that was not its to write, in a line: a red zone, or an input, which held `operands`. Empty
  /// when there is nothing.
  absl::StatusOr<std::string> Damage(const OperandSource& operands);

 private:
  GuardedBuffers(Device* device, const MatmulProblem& problem, size_t zone_bytes);
  const DataTypeTraits& TraitsOfBuffer(PlanBuffer buffer) const { return TraitsOf(types_[static_cast<int>(buffer)]); }
  absl::Status Allocate(PlanBuffer buffer, size_t bytes);
  absl::StatusOr<std::string> ZoneDamage(PlanBuffer buffer);
  absl::StatusOr<std::string> InputDamage(PlanBuffer buffer, const OperandSource& operands);
  /// Visits the elements of an input part by part: the bytes that they should be, and where they lie on the device.
  absl::Status ForParts(PlanBuffer buffer, const OperandSource& operands,
                        absl::FunctionRef<absl::Status(int64_t first, const std::vector<char>& part, DevicePtr)> visit);
  /// The offset of the first element in which the memory differs from `expected`; its size when there is none.
  absl::StatusOr<size_t> FirstDifference(DevicePtr address, const void* expected, size_t bytes, size_t element_bytes);

  Device* device_;
  const size_t zone_bytes_;
  DataType types_[kPlanBufferCount];
  PlanMemories memories_;
  std::vector<char> read_;  // a part of a buffer
};

}  // namespace mmtune
