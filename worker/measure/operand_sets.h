// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands a kernel is timed on: random ones, one set or as many as keep the caches cold, used in turn.
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

/// Random operands of about normal distribution: mean 0, and variance 1 (the sum of four uniform 16-bit numbers); bias
/// and addend with variance K, as large as the sums that they are added to. Those of s8 are integers, 36 times as
/// large. All are values that the operand's type has, factors of tf32 math such of 11 bits of significand. The same
/// seed gives the same operands. A stream, so that nobody has to hold them: any part is made again where it is needed,
/// as fast as it would be copied, as each block of elements is a table of random numbers from a random place on; of
/// f64, from two such places, one for the upper and one for the lower bits.
class RandomOperandStream {
 public:
  RandomOperandStream(const MatmulProblem& problem, uint64_t seed);

  /// Writes elements [first, first + count) of an input, of its type, as the problem lays it out.
  void operator()(PlanBuffer input, int64_t first, int64_t count, void* elements) const;
  /// Their values. Real is float, of all types but f64, or double, of f64 and of those.
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

/// What is run on operands: a launch plan, or a library's function.
struct Runnable {
  std::function<absl::StatusOr<EnqueueRun>(const PlanMemories&)> bind;  ///< To the memories of a set.
  int64_t workspace_bytes = 0;
};
/// The device and the module must outlive it; binds as BindPlan.
Runnable PlanRun(Device* device, DeviceModule* module, const LaunchPlan& plan);

/// Each set has the same operands, buffers of its own between red zones, and a run bound to them. Not thread-safe; the
/// device, and what the run needs, must outlive it.
class OperandSets {
 public:
  /// One set, uploaded. ResourceExhausted when it does not fit; else the errors of binding the run.
  static absl::StatusOr<OperandSets> Create(Device* device, Runnable runnable, const MatmulProblem& problem,
                                            OperandSource operands);
  /// The same sets for another run, whose workspace is no larger than this one's: a run of either uses the set after
  /// that of the last run of either.
  absl::StatusOr<OperandSets> Share(Runnable runnable) const;

  /// Makes more, until those used in between fill the device's last-level cache three times. ResourceExhausted when not
  /// even a second set fits; a device with room for some of them gets these.
  absl::Status MakeCold();

  size_t count() const { return memory_->sets.size(); }
  /// Those of the first set.
  GuardedBuffers& buffers() { return *memory_->sets.front(); }
  /// Enqueues a run on the next set.
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
    int64_t workspace_bytes;
    std::vector<std::unique_ptr<GuardedBuffers>> sets = {};
    size_t next = 0;
  };
  OperandSets(std::shared_ptr<Memory> memory, Runnable runnable)
      : memory_(std::move(memory)), runnable_(std::move(runnable)) {}
  absl::Status Add();
  /// Binds to the sets that were made since the last call, also by those who share them.
  absl::Status BindNew();

  std::shared_ptr<Memory> memory_;
  Runnable runnable_;
  std::vector<EnqueueRun> runs_;  // of each set
};

/// How many sets of `set_bytes` leave nothing of the first in a cache of `cache_bytes` when it is used again, within a
/// quarter of `memory_bytes` (0: unknown); at least two.
size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes);

}  // namespace mmtune
