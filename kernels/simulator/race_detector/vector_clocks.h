// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks: the happens-before order between the threads of a block, and between them and threads of other blocks.
// The blocks of a cluster count as one block, whose threads are numbered by GpuThread::number (scheduler.h). Two
// accesses of which at least one writes, and which are not ordered, are a data race.
//
// Each thread has a clock, a counter. A thread "knows" another one up to the last value of the other's clock that it
// has acquired through a barrier, an mbarrier or an atomic. It is ordered after everything that the other thread did
// until its clock had that value.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

/// A clock value for each thread. Vectors that several threads share are immutable.
using Clocks = std::vector<uint32_t>;
using SharedClocks = std::shared_ptr<const Clocks>;

/// The clocks of threads of other blocks that a thread has acquired through atomics.
class OtherBlockClocks {
 public:
  /// The clocks of each block's threads, by the number of the block.
  std::map<uint64_t, SharedClocks> blocks;

  /// True if the clock of thread `thread` of block `block` is known to be at least `clock`.
  bool Includes(uint64_t block, uint32_t thread, uint32_t clock) const;
};
using SharedOtherBlockClocks = std::shared_ptr<const OtherBlockClocks>;

/// The state of a thread that a release publishes: its own accesses, and those that it is ordered after. Another thread
/// that knows `thread` up to `clock` is ordered after all of this state.
struct Snapshot {
  uint64_t block = 0;
  uint32_t thread = 0;
  uint32_t clock = 0;
  uint32_t own = 0;  ///< The clock up to which the state includes the thread's own accesses.
  /// The clocks of other threads that the thread knew, in its block and in other blocks.
  SharedClocks seen;
  SharedOtherBlockClocks others;
  bool is_of_block = false;  ///< True if only threads of the same block are ordered after the state (scope .cta).
};
using Snapshots = std::vector<Snapshot>;
using SharedSnapshots = std::shared_ptr<const Snapshots>;

/// The vector clock of each thread of the running block. After a barrier of the whole block, all threads share one
/// vector. A thread's own clock grows at each release, and never falls, not even from block to block.
///
/// An asynchronous write has a clock of its own, because being ordered after the thread that issued the write does not
/// mean that the write has ended. These clocks belong to kAsyncOwners owners, which are numbered after the threads;
/// each mbarrier for which such writes end uses one of them. Not thread-safe.
class VectorClocks {
 public:
  /// The number of owners of asynchronous writes.
  static constexpr uint32_t kAsyncOwners = 255;

  /// Begins a block of `threads` threads, or a cluster of blocks of `threads_of_block` threads each, 0 for one block.
  /// Threads know only themselves.
  void BeginBlock(uint64_t block, uint32_t threads, uint32_t threads_of_block = 0);

  /// Returns the number of the running block, or of the running cluster.
  uint64_t block() const { return block_; }
  uint32_t threads() const { return threads_; }
  /// Returns the thread's own clock.
  uint32_t Now(uint32_t thread) const { return states_[thread].now; }

  /// True if `thread` is ordered after what `owner`, a thread or an owner of asynchronous writes, did at `clock`.
  bool IsOrderedAfter(uint32_t thread, uint32_t owner, uint32_t clock) const {
    return owner == thread || clock <= states_[thread].known[owner];
  }
  /// True if `thread` is ordered after everything that threads of this block released to `clock`.
  bool IsOrderedAfter(uint32_t thread, const SyncClock& clock) const;
  /// True if `thread` is ordered after what `owner`, a thread of another block, did at `clock`.
  bool IsOrderedAfterOtherBlock(uint32_t thread, uint64_t block, uint32_t owner, uint32_t clock) const {
    return states_[thread].others != nullptr && states_[thread].others->Includes(block, owner, clock);
  }

  /// True if `thread` is ordered after the start of one of the threads [first, first + count).
  bool IsOrderedAfterStart(uint32_t thread, uint32_t first, uint32_t count) const;

  /// True once a thread has executed a fence or a releasing atomic: from then on other blocks may be ordered after it.
  bool has_published() const { return has_published_; }

