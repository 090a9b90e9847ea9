// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributes the blocks of a simulated kernel launch over OS threads. By default blocks run in parallel. With a
// monitor (the race detector or the profiler) or with schedule fuzzing they run one after the other; schedule fuzzing
// shuffles their order by a seed. The blocks of a cluster run together on one OS thread, so in this file a "block" is a
// whole cluster if the launch has clusters.
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
#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/ops/block_ops.h"

namespace mmtune::simt {

/// The order in which the blocks of a launch run: 0, 1, 2, … without a seed, otherwise a pseudo-random permutation. The
/// permutation needs no table: a Feistel network permutes the numbers below a power of four, and is applied again while
/// the result is not below the number of blocks.
class BlockOrder {
 public:
  /// Takes the number of blocks and the seed.
  BlockOrder(uint64_t blocks, std::optional<uint64_t> seed);

  /// Returns the block that runs at this position.
  uint64_t At(uint64_t position) const;

 private:
  uint64_t Permute(uint64_t value) const;

  uint64_t blocks_;
  std::optional<uint64_t> seed_;
  uint32_t half_bits_ = 1;
};

/// Runs blocks of a launch, one at a time. It owns a ClusterRunner and the state of its operations (barriers, copies
/// and so on). Not thread-safe: used by one OS thread at a time.
class LaunchRunner {
 public:
  /// Prepares to run blocks of `job`, which must outlive these runs. Returns the errors of ClusterRunner::Prepare().
  absl::Status Prepare(const LaunchJob& job) { return runner_.Prepare(job, &ops_); }

  /// Runs block number `index` (x fastest) to its end. Returns the failure, or nullopt if it did not fail.
  std::optional<BlockFailure> RunCluster(uint64_t index);

 private:
  ClusterRunner runner_;
  BlockOps ops_;
};

/// A pool of OS threads: the caller of Run(), and threads - 1 threads that the pool owns. Only one Run() may be in
/// progress at a time.
class LaunchPool {
 public:
  /// Starts threads - 1 OS threads.
  explicit LaunchPool(int threads);
  ~LaunchPool();

  /// Returns the number of OS threads, the caller included.
  int threads() const { return static_cast<int>(runners_.size()); }

  /// Runs all blocks of `job`, or only those of LaunchJob::chosen if there are any. Blocks run in parallel, or one
  /// after the other if LaunchJob::is_sequential(). If a block fails, starts no further blocks and returns one of the
  /// failures. Returns nullopt if none fails.
  std::optional<BlockFailure> Run(const LaunchJob& job);

 private:
  void HelperMain(LaunchRunner* runner);
  void RunBlocks(LaunchRunner* runner, const LaunchJob& job);
  void Record(BlockFailure failure);

  /// One for each OS thread; [0] is for the caller of Run().
  std::vector<std::unique_ptr<LaunchRunner>> runners_;
  std::vector<std::thread> helpers_;

  std::atomic<uint64_t> next_block_{0};
  std::atomic<bool> stop_{false};

  absl::Mutex mutex_;
  const LaunchJob* job_ ABSL_GUARDED_BY(mutex_) = nullptr;
  /// Incremented by Run() when it shares a job with the helpers, which wait for that.
  uint64_t launches_ ABSL_GUARDED_BY(mutex_) = 0;
  int helpers_running_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<BlockFailure> failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune::simt
