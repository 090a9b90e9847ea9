// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one thread block of a GPU kernel, or the blocks of one cluster together, on one OS thread of the CPU.
// ClusterRunner owns the threads, their stacks and the shared memory; the operations (ops/) and the race detector work
// on it. A failure, such as a deadlock or an invalid access, ends the run of the cluster with a description of what
// happened.
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
#include "kernels/simulator/block/kernel_names.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"
#include "kernels/simulator/memory/device_memory.h"

namespace mmtune::simt {

/// One kernel launch: its shape, entry point and arguments, and the mode of the simulator.
struct LaunchJob : LaunchShape {
  KernelEntry entry = nullptr;
  uint32_t static_shared_bytes = 0;
  void** arguments = nullptr;
  /// If set, the launch runs with schedule fuzzing: random orders of threads and copies.
  std::optional<uint64_t> fuzzing_seed;
  /// The contents of shared memory when a block starts. If set: random bytes from this seed or, for 0, all bits set. If
  /// not set: all bits set with schedule fuzzing, otherwise whatever an earlier block left there.
  std::optional<uint64_t> uninitialized_seed;
  const KernelNames* names = nullptr;  ///< The names of its barriers and warps; null for none.
  Monitor* monitor = nullptr;          ///< The race detector or profiler that observes the launch; null for none.
  std::span<const uint64_t> chosen;    ///< The linear indices of the clusters to run; empty: all.

  /// True if blocks must run one after the other, so that findings (reports of races and misuse) are reproducible.
  bool is_sequential() const { return fuzzing_seed.has_value() || monitor != nullptr; }
  /// Returns the name of a named barrier for reports; empty if it has none.
  std::string NameOfBarrier(uint32_t id) const { return names == nullptr ? std::string() : names->Barrier(id); }
  /// Returns the name of the mbarrier at this offset in shared memory; empty if it has none.
  std::string NameOfMbarrier(int64_t offset) const {
    return names == nullptr ? std::string() : names->Mbarrier(offset - static_shared_bytes);
  }
  /// Returns what a warp of a block is for; empty if it has no name.
  std::string NameOfWarp(uint32_t warp) const { return names == nullptr ? std::string() : names->Warp(warp); }
  /// Returns the bytes of shared memory, static and dynamic.
  uint32_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
  /// Returns the number of clusters of the grid; without clusters, that of blocks.
  uint64_t clusters() const { return uint64_t{grid[0]} * grid[1] * grid[2] / blocks_per_cluster(); }
  /// Returns the number of blocks that run together.
  uint32_t blocks_per_cluster() const { return cluster[0] * cluster[1] * cluster[2]; }
  /// Computes the 3-D index in the grid of the block with rank `rank` in cluster number `cluster_number` (x fastest).
  void BlockIndex(uint64_t cluster_number, uint32_t rank, uint32_t* index) const;
  /// Returns the number of threads of a block.
  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

/// The reason why a block failed.
struct BlockFailure {
  enum class Kind {
    kSetup,      ///< There was not enough memory for the block's threads.
    kDeadlock,   ///< No thread can continue.
    kMisuse,     ///< A GPU operation was used in a forbidden way.
    kFindings,   ///< The monitor ended the launch because of its findings.
    kBadAccess,  ///< A thread raised a signal (an invalid access). The process's memory may be damaged.
  };
  Kind kind = Kind::kSetup;
  uint32_t block[3] = {0, 0, 0};   ///< Index of the block.
  uint32_t thread[3] = {0, 0, 0};  ///< Index of the thread in the block.
  std::string what;                ///< The reason in one line.
  const void* address = nullptr;   ///< For kBadAccess: the address, unless it is in a stack or in shared memory.
};

/// Runs clusters of blocks, one cluster at a time. In a launch without clusters, each block counts as a cluster. Each
/// GPU thread is a fiber of the calling OS thread, so the blocks of a cluster make progress together. Stacks and shared
/// memory are reused by later clusters and launches. Not thread-safe: used by one OS thread at a time.
class ClusterRunner {
 public:
  ClusterRunner() = default;
  ClusterRunner(const ClusterRunner&) = delete;
  ClusterRunner& operator=(const ClusterRunner&) = delete;

