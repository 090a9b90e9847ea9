// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of the operations of a block: barriers, warp operations in progress, mbarriers, groups of asynchronous copies
// and of wgmma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/simulator/block/block.h"
#include "kernels/simulator/block/scheduler.h"
#include "kernels/simulator/ops/async_copies.h"
#include "kernels/simulator/ops/barriers.h"
#include "kernels/simulator/ops/warp_ops.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {

/// Ordinary writes of shared memory that asynchronous reads (bulk stores, wgmma) may not see yet, because
/// fence.proxy.async is missing between them. Either the writing thread executes it after the write, or the thread that
/// issues the read executes it after it is ordered after the write. Used with a monitor only. Not thread-safe.
class ProxyWrites {
 public:
  struct Write {
    uint64_t time = 0;  ///< Counts writes and fences of the block; 0: no ordinary write.
    uint32_t thread = 0;
    uint32_t site = 0;
  };

  void Reset(uint32_t threads);
  void AddWrite(const GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
  void AddFence(const GpuThread& thread);
  /// Removes what an asynchronous write overwrites.
  void Forget(const GpuThread& thread, const void* shared, size_t bytes);
  /// Returns an ordinary write that is not visible to an asynchronous read issued by `thread` now.
  std::optional<Write> FindUnfenced(const GpuThread& thread, const void* shared, size_t bytes) const;

 private:
  uint32_t threads_ = 0;
  uint64_t time_ = 0;
  std::vector<uint64_t> fences_;  ///< By thread: the time of its last fence; empty until one is needed.
  std::vector<Write> units_;      ///< By unit of 16 bytes of shared memory.
};

// Asynchronous copies and tensor cores report their accesses of shared memory to the monitor, which there must be.

/// Begins a read through the asynchronous proxy, and reports a finding if an ordinary write may not be visible to it.
AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
/// Begins a write through the asynchronous proxy.
AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);

/// State of the operations of the running block. Used by the OS thread that runs it. Members cost nothing until an
/// operation needs them.
class BlockOps {
 public:
  /// Begins a block of `threads` threads.
  void Reset(uint32_t threads);
  /// Finishes the cp.async copies of a thread that has returned from the kernel. Reports a finding if a bulk copy may
  /// still read shared memory or, after the last thread, write it.
  void ThreadExits(GpuThread& thread);
  /// Reports an access to the monitor, which there must be.
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  /// Reports an ordinary access to the monitor, if there is one. An ordinary access of a valid mbarrier is a finding.
  void OrdinaryAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
    if (thread.block->monitor() != nullptr) MonitoredAccess(thread, address, bytes, kind, site);
  }

  /// With a monitor: records that asynchronous copies see what the thread wrote and initialised before.
  void Fence(GpuThread& thread, FenceKind kind);

  NamedBarriers& named_barriers() { return named_barriers_; }
  WarpRendezvous& warp_rendezvous() { return warp_rendezvous_; }
  ProxyWrites& proxy_writes() { return proxy_writes_; }
  BulkGroups& bulk_groups(const GpuThread& thread) { return bulk_groups_[thread.linear_tid]; }
  WgmmaGroups& wgmma_groups(const GpuThread& thread) { return wgmma_groups_[thread.warp]; }
  /// Returns the operations of the thread's warpgroup.
  WgmmaSequence& wgmma_sequence(const GpuThread& thread) { return wgmma_sequences_[thread.warp / 4]; }

  /// Returns the clocks of a valid mbarrier; null for other addresses. Mbarriers are tracked only with a monitor.
  MbarrierClocks* FindMbarrier(const void* barrier);
  void AddMbarrier(const void* barrier, const GpuThread& initialiser) {
    mbarriers_[barrier].initialiser = initialiser.linear_tid;
  }
  void RemoveMbarrier(const void* barrier) { mbarriers_.erase(barrier); }

 private:
  void MonitoredAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  void ReportTouchedMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site);

  NamedBarriers named_barriers_;
  WarpRendezvous warp_rendezvous_;
  uint32_t threads_ = 0;
  uint32_t exited_ = 0;
  std::map<uint32_t, BulkGroups> bulk_groups_;         ///< By thread.
  std::map<uint32_t, WgmmaGroups> wgmma_groups_;       ///< By warp.
  std::map<uint32_t, WgmmaSequence> wgmma_sequences_;  ///< By warpgroup.
  std::unordered_map<const void*, MbarrierClocks> mbarriers_;
  ProxyWrites proxy_writes_;
};

/// Ends the launch because an operation was used in a way that the GPU forbids.
[[noreturn]] void FailOperation(GpuThread& thread, uint32_t site, std::string what);

/// Returns "shared+0x40", the form of addresses in findings.
std::string SharedAddress(const GpuThread& thread, const void* address);

}  // namespace mmtune::simt
