// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations of a block remember: barriers, meetings of lanes, mbarriers, bulk groups of threads, wgmma groups
// of warps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "kernels/simulator/block/block.h"
#include "kernels/simulator/ops/bulk_groups.h"
#include "kernels/simulator/ops/mbarrier.h"
#include "kernels/simulator/ops/named_barriers.h"
#include "kernels/simulator/ops/proxy_writes.h"
#include "kernels/simulator/ops/warp_meetings.h"
#include "kernels/simulator/ops/wgmma.h"

namespace mmtune::simt {

/// Used by the OS thread that runs the block. Costs nothing until an operation needs it.
class BlockOps {
 public:
  /// Before a block of `threads` threads starts.
  void Reset(uint32_t threads);
  /// `thread` has returned from the kernel: its cp.async copies are done. In a watched launch it is a finding when a
  /// bulk copy may still read shared memory, or, after the last thread, write it.
  void ThreadExits(GpuThread& thread);
  /// The monitor sees an access. There is one.
  void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  /// The monitor, if there is one, sees an ordinary access: a finding when it touches a valid mbarrier.
  void OrdinaryAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
    if (thread.block->monitor() != nullptr) WatchedAccess(thread, address, bytes, kind, site);
  }

  /// Watched launches: what the thread wrote and initialised before is known to asynchronous copies.
  void Fence(GpuThread& thread, FenceKind kind);

  NamedBarriers& named_barriers() { return named_barriers_; }
  WarpMeetings& warp_meetings() { return warp_meetings_; }
  ProxyWrites& proxy_writes() { return proxy_writes_; }
  BulkGroups& bulk_groups(const GpuThread& thread) { return bulk_groups_[thread.linear_tid]; }
  WgmmaGroups& wgmma_groups(const GpuThread& thread) { return wgmma_groups_[thread.warp]; }
  /// Of its warpgroup.
  WgmmaSequence& wgmma_sequence(const GpuThread& thread) { return wgmma_sequences_[thread.warp / 4]; }

  /// Valid mbarriers, by address; kept in watched launches only. Null for another address.
  MbarrierClocks* FindMbarrier(const void* barrier);
  void AddMbarrier(const void* barrier, const GpuThread& initialiser) {
    mbarriers_[barrier].initialiser = initialiser.linear_tid;
  }
  void RemoveMbarrier(const void* barrier) { mbarriers_.erase(barrier); }

 private:
  void WatchedAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);
  void ReportTouchedMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site);

  NamedBarriers named_barriers_;
  WarpMeetings warp_meetings_;
  uint32_t threads_ = 0;
  uint32_t exited_ = 0;
  std::map<uint32_t, BulkGroups> bulk_groups_;         ///< By thread.
  std::map<uint32_t, WgmmaGroups> wgmma_groups_;       ///< By warp.
  std::map<uint32_t, WgmmaSequence> wgmma_sequences_;  ///< By warpgroup.
  std::unordered_map<const void*, MbarrierClocks> mbarriers_;
  ProxyWrites proxy_writes_;
};

/// An operation used as the GPU forbids, in any mode: ends the launch.
[[noreturn]] void FailOperation(GpuThread& thread, uint32_t site, std::string what);

/// "shared+0x40", as findings have it.
std::string SharedAddress(const GpuThread& thread, const void* address);

}  // namespace mmtune::simt
