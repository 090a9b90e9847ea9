// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OS threads that run blocks.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "kernels/runtime/simt/block/launch_job.h"
#include "kernels/runtime/simt/block_runner.h"

namespace mmtune::simt {

/// `threads` OS threads: the caller of Run and threads - 1 that live as long as the pool. One Run at a time.
class LaunchPool {
 public:
  LaunchPool(int threads, FiberKind kind);
  ~LaunchPool();
  LaunchPool(const LaunchPool&) = delete;
  LaunchPool& operator=(const LaunchPool&) = delete;

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
