// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Happens-before among the threads of a block, and what they know of other blocks.
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

using Clocks = std::vector<uint32_t>;
using SharedClocks = std::shared_ptr<const Clocks>;

/// What a thread has learned, through atomics, of blocks that are not its own: their threads' clocks.
class OtherBlocks {
 public:
  std::map<uint64_t, SharedClocks> blocks;

  bool Knows(uint64_t block, uint32_t thread, uint32_t clock) const;
};
using SharedOtherBlocks = std::shared_ptr<const OtherBlocks>;

/// What a thread of some block releases. Who knows of the thread as of `clock` knows all of it.
struct Snapshot {
  uint64_t block = 0;
  uint32_t thread = 0;
  uint32_t clock = 0;
  uint32_t own = 0;  ///< Of what the thread itself did: as of this clock.
  SharedClocks seen;
  SharedOtherBlocks others;
};
using Snapshots = std::vector<Snapshot>;
using SharedSnapshots = std::shared_ptr<const Snapshots>;

/// The clock of each thread, and what each has seen of the others'. What is seen is shared between the threads that
/// met, and never changed: after a barrier of the whole block all threads share one. A clock only grows, from block to
/// block, and grows whenever others may learn of it. Beside the threads there are kAsyncOwners owners of asynchronous
/// writes, so that having met the issuer of one is not having waited for it.
class VectorClocks {
 public:
  static constexpr uint32_t kAsyncOwners = 255;

  void BeginBlock(uint64_t block, uint32_t threads);

  uint64_t block() const { return block_; }
  uint32_t threads() const { return threads_; }
  uint32_t Now(uint32_t thread) const { return states_[thread].now; }

  /// Whether `thread` is ordered after what `owner`, a thread or an asynchronous owner, did at `clock`.
  bool Knows(uint32_t thread, uint32_t owner, uint32_t clock) const {
    return owner == thread || clock <= states_[thread].known[owner];
  }
  bool KnowsOther(uint32_t thread, uint64_t block, uint32_t owner, uint32_t clock) const {
    return states_[thread].others != nullptr && states_[thread].others->Knows(block, owner, clock);
  }

  /// Whether another block could have learned anything: a thread has executed a fence, or an atomic that releases.
  bool has_published() const { return has_published_; }

  /// Returns whether that was the whole block.
  bool Meet(std::span<GpuThread* const> threads);
  void Release(uint32_t thread, SyncClock& clock);
  void Acquire(uint32_t thread, const SyncClock& clock);
  Snapshot TakeSnapshot(uint32_t thread);
  void AcquireSnapshots(uint32_t thread, std::span<const Snapshot> snapshots);
  /// The thread has executed a fence: it knows what its relaxed atomics saw, and those that follow release what it
  /// knew.
  void Fence(uint32_t thread);

  /// What atomics on an address have released, by word: by themselves, or by a fence before them. A write that is no
  /// update ends what other threads have released there. A barrier is a fence for what its threads saw, and those who
  /// met have the fences of one another: so does the last block to finish add up what the others have written.
  class Atomics {
   public:
    // Before and after the access itself, whose clock is the thread's in between.
    void Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Clear() { released_.clear(); }

   private:
    static void Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot, bool is_update,
                        SharedSnapshots* released);

    std::unordered_map<uintptr_t, SharedSnapshots> released_;
  };

  /// An asynchronous write, issued at `issue`, that those know who acquire `clock`: its owner, and the owner's clock.
  struct AsyncWrite {
    uint32_t owner;
    uint32_t clock;
  };
  AsyncWrite ReleaseAsyncWrite(const Snapshot& issue, SyncClock& clock);

 private:
  struct ThreadState {
    uint32_t now = 0;
    const uint32_t* known = nullptr;  ///< Of `seen`, whose entry for the thread itself says nothing.
    SharedClocks seen;
    SharedOtherBlocks others;
    Snapshot fenced;            ///< What it knew at its last fence; `seen` is null when there was none.
    SharedSnapshots last_read;  ///< The newest that is in `read`.
    Snapshots read;             ///< By relaxed atomics since its last fence, of threads in no order.
  };

  bool KnowsSnapshot(uint32_t thread, const Snapshot& snapshot) const {
    return snapshot.block == block_ ? Knows(thread, snapshot.thread, snapshot.clock)
                                    : KnowsOther(thread, snapshot.block, snapshot.thread, snapshot.clock);
  }
  void ReadRelaxed(uint32_t thread, const SharedSnapshots& snapshots);
  void AcquireRead(uint32_t thread);
  void MeetFences(std::span<GpuThread* const> threads);
  void SetSeen(ThreadState& state, SharedClocks seen);

  uint64_t block_ = 0;
  uint32_t threads_ = 0;
  bool has_published_ = false;
  std::vector<ThreadState> states_;
  std::vector<uint32_t> async_clocks_ = std::vector<uint32_t>(kAsyncOwners);
  std::map<const SyncClock*, uint32_t> async_owners_;
};

}  // namespace mmtune::simt
