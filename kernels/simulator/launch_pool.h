// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OS threads that run the blocks of launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {

/// The order in which the blocks of a launch run, a permutation of [0, blocks): the identity without a seed, else a
/// pseudo-random one that needs no memory (a Feistel network over the next power of four, iterated until the result is
/// below `blocks`).
class BlockOrder {
 public:
  BlockOrder(uint64_t blocks, std::optional<uint64_t> seed);

  uint64_t At(uint64_t position) const;

 private:
  uint64_t Permute(uint64_t value) const;

  uint64_t blocks_;
  std::optional<uint64_t> seed_;
  uint32_t half_bits_ = 1;
};

/// A block with the state of its operations. Runs the blocks of a launch, one at a time. Used by one OS thread at a
/// time.
class BlockRunner {
 public:
  /// Prepares for the blocks of `job`, which must outlive them.
  absl::Status Prepare(const LaunchJob& job) { return block_.Prepare(job, &ops_); }

  /// Runs block `index` (x fastest) to its end or its first failure.
  std::optional<BlockFailure> RunBlock(uint64_t index);

 private:
  Block block_;
  BlockOps ops_;
};

/// A pool of `threads` OS threads: the caller of Run() and threads - 1 of its own. One Run() at a time.
class LaunchPool {
 public:
  explicit LaunchPool(int threads);
  ~LaunchPool();

  int threads() const { return static_cast<int>(runners_.size()); }

  /// Runs every block of `job` until one fails, and returns one of the failures. Blocks run in parallel, or one after
  /// the other, in the order of the job's seed, if the job is sequential.
  std::optional<BlockFailure> Run(const LaunchJob& job);

 private:
  void HelperMain(BlockRunner* runner);
  void RunBlocks(BlockRunner* runner, const LaunchJob& job);
  void Record(BlockFailure failure);

  std::vector<std::unique_ptr<BlockRunner>> runners_;  ///< [0] is for the caller of Run().
  std::vector<std::thread> helpers_;

  std::atomic<uint64_t> next_block_{0};
  std::atomic<bool> stop_{false};

  absl::Mutex mutex_;
  const LaunchJob* job_ ABSL_GUARDED_BY(mutex_) = nullptr;
  uint64_t launches_ ABSL_GUARDED_BY(mutex_) = 0;
  int helpers_running_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<BlockFailure> failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune::simt
