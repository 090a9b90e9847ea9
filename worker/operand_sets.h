// The operands a kernel is timed on: one set, or as many as keep the caches cold, used in turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "proto/types/matmul_problem.h"
#include "worker/bound_plan.h"
#include "worker/guarded_buffers.h"

namespace mmtune {

/// Each set has the same operands, buffers of its own between red zones, and the plan bound to them. Not thread-safe;
/// device and module must outlive it.
class OperandSets {
 public:
  /// One set, uploaded. ResourceExhausted when it does not fit; else as BoundPlan::Bind.
  static absl::StatusOr<OperandSets> Create(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                            const MatmulProblem& problem, OperandSource operands);

  /// Makes more, until those used in between fill the device's last-level cache three times. ResourceExhausted when not
  /// even a second set fits; a device with room for some of them gets these.
  absl::Status MakeCold();

  size_t count() const { return sets_.size(); }
  /// Those of the first set.
  GuardedBuffers& buffers() { return *sets_.front().buffers; }
  /// Enqueues the plan on the next set.
  absl::Status EnqueueNext(StreamHandle stream);
  /// Fills C and workspace of every set with NaN.
  absl::Status Poison();
  /// As GuardedBuffers::Damage, of the first set that has any.
  absl::StatusOr<std::string> Damage();

 private:
  struct Set {
    std::unique_ptr<GuardedBuffers> buffers;
    std::unique_ptr<BoundPlan> plan;
  };
  OperandSets(Device* device, DeviceModule* module, const LaunchPlan& plan, const MatmulProblem& problem,
              OperandSource operands)
      : device_(device), module_(module), plan_(plan), problem_(problem), operands_(std::move(operands)) {}
  absl::Status Add();

  Device* device_;
  DeviceModule* module_;
  LaunchPlan plan_;
  MatmulProblem problem_;
  OperandSource operands_;
  std::vector<Set> sets_;
  size_t next_ = 0;
};

/// How many sets of `set_bytes` leave nothing of the first in a cache of `cache_bytes` when it is used again, within a
/// quarter of `memory_bytes` (0: unknown); at least two.
size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes);

}  // namespace mmtune
