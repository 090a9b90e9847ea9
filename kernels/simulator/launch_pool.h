// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OS threads that run blocks.
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

/// The order in which the blocks of a launch run. It is a permutation of [0, blocks): the identity without a seed, else
/// a pseudo-random one, which needs no memory: a Feistel network over the next even power of two, walked until it falls
/// below `blocks`.
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

/// Runs the blocks of a launch, one at a time: a block and its operations. Used by one OS thread at a time.
class BlockRunner {
 public:
  /// Before the blocks of `job`, which must outlive them.
  absl::Status Prepare(const LaunchJob& job) { return block_.Prepare(job, &ops_); }

  /// Runs block `index` (x fastest) to its end or its first failure, after which the runner is as good as new.
  std::optional<BlockFailure> RunBlock(uint64_t index);

 private:
  Block block_;
  BlockOps ops_;
};

/// `threads` OS threads: the caller of Run and threads - 1 that live as long as the pool. One Run at a time.
class LaunchPool {
 public:
  explicit LaunchPool(int threads);
  ~LaunchPool();

  int threads() const { return static_cast<int>(runners_.size()); }

  /// Runs every block of `job` until one fails: in order of index but in parallel, or one after the other where the job
  /// says so, and then in the order of its seed. Returns one of the failures.
  std::optional<BlockFailure> Run(const LaunchJob& job);

 private:
  void HelperMain(BlockRunner* runner);
  void RunBlocks(BlockRunner* runner, const LaunchJob& job);
  void Record(BlockFailure failure);

  std::vector<std::unique_ptr<BlockRunner>> runners_;  // [0] is the caller's.
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