  /// Prepares to run clusters of `job`, which must outlive these runs. `ops` holds the state of the threads' barriers,
  /// copies and other operations. Returns ResourceExhausted if there is no memory for the threads' stacks or for shared
  /// memory.
  absl::Status Prepare(const LaunchJob& job, BlockOps* ops);

  /// Runs cluster number `index` (x fastest): calls entry(thread) for each thread, until all have returned or one has
  /// failed. Returns the failure, or nullopt if all have returned. After a failure, the caller must run no further
  /// cluster of the launch. Later launches can use the runner, but objects on the stacks of the failed cluster's
  /// threads are never destroyed.
  std::optional<BlockFailure> Run(uint64_t index, Fiber::Entry entry);

  /// Ends the run of the cluster because a signal was raised. Called by the signal handler, on the fiber of the running
  /// thread. Returns only if no GPU thread is running.
  void OnSignal(const char* name, const void* address);

  // The functions below are called from the running GPU thread.

  /// Ends the run of the cluster because of a misuse of the operation at the program point thread->site: Run() returns
  /// the failure.
  [[noreturn]] void Fail(GpuThread* thread, std::string what);
  /// Ends the run of the cluster because of the monitor's findings: Run() returns the failure.
  [[noreturn]] void EndLaunch();

  /// Returns the launch.
  const LaunchJob& job() const { return *job_; }
  /// Returns the scheduler of the threads.
  Scheduler& scheduler() { return scheduler_; }
  /// Returns the monitor of the launch; null if there is none.
  Monitor* monitor() const { return monitor_; }

  /// Returns the number of blocks that run together: 1 without clusters.
  uint32_t blocks() const { return blocks_; }
  /// Returns the number of the running cluster in the grid, x fastest.
  uint64_t index() const { return index_; }
  /// Returns the threads of all blocks, by GpuThread::number.
  std::span<GpuThread> threads() const { return {threads_.get(), size_t{blocks_} * thread_count_}; }
  /// Returns the threads of the block with this rank in the cluster.
  std::span<GpuThread> ThreadsOf(uint32_t rank) const { return threads().subspan(rank * thread_count_, thread_count_); }
  /// Returns the number of threads of one block.
  uint32_t thread_count() const { return thread_count_; }
  /// Returns the number of warps of one block.
  uint32_t warp_count() const { return (thread_count_ + kWarpSize - 1) / kWarpSize; }
  /// Returns the number of lanes of a warp: 32, or fewer in the last warp of a block.
  uint32_t LanesOfWarp(uint32_t warp) const { return std::min(kWarpSize, thread_count_ - warp * kWarpSize); }

  /// True if the address is in shared memory or in the inaccessible pages around it.
  bool IsShared(const void* address) const { return arena_.Contains(address); }
  /// Returns the rank of the block in whose shared memory the address is. Returns the thread's own rank for addresses
  /// in the pages around it.
  uint32_t RankOf(const GpuThread& thread, const void* address) const {
    const uint64_t rank = static_cast<uint64_t>(static_cast<const char*>(address) - arena_.base()) / kArenaAlignment;
    return rank < blocks_ ? static_cast<uint32_t>(rank) : thread.cluster_rank;
  }
  /// Returns the shared memory of the block with this rank.
  char* SharedOf(uint32_t rank) const { return arena_.base(rank); }
  /// True if the address is in the stack of a GPU thread.
  bool IsOnStack(const void* address) const { return stacks_.Contains(address); }

 private:
  void StartThreads(uint64_t index, Fiber::Entry entry);
  /// Fills shared memory with random bytes if uninitialized_seed is set and not 0, otherwise with kPoison (all bits
  /// set).
  void FillShared(uint64_t index);
  BlockFailure DescribeSignal() const;

  Scheduler scheduler_;
  Monitor* monitor_ = nullptr;
  uint32_t blocks_ = 1;
  uint32_t thread_count_ = 0;
  uint64_t index_ = 0;
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

/// Installs a handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL for the process. It turns faults in kernels (an invalid
/// access, a stack overflow, an integer division by zero) into failures of their blocks. Other faults go to the handler
/// installed before. Later calls have no effect.
void InstallFaultHandler();

}  // namespace mmtune::simt
