// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bar.sync, bar.arrive and bar.red: barriers of a block, or of a part of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simulator/block/gpu_thread.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

inline constexpr uint32_t kNamedBarriers = 16;

/// Of a block. Functions are called on the fiber of the thread.
class NamedBarriers {
 public:
  /// Before a block starts.
  void Reset();

  void Sync(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// Counts as a thread at the barrier and goes on.
  void Arrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// As Sync; thread->trues of thread->votes predicates were true.
  void Reduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site);

 private:
  struct Barrier {
    uint32_t expected = 0;
    uint32_t arrived = 0;  ///< The waiting ones included.
    uint32_t trues = 0, votes = 0;
    std::vector<GpuThread*> waiting;
    // Of a watched launch.
    SyncClock released;           ///< By those who arrived without waiting.
    std::vector<uint32_t> lanes;  ///< Of each warp, those that have arrived.
  };

  Barrier& ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// The last one, who may be waiting or not, has come.
  void Complete(Block& block, Barrier& barrier, GpuThread* last);
  [[gnu::noinline]] void WatchArrival(GpuThread* thread, uint32_t id);
  void ReportDivergence(GpuThread* thread, uint32_t id);
  void ReportPartialWarps(Block& block, Barrier& barrier);

  bool is_watched_ = false;  ///< Since Reset().
  std::array<Barrier, kNamedBarriers> barriers_;
};

}  // namespace mmtune::simt
