// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of monitors: they are told which memory the threads of a running block access and how the threads
// synchronise. RaceMonitor finds races, ProfileMonitor counts.
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
class Block;
class OtherBlocks;

/// The vector clock of a synchronisation object (mbarrier, named barrier): threads release to it and acquire from it.
struct SyncClock {
  std::vector<uint32_t> clocks;               ///< By thread, then the monitor's own; empty: nothing was released.
  std::shared_ptr<const OtherBlocks> others;  ///< Clocks of other blocks; null: none.
};

/// Identifies a pending asynchronous access.
using AsyncToken = uint64_t;

/// Observes one launch, block after block, on one OS thread. A monitor keeps state of global memory over all blocks.
class Monitor {
 public:
  virtual ~Monitor() = default;

  /// Begins a block, which lasts until the next one begins.
  virtual void BeginBlock(Block& block) = 0;
  /// True if there are so many findings that the launch has to end.
  virtual bool IsOver() const = 0;

  /// Checks and records an access of shared or global memory, and ignores other memory. Reports at most one finding.
  /// Does not return if the access is impossible: it ends the launch.
  virtual void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) = 0;
  /// The same for an operation on an mbarrier. Such accesses do not order anything; Release() and Acquire() do.
  virtual void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) = 0;
  /// Begins a new lifetime of the buffer at `shared`: what the thread knows to be written counts as uninitialised.
  virtual void SharedBegins(GpuThread& thread, const void* shared) = 0;

  /// Synchronises all of `threads`: each is ordered after what all did before.
  virtual void Synchronize(std::span<GpuThread* const> threads) = 0;
  /// Records a fence, which orders the thread's relaxed atomics.
  virtual void Fence(GpuThread& thread) = 0;
  virtual void Release(GpuThread& thread, SyncClock& clock) = 0;
  virtual void Acquire(GpuThread& thread, const SyncClock& clock) = 0;

  /// Begins an asynchronous write of shared memory. Accesses that are not ordered before its issue are races, and so is
  /// any access before it ends.
  virtual AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// Ends an asynchronous write. With `by_issuer`, threads ordered after the issuing thread as of now may use the
  /// bytes; otherwise (bulk copies) those that acquire `clock`, which gets the issuer's clock as of the issue. `clock`
  /// may be null.
  virtual void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) = 0;
  /// Begins an asynchronous read (wgmma, a bulk store). Writes before it ends are races.
  virtual AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// Ends an asynchronous read. Threads ordered after `thread` as of now may write the bytes.
  virtual void EndAsyncRead(AsyncToken token, GpuThread& thread) = 0;

  /// Adds a finding of kind `kind` ("barrier-divergence", "misuse", ...), described by the line `what`. `other`, at
  /// `other_site`, is the second thread involved, if there is one.
  virtual void Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what,
                      const GpuThread* other = nullptr, uint32_t other_site = 0) = 0;
  /// Records a conditional branch, and the begin of a loop iteration. Only code for profiling reports them.
  virtual void Branch(GpuThread&, bool /*taken*/, uint32_t /*site*/) {}
  virtual void Iterate(GpuThread&) {}

  /// Reports that no thread of the block can continue.
  virtual void Deadlock(std::span<GpuThread> threads) = 0;
};

}  // namespace mmtune::simt
