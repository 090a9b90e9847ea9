// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of observers of a simulated launch. A monitor is told which memory the GPU threads access and how they
// synchronise. Compiled kernels call the operations of kernels/simulator/ops, and these call the monitor. There are two
// monitors: RaceMonitor finds data races and misuse, ProfileMonitor counts instructions.
//
// An asynchronous access (cp.async, bulk copy, wgmma) lasts from its Begin… call to its End… call, because the hardware
// may make it at any time between.
//
// A `site` is the number of a program point in the table of sites of the compiled kernel (abi/abi.h). A finding is a
// report of a race, a misuse or a deadlock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/simulator/abi/abi.h"

namespace mmtune::simt {

struct GpuThread;
class ClusterRunner;
class OtherBlockClocks;

/// The vector clock of a synchronisation object, such as an mbarrier: threads release to it and acquire from it.
struct SyncClock {
  /// The clocks of the threads, by GpuThread::number, then those of asynchronous writes (VectorClocks::kAsyncOwners in
  /// vector_clocks.h). Empty if nothing was released.
  std::vector<uint32_t> clocks;
  std::shared_ptr<const OtherBlockClocks> others;  ///< Clocks of threads of other blocks; null for none.
};

/// Identifies an asynchronous access that has not ended.
using AsyncToken = uint64_t;

/// Observes one launch, block after block or cluster after cluster, on one OS thread. State of global memory is kept
/// for the whole launch.
class Monitor {
 public:
  virtual ~Monitor() = default;

  /// Begins a block, or the blocks of a cluster together. It ends when the next one begins.
  virtual void BeginBlock(ClusterRunner& runner) = 0;
  /// True if there are so many findings that the launch must end.
  virtual bool IsOver() const = 0;

  /// Checks and records an access of shared or global memory; other memory is ignored. Reports at most one finding. If
  /// the access cannot be made, for example because it is out of bounds, ends the launch and does not return.
  virtual void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) = 0;
  /// Checks and records an operation on an mbarrier. This call does not order threads; Release() and Acquire() report
  /// how the operation does.
  virtual void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) = 0;
  /// Reports that the buffer at `shared`, up to the next red zone (abi/abi.h), is reused: its bytes count as
  /// uninitialised again. A byte stays as it is if the thread is not ordered after its last write, because that is a
  /// race.
  virtual void SharedBegins(GpuThread& thread, const void* shared) = 0;

  /// Orders each of `threads` after everything that all of them did before (a barrier).
  virtual void Synchronize(std::span<GpuThread* const> threads) = 0;
  /// Records a memory fence, which orders the thread's relaxed atomics.
  virtual void Fence(GpuThread& thread) = 0;
  /// Records a memory fence that orders the thread's relaxed atomics only for threads of its own block (.cta).
  virtual void FenceInBlock(GpuThread& /*thread*/) {}
  /// Records that threads which acquire `clock` later are ordered after what the thread has done.
  virtual void Release(GpuThread& thread, SyncClock& clock) = 0;
  /// Records that threads which acquire `clock` later are ordered after what the thread did before its last fence, and
  /// after its start (a relaxed arrival at the barrier of a cluster).
  virtual void ReleaseFenced(GpuThread& /*thread*/, SyncClock& /*clock*/) {}
  /// Orders the thread after everything that was released to `clock`.
  virtual void Acquire(GpuThread& thread, const SyncClock& clock) = 0;

  /// True if the thread is ordered after everything that was released to `clock`.
  virtual bool IsOrdered(const GpuThread& /*thread*/, const SyncClock& /*clock*/) const { return true; }

  /// Begins an asynchronous write of shared memory. It races with earlier accesses that are not ordered before it, and
  /// with every access until it ends.
  virtual AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// Ends an asynchronous write. `by_issuer` is true if the issuing thread itself has waited for the end
  /// (cp.async.wait_group): then threads that are ordered after that thread from now on may use the bytes. If it is
  /// false (the copy arrives at an mbarrier), only threads that acquire `clock` may, and they are also ordered after
  /// what the issuer did before it issued the write. If `clock` is null, `by_issuer` counts as true.
  virtual void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) = 0;
  /// Begins an asynchronous read (wgmma, bulk store). It races with every write until it ends.
  virtual AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// Ends an asynchronous read. Threads that are ordered after `thread` from now on may write the bytes.
  virtual void EndAsyncRead(AsyncToken token, GpuThread& thread) = 0;

  /// Reports that a block ends; `thread` is its last thread to exit.
  virtual void BlockExits(GpuThread& /*thread*/) {}

  /// Adds a finding by `thread` at `site`. `kind` is "barrier-divergence", "misuse" and so on; `what` describes it in a
  /// line. `other`, at `other_site`, is the second thread involved; null if there is none.
  virtual void Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what,
                      const GpuThread* other = nullptr, uint32_t other_site = 0) = 0;
  /// Record a conditional branch (`taken` is its condition), and the start of a loop iteration. Only code compiled for
  /// profiling reports them.
  virtual void Branch(GpuThread&, bool /*taken*/, uint32_t /*site*/) {}
  virtual void Iterate(GpuThread&) {}

  /// Reports that no thread of the block can continue.
  virtual void Deadlock(std::span<GpuThread> threads) = 0;
};

}  // namespace mmtune::simt
