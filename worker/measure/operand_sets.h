// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random operands that a kernel is timed on: one set, or as many as keep caches cold, used alternately.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device/device.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// A deterministic stream of random operands with about normal distribution: mean 0, variance 1 (the sum of four
/// uniform 16-bit numbers); bias and addend with variance K, like the accumulators; s8 integers 36 times as large. All
/// values are representable in the operand's type, for tf32 math in 11 bits of significand. Any part can be made again
/// as fast as it could be copied, because each block of elements is a table of random numbers read from a random index
/// (for f64 from two, for upper and lower bits). Immutable; thread-safe.
class RandomOperandStream {
 public:
  RandomOperandStream(const MatmulProblem& problem, uint64_t seed);

  /// Writes elements [first, first + count) of an input, of its type, laid out as the problem says.
  void operator()(PlanBuffer input, int64_t first, int64_t count, void* elements) const;
  /// Writes the values of these elements. Real is float, unless the type is f64, or double.
  template <typename Real>
  void Values(PlanBuffer input, int64_t first, int64_t count, Real* out) const;

 private:
  DataType TypeOfInput(PlanBuffer input) const {
    return input == PlanBuffer::kA || input == PlanBuffer::kB ? dtype_ : type_of_c_;
  }

  uint64_t seed_;
  DataType dtype_, type_of_c_;
  float sum_deviation_;                              // of bias and addend
  std::shared_ptr<const std::vector<float>> table_;  // of deviation 1, rounded to factors
};

/// Work that runs on operands: a launch plan, or a library's function.
struct Runnable {
  std::function<absl::StatusOr<EnqueueRun>(const PlanMemories&)> bind;  ///< Binds the work to the memories of a set.
  int64_t workspace_bytes = 0;
};
/// Returns a launch plan as a Runnable, bound by BindPlan. Device and module must outlive it.
Runnable PlanRun(Device* device, DeviceModule* module, const LaunchPlan& plan);

/// Sets of buffers between red zones, with the same operands in each, and a run bound to each. Not thread-safe; the
/// device and what the run needs must outlive it.
class OperandSets {
 public:
  /// Makes and uploads one set. Returns ResourceExhausted if it does not fit, or an error of binding the run.
  static absl::StatusOr<OperandSets> Create(Device* device, Runnable runnable, const MatmulProblem& problem,
                                            OperandSource operands);
  /// Returns the same sets for another run, whose workspace must not be larger. Each run, of either, uses the next set.
  absl::StatusOr<OperandSets> Share(Runnable runnable) const;

  /// Adds sets until those used between two uses of one fill the last-level cache three times, or no more fit. Returns
  /// ResourceExhausted if not even a second set fits.
  absl::Status MakeCold();

  size_t count() const { return memory_->sets.size(); }
  /// Returns the buffers of the first set.
  GuardedBuffers& buffers() { return *memory_->sets.front(); }
  /// Enqueues a run on the next set.
  absl::Status EnqueueNext(StreamHandle stream);
  /// Fills C and workspace of every set with NaN.
  absl::Status Poison();
  /// Returns GuardedBuffers::Damage of the first set that has any.
  absl::StatusOr<std::string> Damage();

 private:
  struct Memory {
    Device* device;
    MatmulProblem problem;
    OperandSource operands;
    int64_t workspace_bytes;
    std::vector<std::unique_ptr<GuardedBuffers>> sets = {};
    size_t next = 0;
  };
  OperandSets(std::shared_ptr<Memory> memory, Runnable runnable)
      : memory_(std::move(memory)), runnable_(std::move(runnable)) {}
  absl::Status Add();
  /// Binds the run to the sets that were made since the last call, by this object or one that shares them.
  absl::Status BindNew();

  std::shared_ptr<Memory> memory_;
  Runnable runnable_;
  std::vector<EnqueueRun> runs_;  // of each set
};

/// Returns how many sets of `set_bytes` evict the first from a cache of `cache_bytes` before it is used again, within a
/// quarter of `memory_bytes` (0: unknown); at least two.
size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes);

}  // namespace mmtune
