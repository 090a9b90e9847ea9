// What the operations of a block remember: mbarriers, bulk groups of threads, wgmma groups of warps.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/simt/ops/bulk_groups.h"
#include "kernels/runtime/simt/ops/mbarrier_clocks.h"
#include "kernels/runtime/simt/ops/proxy_writes.h"
#include "kernels/runtime/simt/ops/wgmma_groups.h"

namespace mmtune::simt {

/// Of a BlockRunner, used by its OS thread. Costs nothing until an operation needs it.
class BlockOps {
 public:
  /// Before a block of `threads` threads starts.
  void Reset(uint32_t threads);
  /// `thread` has returned from the kernel. In check mode a finding when a bulk copy may still read shared memory, or
  /// after the last thread write it.
  void ThreadExits(GpuThread& thread);
  /// Check mode, before an ordinary access of shared memory: a finding when it touches a valid mbarrier.
  void OrdinaryAccess(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site);

  /// Check mode: what the thread wrote and initialised before is known to asynchronous copies.
  void Fence(GpuThread& thread, FenceKind kind);

  ProxyWrites& proxy_writes() { return proxy_writes_; }
  BulkGroups& bulk_groups(const GpuThread& thread);
  WgmmaGroups& wgmma_groups(const GpuThread& thread);
  WgmmaSequence& wgmma_sequence(const GpuThread& thread);

  /// Valid mbarriers, by address; kept in check mode only. Null for another address.
  MbarrierClocks* FindMbarrier(const void* barrier);
  void AddMbarrier(const void* barrier, const GpuThread& initialiser);
  void RemoveMbarrier(const void* barrier) { mbarriers_.erase(barrier); }

 private:
  uint32_t threads_ = 0;
  uint32_t exited_ = 0;
  std::vector<BulkGroups> bulk_groups_;         ///< By thread; empty until one is needed.
  std::vector<WgmmaGroups> wgmma_groups_;       ///< By warp, as well.
  std::vector<WgmmaSequence> wgmma_sequences_;  ///< By warpgroup, as well.
  std::unordered_map<const void*, MbarrierClocks> mbarriers_;
  ProxyWrites proxy_writes_;
};

}  // namespace mmtune::simt
