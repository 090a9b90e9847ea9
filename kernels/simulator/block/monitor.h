// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What watches a launch, and is told of one block while it runs what its threads access, and how they meet: to find
// races (watch/race_monitor.h), or to count (profile/profile_monitor.h).
//
// Of races: it knows which accesses of memory are ordered, and which are not. Happens-before over the threads of a
// block is kept in vector clocks (FastTrack). A barrier joins the clocks of those who meet; an mbarrier, an atomic and
// a lock have a SyncClock that threads release to and acquire from. Asynchronous writes and reads of shared memory are
// pending from their issue until whoever waits for them has waited. Used by one OS thread; a block's monitor also sees
// the global memory that all blocks of a launch share.
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

/// Clocks released to a synchronisation object: what is known by those who acquire from it.
struct SyncClock {
  std::vector<uint32_t> clocks;  ///< Per thread of the block, then the monitor's own; empty: nothing was released.
  std::shared_ptr<const OtherBlocks> others;  ///< What those who released knew of other blocks; null: nothing.
};

/// A pending asynchronous access, until it is ended.
using AsyncToken = uint64_t;

class Monitor {
 public:
  virtual ~Monitor() = default;

  /// A block begins. It lasts until the next one does.
  virtual void BeginBlock(Block& block) = 0;
  /// Whether there are so many findings that the launch ends.
  virtual bool IsOver() const = 0;

  /// Judges and records an access of shared or global memory; of other memory it ignores. Reports at most one finding.
  /// Does not return when the access cannot be made: the launch ends.
  virtual void Access(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) = 0;
  /// The same for an operation on an mbarrier, which orders its users by what it counts and not by the access itself.
  virtual void AccessMbarrier(GpuThread& thread, const void* address, size_t bytes, uint32_t site) = 0;
  /// A buffer at `shared` begins anew: what the thread knows to be written there counts as never written.
  virtual void SharedBegins(GpuThread& thread, const void* shared) = 0;

  /// All of `threads` meet: each is ordered after what all did before.
  virtual void Meet(std::span<GpuThread* const> threads) = 0;
  /// Orders the thread's relaxed atomics and what is around them.
  virtual void Fence(GpuThread& thread) = 0;
  virtual void Release(GpuThread& thread, SyncClock& clock) = 0;
  virtual void Acquire(GpuThread& thread, const SyncClock& clock) = 0;

  /// An asynchronous write of shared memory begins: it conflicts with accesses that are not ordered before its issue,
  /// and any access before it ends is a finding.
  virtual AsyncToken BeginAsyncWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// The bytes have landed. Those ordered after the issuing thread as of now may use them when `by_issuer`; otherwise
  /// (bulk copies) those who acquire `clock`, which gets the issuer's clock as of the issue. `clock` may be null.
  virtual void EndAsyncWrite(AsyncToken token, bool by_issuer, SyncClock* clock) = 0;
  /// An asynchronous read (wgmma, a bulk store): writes before it ends are findings.
  virtual AsyncToken BeginAsyncRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site) = 0;
  /// Reading is over, and that is known to those ordered after `thread`, as of now.
  virtual void EndAsyncRead(AsyncToken token, GpuThread& thread) = 0;

  /// A finding of the kind `kind` ("barrier-divergence", "misaligned", …), which `what` tells in a line.
  /// `other`, a thread at `other_site`, is the second party where there is one.
  virtual void Report(std::string_view kind, GpuThread& thread, uint32_t site, std::string_view what,
                      const GpuThread* other = nullptr, uint32_t other_site = 0) = 0;
  /// Of code for profile mode: a conditional branch, and an iteration of a loop that begins.
  virtual void Branch(GpuThread&, bool /*taken*/, uint32_t /*site*/) {}
  virtual void Iterate(GpuThread&) {}

  /// No thread of the block can go on.
  virtual void Deadlock(std::span<GpuThread> threads) = 0;
};

}  // namespace mmtune::simt
