// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block that an OS thread runs: what the operations of its threads, and who watches them, may ask of it.
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
#include "kernels/simulator/block/gpu_thread.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"
#include "kernels/simulator/memory/shared_arena.h"

namespace mmtune::simt {

/// One kernel launch.
struct LaunchJob : LaunchShape {
  KernelEntry entry = nullptr;
  uint32_t static_shared_bytes = 0;
  void** arguments = nullptr;
  std::optional<uint64_t> stress_seed;  ///< Stress mode.
  Monitor* monitor = nullptr;           ///< Of a watched launch; else null.

  /// Whether blocks run one after the other: what a run finds is the same every time.
  bool is_sequential() const { return stress_seed.has_value() || monitor != nullptr; }
  uint32_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  uint64_t blocks() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

/// How a block of a launch can fail.
struct BlockFailure {
  enum class Kind {
    kSetup,      ///< Memory for the block's threads could not be had.
    kDeadlock,   ///< No thread can go on.
    kMisuse,     ///< An operation was used as the GPU forbids.
    kFindings,   ///< The monitor ended the launch; it has the reasons.
    kBadAccess,  ///< The processor stopped a thread: the process's memory may be damaged.
  };
  Kind kind = Kind::kSetup;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  std::string what;               ///< One line.
  const void* address = nullptr;  ///< kBadAccess outside of stacks and shared memory; null when unknown.
};

/// Each GPU thread is a fiber of the calling OS thread. Memory of fibers and of shared memory is kept from block to
/// block and launch to launch. Used by one OS thread at a time.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Before the blocks of `job`, which must outlive them. The threads get `ops`.
  absl::Status Prepare(const LaunchJob& job, BlockOps* ops);

  /// Runs block `index` (x fastest), each thread of which calls entry(thread), to its end or its first failure. After a
  /// failure this is as good as new, but objects on the stacks of the block's threads are never destroyed.
  std::optional<BlockFailure> Run(uint64_t index, Fiber::Entry entry);

  /// Called by the signal handler on the running fiber; does not return when a GPU thread is running.
  void OnSignal(const char* name, const void* address);

  // Called on the fiber of a thread that runs.

  /// Ends the launch with a finding, of the operation at thread->site.
  [[noreturn]] void Fail(GpuThread* thread, std::string what);
  /// Ends the launch because of what the monitor has found.
  [[noreturn]] void EndLaunch();

  const LaunchJob& job() const { return *job_; }
  Scheduler& scheduler() { return scheduler_; }
  /// Who watches the launch; null when nobody does.
  Monitor* monitor() const { return monitor_; }

  std::span<GpuThread> threads() const { return {threads_.get(), thread_count_}; }
  uint32_t thread_count() const { return thread_count_; }
  uint32_t warp_count() const { return (thread_count_ + kWarpSize - 1) / kWarpSize; }
  /// Lane 0; the lanes follow it.
  GpuThread* warp(uint32_t warp) const { return &threads_[warp * kWarpSize]; }
  /// How many lanes a warp has: 32, or fewer in the last one.
  uint32_t LanesOfWarp(uint32_t warp) const { return std::min(kWarpSize, thread_count_ - warp * kWarpSize); }

  /// Whether the address is in shared memory or near it.
  bool IsShared(const void* address) const { return arena_.Contains(address); }
  /// Whether the address is of a thread's own memory.
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

/// Turns processor faults in kernels (a wild access, a stack overflow, an integer division by zero) into failures of
/// their blocks: installs the process's handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL; later calls do nothing. Signals
/// that no kernel caused go to the handler that was there before.
void InstallFaultHandler();

}  // namespace mmtune::simt
