// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named barriers of a block in the simulator: the 16 hardware barriers that bar.sync, bar.arrive and bar.red use. A
// barrier completes when the expected number of threads has arrived, and then wakes those that wait. With a monitor (an
// observer of the launch, such as the race detector; monitor.h), a barrier orders what its threads did before it, and
// lanes of a warp that are at different barriers are a finding.
//
// A `site` is the number of a program point, for reports (abi/abi.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

/// The number of named barriers of a block.
inline constexpr uint32_t kNamedBarriers = 16;

/// The named barriers of a block. Its functions are called from the GPU thread that executes the operation.
class NamedBarriers {
 public:
  /// Begins a block.
  void Reset();

  /// bar.sync: waits until `threads` threads have arrived (0: the whole block).
  void Sync(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// bar.arrive: arrives without waiting.
  void Arrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// bar.red: like Sync(). Afterwards thread->votes is the number of predicates, and thread->trues that of the true
  /// ones.
  void Reduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site);
  /// Completes the barriers that wait for no other thread than this one, which has returned from the kernel.
  void ThreadExits(GpuThread& thread);

 private:
  struct Barrier {
    uint32_t expected = 0;
    uint32_t arrived = 0;  ///< Threads that have arrived, with and without waiting.
    uint32_t trues = 0, votes = 0;
    bool is_of_block = false;  ///< True if no thread that has arrived gave a number of threads; it then expects all
                               ///< threads of the block.
    std::vector<GpuThread*> waiting;
    std::vector<GpuThread*> passing;  ///< Threads that have arrived without waiting.
    // The rest is used with a monitor only.
    SyncClock released;           ///< Released by threads that arrived without waiting.
    std::vector<uint32_t> lanes;  ///< For each warp, the lanes that have arrived.
  };

  Barrier& ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// True if all threads have arrived. A thread that has exited counts as arrived where another lane of its warp has
  /// arrived: a barrier waits "for all non-exited threads from its warp" (PTX ISA). A whole warp that has exited counts
  /// as arrived only at a barrier without a number of threads: a GPU would wait for the number that is given.
  bool IsComplete(const Barrier& barrier, const ClusterRunner& runner, uint32_t rank) const;
  /// Completes the barrier. `thread` is the last one to arrive or exit; `waits` is false if it does not wait.
  void Complete(GpuThread* thread, Barrier& barrier, bool waits);
  [[gnu::noinline]] void MonitorArrival(GpuThread* thread, uint32_t id);
  void ReportDivergence(GpuThread* thread, uint32_t id);
  void ReportPartialWarps(GpuThread* thread, Barrier& barrier);

  bool is_monitored_ = false;  ///< True if the current block has a monitor.
  uint32_t exited_ = 0;        ///< Threads of the block that have exited.
  std::array<Barrier, kNamedBarriers> barriers_;
};

}  // namespace mmtune::simt
