// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks in the simulator: the barrier of a cluster (barrier.cluster), the registers that describe it, and
// the addresses of distributed shared memory.
//
// Compiled code represents a shared::cluster address as a number. In the thread's own block, it equals the shared::cta
// address, the offset in the block's shared memory, so that ld.shared accepts what mapa returns for the own rank. In
// another block, with rank r, it is the offset in that block plus (r + 1) * 2^24.
//
// A monitor (monitor.h) is an observer of the launch, such as the race detector. A `site` is the number of a program
// point, for reports (abi/abi.h).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

/// The barrier of all threads of a cluster. Each thread arrives once, and waits once, in each phase. Threads that have
/// exited are not waited for. Its functions are called from the GPU thread that executes the operation.
class ClusterBarrier {
 public:
  /// Begins a cluster of `threads` threads.
  void Reset(uint32_t threads);

  /// barrier.cluster.arrive. A `relaxed` arrival orders only what the thread did before its last fence.
  void Arrive(GpuThread& thread, bool relaxed, uint32_t site);
  /// barrier.cluster.wait: waits until all threads have arrived.
  void Wait(GpuThread& thread, uint32_t site);
  /// Records that a thread has returned from the kernel.
  void ThreadExits(GpuThread& thread);

 private:
  /// The value in arrivals_ for a thread that has not arrived, or has waited after its last arrival.
  static constexpr uint64_t kNone = UINT64_MAX;

  void CompleteIfAllArrived(GpuThread& thread);

  uint32_t threads_ = 0;
  uint32_t exited_ = 0;
  uint32_t arrived_ = 0;            ///< Threads that have arrived in this phase or exited.
  uint64_t phase_ = 0;              ///< The number of completed phases.
  std::vector<uint64_t> arrivals_;  ///< For each thread, the phase of its arrival, or kNone; empty at first.
  SyncClock released_, completed_;  ///< With a monitor: what arrivals released in this phase, and in completed ones.
};

}  // namespace mmtune::simt
