// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random operands on which kernels are timed: one set or, if times are to be those with cold caches (the cold
// regime), so many sets used in rotation that none is in the cache when it is used.
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

/// Random operands, the same for the same seed, about normally distributed: mean 0 and variance 1 (the sum of four
/// uniform 16-bit numbers). Bias and addend have variance K, like the accumulators; s8 integers are 36 times as large.
/// All values can be represented in the operand's type and, for tf32, with 11 bits of precision.
///
/// Any part can be made again as fast as it could be copied, so operands need not be kept in memory: each block of
/// elements is read from a table of random numbers at a random index. Immutable and thread-safe.
class RandomOperandStream {
 public:
  /// If `operand_bits` is not 0, A and B have only that many bits of precision (RoundToNarrow()).
  RandomOperandStream(const MatmulProblem& problem, uint64_t seed, int operand_bits = 0);

  /// Writes elements [first, first + count) of an input, in its type and in the layout of the problem.
  void operator()(PlanBuffer input, int64_t first, int64_t count, void* elements) const;
  /// Writes the values of these elements. Real is double, or float unless the type is f64.
  template <typename Real>
  void Values(PlanBuffer input, int64_t first, int64_t count, Real* out) const;

 private:
  DataType TypeOfInput(PlanBuffer input) const {
    return input == PlanBuffer::kA || input == PlanBuffer::kB ? dtype_ : type_of_c_;
  }

  uint64_t seed_;
  DataType dtype_, type_of_c_;
  float sum_deviation_;                              // standard deviation of bias and addend
  std::shared_ptr<const std::vector<float>> table_;  // random numbers of standard deviation 1
};

/// Work that can be timed on operands: a launch plan (the list of a schedule's launches), or a function of a library.
struct Runnable {
  /// Returns a function that runs the work on the memory of one set of operands.
  std::function<absl::StatusOr<EnqueueRun>(const PlanMemories&)> bind;
  int64_t workspace_bytes = 0;
};
/// Returns a launch plan as a Runnable. Device and module must outlive it.
Runnable PlanRun(Device* device, DeviceModule* module, const LaunchPlan& plan);

/// Sets of buffers between red zones, with the same operands in each, and a run bound to each. The methods return the
/// errors of the device and of the run. Not thread-safe; the device and everything that the run needs must outlive it.
class OperandSets {
 public:
  /// Makes and uploads one set. Returns ResourceExhausted if it does not fit, or the error of binding the run.
  static absl::StatusOr<OperandSets> Create(Device* device, Runnable runnable, const MatmulProblem& problem,
                                            OperandSource operands);
  /// Returns an object that uses the same sets for another run. Both objects advance the same rotation of sets. Returns
  /// InvalidArgument if the run needs a larger workspace than this one.
  absl::StatusOr<OperandSets> Share(Runnable runnable) const;

  /// Adds sets until each is evicted from the last-level cache before it is used again (the other sets fill the cache
  /// three times), or until no more fit into memory. Returns ResourceExhausted if not even a second set fits.
  absl::Status MakeCold();

  /// Returns the number of sets.
  size_t count() const { return memory_->sets.size(); }
  /// Returns the buffers of the first set.
  GuardedBuffers& buffers() { return *memory_->sets.front(); }
  /// Enqueues a run on the next set.
  absl::Status EnqueueNext(StreamHandle stream);
  /// Fills C and the workspace of every set with NaN.
  absl::Status Poison();
  /// Returns GuardedBuffers::Damage() of the first set that has any.
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
  /// Binds the run to sets that were added since the last call, by this object or by one that shares them.
  absl::Status BindNew();

  std::shared_ptr<Memory> memory_;
  Runnable runnable_;
  std::vector<EnqueueRun> runs_;  // of each set
};

/// Returns how many sets of `set_bytes`, which must be above 0, are needed so that each is evicted from a cache of
/// `cache_bytes` before it is used again. If `cache_bytes` is 0 (unknown), a cache of 64 MiB is assumed. Returns 2 to
/// 4096, and more than 2 only if they fit into a quarter of `memory_bytes` (0: unknown).
size_t ColdSets(int64_t set_bytes, int64_t cache_bytes, int64_t memory_bytes);

}  // namespace mmtune
