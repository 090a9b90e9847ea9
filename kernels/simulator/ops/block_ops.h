// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of all operations in progress in a simulated block: barriers, warp operations, mbarriers, groups of
// asynchronous copies and wgmma, and writes that asynchronous reads may not see yet. Compiled kernels work on this
// state by calling the functions of abi/abi.h.
//
// A monitor (block/monitor.h) observes a launch: it is the race detector or the profiler. Other launches have none. A
// `site` says where in the kernel an operation is, for reports: an index into a table of operations and their source
// locations (abi/abi.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/block/scheduler.h"
#include "kernels/simulator/ops/async_copies.h"
#include "kernels/simulator/ops/clusters.h"
#include "kernels/simulator/ops/mbarriers.h"
#include "kernels/simulator/ops/named_barriers.h"
#include "kernels/simulator/ops/register_pool.h"
#include "kernels/simulator/ops/warp_ops.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {

/// Finds missing proxy fences. An ordinary write of shared memory is visible to an asynchronous read (bulk store,
/// wgmma) only after fence.proxy.async. The writing thread must execute the fence after the write, or the thread that
/// issues the read must execute it after synchronising with the writing thread. Used only with a monitor. Not
/// thread-safe.
class ProxyWrites {
 public:
  /// An ordinary write.
  struct Write {
    uint64_t time = 0;  ///< Its number among the writes and fences of the block; 0: no write.
    uint32_t thread = 0;
    uint32_t site = 0;
  };

  /// Begins a block, or the blocks of a cluster, with `threads` threads in all.
  void Reset(uint32_t threads);
  /// Records an ordinary write of `bytes` bytes at `shared`.
  void AddWrite(const GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
  /// Records a fence.proxy.async.
  void AddFence(const GpuThread& thread);
  /// Forgets ordinary writes of these bytes, because an asynchronous write overwrites them.
  void Forget(const GpuThread& thread, const void* shared, size_t bytes);
  /// Returns an ordinary write that an asynchronous read, issued by `thread` now, may not see; nullopt if there is
  /// none.
  std::optional<Write> FindUnfenced(const GpuThread& thread, const void* shared, size_t bytes) const;

 private:
  uint32_t threads_ = 0;
  uint64_t time_ = 0;
  std::vector<uint64_t> fences_;  ///< For each thread, the time of its last fence; empty until it is needed.
  std::vector<Write> units_;      ///< The last ordinary write to each 16 bytes of shared memory.
};

// The next two functions report accesses of shared memory by asynchronous copies and tensor cores. They need a monitor.

/// Begins an asynchronous read, which Monitor::EndAsyncRead() ends with the token that this returns. Reports a finding
/// if an ordinary write may not be visible to it.
AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
/// Begins an asynchronous write, which Monitor::EndAsyncWrite() ends with the token that this returns.
AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);

/// The state of the operations of the running block, or of all blocks of the running cluster. Operations that a kernel
/// does not use cost nothing. Used only by the OS thread that runs these blocks.
class BlockOps {
 public:
  /// Begins `blocks` blocks (one, or those of a cluster) of `threads` threads each.
  void Reset(uint32_t blocks, uint32_t threads);
  /// Must be called when a thread has returned from the kernel. Finishes its cp.async copies, and completes barriers
  /// and warp operations that waited only for it. With a monitor, reports a finding if one of its bulk copies may still
  /// read shared memory and, when the last thread of a block exits, if no thread has waited for a copy to the block's
  /// shared memory.
  void ThreadExits(GpuThread& thread);
  /// Reports an access to the monitor; an atomic access of an mbarrier counts as an operation on it. Needs a monitor.
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  /// Reports an ordinary (synchronous) access to the monitor, if there is one. An ordinary access of an mbarrier in use
  /// is a finding.
  void OrdinaryAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
    if (thread.runner->monitor() != nullptr) MonitoredAccess(thread, address, bytes, kind, site);
  }

  /// Records a fence for asynchronous copies, which then see what the thread wrote and initialised before. Does nothing
  /// without a monitor, and for kinds of which IsOfMemory() is true.
  void Fence(GpuThread& thread, FenceKind kind);

  NamedBarriers& named_barriers(const GpuThread& thread) { return blocks_[thread.cluster_rank].named_barriers; }
  RegisterPool& register_pool(const GpuThread& thread) { return blocks_[thread.cluster_rank].register_pool; }
  WarpRendezvous& warp_rendezvous(const GpuThread& thread) { return blocks_[thread.cluster_rank].warp_rendezvous; }
  ClusterBarrier& cluster_barrier() { return cluster_barrier_; }
  ProxyWrites& proxy_writes() { return proxy_writes_; }
  BulkGroups& bulk_groups(const GpuThread& thread) { return bulk_groups_[thread.number]; }
  WgmmaGroups& wgmma_groups(const GpuThread& thread) { return wgmma_groups_[{thread.cluster_rank, thread.warp}]; }
  /// Returns the wgmma operations of the thread's warpgroup.
  WgmmaSequence& wgmma_sequence(const GpuThread& thread) {
    return wgmma_sequences_[{thread.cluster_rank, thread.warp / 4}];
  }

  /// Returns the state of an initialised mbarrier; null for other addresses. Needs a monitor.
  MbarrierClocks* FindMbarrier(const void* barrier);
  void AddMbarrier(const void* barrier, const GpuThread& initialiser) {
    mbarriers_[barrier].initialiser = initialiser.number;
  }
  void RemoveMbarrier(const void* barrier) { mbarriers_.erase(barrier); }
  /// Describes the mbarrier that the thread waits for, whose address is `thread.channel`, by MbarrierText() and, unless
  /// the kernel names it, its position: "the mbarrier at shared+0x30, number 7 of 8 by address". Needs a monitor.
  std::string DescribeMbarrier(const GpuThread& thread) const;

 private:
  void MonitoredAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  void ReportTouchedMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site);

  /// The state of one block of the cluster.
  struct OwnState {
    NamedBarriers named_barriers;
    WarpRendezvous warp_rendezvous;
    RegisterPool register_pool;
    uint32_t exited = 0;  ///< Threads that have returned.
  };
  void BlockExits(GpuThread& last);

  std::vector<OwnState> blocks_;  ///< By rank in the cluster.
  ClusterBarrier cluster_barrier_;
  uint32_t threads_ = 0;  ///< Threads of one block.
  using RankAndIndex = std::pair<uint32_t, uint32_t>;
  std::map<uint32_t, BulkGroups> bulk_groups_;                 ///< For each thread, by GpuThread::number.
  std::map<RankAndIndex, WgmmaGroups> wgmma_groups_;           ///< For each rank of a block, and warp.
  std::map<RankAndIndex, WgmmaSequence> wgmma_sequences_;      ///< For each rank of a block, and warpgroup.
  std::unordered_map<const void*, MbarrierClocks> mbarriers_;  ///< By address.
  ProxyWrites proxy_writes_;
};

/// Ends the launch because an operation was used in a way that the GPU forbids.
[[noreturn]] void FailOperation(GpuThread& thread, uint32_t site, std::string what);

/// Returns an address in the form that findings show: "shared+0x40", or "shared+0x40 of block (1,0,0)" for another
/// block of the cluster.
std::string SharedAddress(const GpuThread& thread, const void* address);
/// Returns "the mbarrier at shared+0x30", or "the mbarrier full[2] at shared+0x30" if the kernel names it.
std::string MbarrierText(const GpuThread& thread, const void* barrier);

}  // namespace mmtune::simt