  /// Orders each of `threads` after what all of them did before. Returns true if they are the whole block.
  bool Synchronize(std::span<GpuThread* const> threads);
  /// Releases to a synchronisation object what the thread has done.
  void Release(uint32_t thread, SyncClock& clock);
  /// Releases only the start of the thread and what it did before its last fence, as a relaxed operation does.
  void ReleaseFenced(uint32_t thread, SyncClock& clock);
  /// Orders the thread after what was released to a synchronisation object.
  void Acquire(uint32_t thread, const SyncClock& clock);
  /// Returns the state of a thread, for a release, and increments the thread's clock.
  Snapshot TakeSnapshot(uint32_t thread);
  /// Orders the thread after the states in `snapshots`.
  void AcquireSnapshots(uint32_t thread, std::span<const Snapshot> snapshots);
  /// Records a fence. The thread acquires what its relaxed atomics have read; its later relaxed atomics release what it
  /// did before the fence.
  void Fence(uint32_t thread);
  /// Records a fence of scope .cta, which acts like Fence(), but only for threads of the same block of a cluster.
  void FenceInBlock(uint32_t thread);

  /// The states released by atomics, or by fences before them, for each word of memory. A write that is not a
  /// read-modify-write replaces what other threads have released there.
  ///
  /// A barrier of the block counts as a fence for what its threads have read with relaxed atomics. After it, the last
  /// fence of each thread also covers what the other threads did before their last fences. Kernels rely on this if the
  /// last block to finish adds up what other blocks have written.
  class Atomics {
   public:
    // Acquire() must be called before the access itself, Release() after it.
    void Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Clear() { released_.clear(); }

   private:
    void Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot, uintptr_t address, size_t bytes,
                 bool is_update);
    static void Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot, bool is_update,
                        SharedSnapshots* released);

    std::unordered_map<uintptr_t, SharedSnapshots> released_;
  };

  /// The owner of an asynchronous write and the owner's clock.
  struct AsyncWrite {
    uint32_t owner;
    uint32_t clock;
  };
  /// Releases to `clock` an asynchronous write, and what its issuer had done when it issued the write (`issue`).
  AsyncWrite ReleaseAsyncWrite(const Snapshot& issue, SyncClock& clock);

 private:
  struct ThreadState {
    uint32_t now = 0;
    uint32_t start = 0;               ///< A value of its clock from before all its accesses in this block.
    const uint32_t* known = nullptr;  ///< seen->data(); the entry of the thread itself is unused.
    SharedClocks seen;
    SharedOtherBlockClocks others;
    Snapshot fenced;            ///< The thread's state at its last fence; fenced.seen is null if there was none.
    Snapshot fenced_in_block;   ///< Its state at its last fence of scope .cta, unless a wider fence has followed.
    SharedSnapshots last_read;  ///< The states that its last relaxed atomic has read, to skip repetitions.
    Snapshots read;             ///< The states read by relaxed atomics since its last fence, in no order.
  };

  bool IsOrderedAfterSnapshot(uint32_t thread, const Snapshot& snapshot) const {
    return snapshot.block == block_ ? IsOrderedAfter(thread, snapshot.thread, snapshot.clock)
                                    : IsOrderedAfterOtherBlock(thread, snapshot.block, snapshot.thread, snapshot.clock);
  }
  /// True if `thread` may be ordered after `snapshot`, as far as its scope tells.
  bool IsInScope(uint32_t thread, const Snapshot& snapshot) const {
    return !snapshot.is_of_block ||
           (snapshot.block == block_ && snapshot.thread / threads_of_block_ == thread / threads_of_block_);
  }
  void ReadRelaxed(uint32_t thread, const SharedSnapshots& snapshots);
  void AcquireRead(uint32_t thread);
  void JoinFences(std::span<GpuThread* const> threads);
  void SetSeen(ThreadState& state, SharedClocks seen);

  uint64_t block_ = 0;
  uint32_t threads_ = 0;
  uint32_t threads_of_block_ = 1;
  bool has_published_ = false;
  std::vector<ThreadState> states_;
  std::vector<uint32_t> async_clocks_ = std::vector<uint32_t>(kAsyncOwners);
  std::map<const SyncClock*, uint32_t> async_owners_;
};

}  // namespace mmtune::simt
