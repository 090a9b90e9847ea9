// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block that an OS thread runs, as operations and monitors see it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/block/fiber.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"
#include "kernels/simulator/memory/device_memory.h"

namespace mmtune::simt {

/// One kernel launch.
struct LaunchJob : LaunchShape {
  KernelEntry entry = nullptr;
  uint32_t static_shared_bytes = 0;
  void** arguments = nullptr;
  std::optional<uint64_t> fuzzing_seed;  ///< Turns schedule fuzzing on.
  Monitor* monitor = nullptr;            ///< Null when nobody observes the launch.

  /// True if blocks run one after the other, so that findings are reproducible.
  bool is_sequential() const { return fuzzing_seed.has_value() || monitor != nullptr; }
  uint32_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  uint64_t blocks() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

/// Why a block failed.
struct BlockFailure {
  enum class Kind {
    kSetup,      ///< There was no memory for the block's threads.
    kDeadlock,   ///< No thread can continue.
    kMisuse,     ///< An operation was used in a way that the GPU forbids.
    kFindings,   ///< The monitor ended the launch; it has the reasons.
    kBadAccess,  ///< A signal stopped a thread; the process's memory may be damaged.
  };
  Kind kind = Kind::kSetup;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  std::string what;               ///< A description in one line.
  const void* address = nullptr;  ///< kBadAccess outside of stacks and shared memory; else null.
};

/// Runs blocks, one at a time: each GPU thread is a fiber of the calling OS thread. Stacks and shared memory are kept
/// from block to block and launch to launch. Used by one OS thread at a time.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Prepares for the blocks of `job`, which must outlive them. The threads get `ops`.
  absl::Status Prepare(const LaunchJob& job, BlockOps* ops);

  /// Runs block `index` (x fastest), each thread of which calls entry(thread), to its end or its first failure.
  /// After a failure other blocks can be run, but objects on the stacks of this block's threads are never destroyed.
  std::optional<BlockFailure> Run(uint64_t index, Fiber::Entry entry);

  /// Ends the block because of a signal. Called by the handler on the running fiber; does not return if there is one.
  void OnSignal(const char* name, const void* address);

  // The following are called on the fiber of the running thread.

  /// Ends the launch because the operation at thread->site was misused.
  [[noreturn]] void Fail(GpuThread* thread, std::string what);
  /// Ends the launch because of the monitor's findings.
  [[noreturn]] void EndLaunch();

  const LaunchJob& job() const { return *job_; }
  Scheduler& scheduler() { return scheduler_; }
  /// Returns the monitor of the launch; null without one.
  Monitor* monitor() const { return monitor_; }

  std::span<GpuThread> threads() const { return {threads_.get(), thread_count_}; }
  uint32_t thread_count() const { return thread_count_; }
  uint32_t warp_count() const { return (thread_count_ + kWarpSize - 1) / kWarpSize; }
  /// Returns lane 0 of a warp; the other lanes follow it.
  GpuThread* warp(uint32_t warp) const { return &threads_[warp * kWarpSize]; }
  /// Returns the number of lanes of a warp: 32, or fewer for the last one.
  uint32_t LanesOfWarp(uint32_t warp) const { return std::min(kWarpSize, thread_count_ - warp * kWarpSize); }

  /// True if the address is in shared memory or close to it.
  bool IsShared(const void* address) const { return arena_.Contains(address); }
  /// True if the address is on the stack of a thread.
  bool IsOnStack(const void* address) const { return stacks_.Contains(address); }

 private:
  void StartThreads(uint64_t index, Fiber::Entry entry);
  BlockFailure DescribeSignal() const;

  Scheduler scheduler_;
  Monitor* monitor_ = nullptr;
  uint32_t thread_count_ = 0;
  std::unique_ptr<GpuThread[]> threads_;
  uint32_t thread_capacity_ = 0;
  FiberStacks stacks_;
  SharedArena arena_;
  const LaunchJob* job_ = nullptr;

  std::optional<BlockFailure> failure_;
  const char* signal_name_ = nullptr;  ///< Set by OnSignal.
  const void* signal_address_ = nullptr;
  GpuThread* signal_thread_ = nullptr;
};

/// Installs the process's handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL, which turns faults in kernels (an invalid
/// access, a stack overflow, an integer division by zero) into failures of their blocks. Other faults go to the handler
/// that was there before. Later calls do nothing.
void InstallFaultHandler();

}  // namespace mmtune::simt
