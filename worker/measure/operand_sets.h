// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands a kernel is timed on: one set, or as many as keep the caches cold, used in turn.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/bound_plan.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// Enqueues one run on the memories that it is bound to.
using EnqueueRun = std::function<absl::Status(StreamHandle)>;
/// What is run, bound to the memories of a set.
using BindRun = std::function<absl::StatusOr<EnqueueRun>(const PlanMemories&)>;

/// Each set has the same operands, buffers of its own between red zones, and the plan bound to them. Not thread-safe;
/// device and module must outlive it.
class OperandSets {
 public:
  /// One set, uploaded. ResourceExhausted when it does not fit; else as BoundPlan::Bind.
  static absl::StatusOr<OperandSets> Create(Device* device, DeviceModule* module, const LaunchPlan& plan,
                                            const MatmulProblem& problem, OperandSource operands);
  /// For what is no plan: without a workspace.
  static absl::StatusOr<OperandSets> CreateFor(Device* device, BindRun bind, const MatmulProblem& problem,
                                               OperandSource operands);
  /// The same sets for another plan, whose workspace is no larger than this one's: a run of either uses the set after
  /// that of the last run of either.
  absl::StatusOr<OperandSets> Share(DeviceModule* module, const LaunchPlan& plan) const;

  /// Makes more, until those used in between fill the device's last-level cache three times. ResourceExhausted when not
  /// even a second set fits; a device with room for some of them gets these.
  absl::Status MakeCold();

  size_t count() const { return memory_->sets.size(); }
  /// Those of the first set.
  GuardedBuffers& buffers() { return *memory_->sets.front(); }
  /// Enqueues the plan on the next set.
  absl::Status EnqueueNext(StreamHandle stream);
  /// Fills C and workspace of every set with NaN.
  absl::Status Poison();
  /// As GuardedBuffers::Damage, of the first set that has any.
  absl::StatusOr<std::string> Damage();

 private:
  struct Memory {
    Device* device;
    MatmulProblem problem;
    OperandSource operands;
    LaunchPlan workspace = {};  ///< Its size alone.
    std::vector<std::unique_ptr<GuardedBuffers>> sets = {};
    size_t next = 0;
  };
  OperandSets(std::shared_ptr<Memory> memory, BindRun bind) : memory_(std::move(memory)), bind_(std::move(bind)) {}
  static absl::StatusOr<OperandSets> CreateWith(std::shared_ptr<Memory> memory, BindRun bind);
  absl::Status Add();
  /// To sets that were made since, by who shares them, too.
  absl::Status BindNew();

  std::shared_ptr<Memory> memory_;
  BindRun bind_;
  std::vector<EnqueueRun> runs_;  // of each set
};

/// How many sets of `set_bytes` leave nothing of the first in a cache of `cache_bytes` when it is used again, within a
/// quarter of `memory_bytes` (0: unknown); at least two.
size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes);

}  // namespace mmtune
