// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks: the happens-before order among the threads of a block, and between them and other blocks.
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

/// Clocks of threads of other blocks, which a thread has acquired through atomics.
class OtherBlocks {
 public:
  std::map<uint64_t, SharedClocks> blocks;

  bool Knows(uint64_t block, uint32_t thread, uint32_t clock) const;
};
using SharedOtherBlocks = std::shared_ptr<const OtherBlocks>;

/// The state that a thread releases. Whoever is ordered after the thread at `clock` is ordered after all of it.
struct Snapshot {
  uint64_t block = 0;
  uint32_t thread = 0;
  uint32_t clock = 0;
  uint32_t own = 0;  ///< The clock of the thread's own accesses.
  SharedClocks seen;
  SharedOtherBlocks others;
};
using Snapshots = std::vector<Snapshot>;
using SharedSnapshots = std::shared_ptr<const Snapshots>;

/// The vector clock of each thread. Clocks seen of other threads are immutable and shared: after a barrier of the whole
/// block all threads share one vector. A thread's own clock only grows, also from block to block, and grows whenever it
/// is released. Beside the threads there are kAsyncOwners owners of asynchronous writes, because synchronising with the
/// issuer of one is not waiting for it. Not thread-safe.
class VectorClocks {
 public:
  static constexpr uint32_t kAsyncOwners = 255;

  void BeginBlock(uint64_t block, uint32_t threads);

  uint64_t block() const { return block_; }
  uint32_t threads() const { return threads_; }
  uint32_t Now(uint32_t thread) const { return states_[thread].now; }

  /// True if `thread` is ordered after what `owner`, a thread or an asynchronous owner, did at `clock`.
  bool Knows(uint32_t thread, uint32_t owner, uint32_t clock) const {
    return owner == thread || clock <= states_[thread].known[owner];
  }
  bool KnowsOther(uint32_t thread, uint64_t block, uint32_t owner, uint32_t clock) const {
    return states_[thread].others != nullptr && states_[thread].others->Knows(block, owner, clock);
  }

  /// True once a thread has executed a fence or a releasing atomic, so that other blocks may be ordered after it.
  bool has_published() const { return has_published_; }

  /// Orders each of `threads` after what all did before. Returns true if they are the whole block.
  bool Synchronize(std::span<GpuThread* const> threads);
  void Release(uint32_t thread, SyncClock& clock);
  void Acquire(uint32_t thread, const SyncClock& clock);
  Snapshot TakeSnapshot(uint32_t thread);
  void AcquireSnapshots(uint32_t thread, std::span<const Snapshot> snapshots);
  /// Records a fence: the thread acquires what its relaxed atomics have read, and later relaxed atomics release what is
  /// before the fence.
  void Fence(uint32_t thread);

  /// Snapshots released by atomics, or by fences before them, by word of memory. A write that is not an update replaces
  /// what other threads have released there. A barrier counts as a fence for what its threads have read, and passes on
  /// their fences: the last block to finish relies on it when it adds up what the others have written.
  class Atomics {
   public:
    // Acquire() is called before the access itself, Release() after it.
    void Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes, AccessKind kind);
    void Clear() { released_.clear(); }

   private:
    static void Publish(const VectorClocks& clocks, uint32_t thread, const Snapshot& snapshot, bool is_update,
                        SharedSnapshots* released);

    std::unordered_map<uintptr_t, SharedSnapshots> released_;
  };

  /// Releases an asynchronous write, issued at `issue`, to `clock`; returns its owner and the owner's clock.
  struct AsyncWrite {
    uint32_t owner;
    uint32_t clock;
  };
  AsyncWrite ReleaseAsyncWrite(const Snapshot& issue, SyncClock& clock);

 private:
  struct ThreadState {
    uint32_t now = 0;
    const uint32_t* known = nullptr;  ///< seen->data(); the entry of the thread itself is unused.
    SharedClocks seen;
    SharedOtherBlocks others;
    Snapshot fenced;            ///< State at its last fence; `seen` is null when there was none.
    SharedSnapshots last_read;  ///< The newest in `read`.
    Snapshots read;             ///< Read by relaxed atomics since its last fence, unordered.
  };

  bool KnowsSnapshot(uint32_t thread, const Snapshot& snapshot) const {
    return snapshot.block == block_ ? Knows(thread, snapshot.thread, snapshot.clock)
                                    : KnowsOther(thread, snapshot.block, snapshot.thread, snapshot.clock);
  }
  void ReadRelaxed(uint32_t thread, const SharedSnapshots& snapshots);
  void AcquireRead(uint32_t thread);
  void JoinFences(std::span<GpuThread* const> threads);
  void SetSeen(ThreadState& state, SharedClocks seen);

  uint64_t block_ = 0;
  uint32_t threads_ = 0;
  bool has_published_ = false;
  std::vector<ThreadState> states_;
  std::vector<uint32_t> async_clocks_ = std::vector<uint32_t>(kAsyncOwners);
  std::map<const SyncClock*, uint32_t> async_owners_;
};

}  // namespace mmtune::simt
