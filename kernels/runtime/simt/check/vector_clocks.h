// Happens-before among the threads of a block, and what they know of other blocks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/simt/check/monitor.h"

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

/// What a thread of some block knew when it released.
struct Snapshot {
  uint64_t block = 0;
  uint32_t thread = 0;
  uint32_t clock = 0;
  SharedClocks seen;
  SharedOtherBlocks others;
};

/// The clock of each thread, and what each has seen of the others'. What is seen is shared between the threads that
/// met, and never changed: after a barrier of the whole block all threads share one. A clock only grows, from block to
/// block, and grows whenever others may learn of it. Beside the threads there are kAsyncOwners owners of asynchronous
/// writes, so that having met the issuer of one is not having waited for it.
class VectorClocks {
 public:
  static constexpr uint32_t kAsyncOwners = 16;

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

  /// Returns whether that was the whole block.
  bool Meet(std::span<GpuThread* const> threads);
  void Release(uint32_t thread, SyncClock& clock);
  void Acquire(uint32_t thread, const SyncClock& clock);
  Snapshot TakeSnapshot(uint32_t thread);
  void AcquireSnapshot(uint32_t thread, const Snapshot& snapshot);

  /// What atomics on an address have released, by word. An atomic acquires from those before it on its words, then
  /// releases: it knows what they knew, so that the last one is enough to keep.
  class Atomics {
   public:
    void Acquire(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes) const;
    void Release(VectorClocks& clocks, uint32_t thread, uintptr_t address, size_t bytes);
    void Clear() { snapshots_.clear(); }

   private:
    std::unordered_map<uintptr_t, Snapshot> snapshots_;
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
  };

  void SetSeen(ThreadState& state, SharedClocks seen);
  /// Adds `clocks`, and `clock` of `owner`, to what the thread has seen.
  void Join(uint32_t thread, const Clocks& clocks, uint32_t owner, uint32_t clock);

  uint64_t block_ = 0;
  uint32_t threads_ = 0;
  std::vector<ThreadState> states_;
  std::vector<uint32_t> async_clocks_ = std::vector<uint32_t>(kAsyncOwners);
  std::map<const SyncClock*, uint32_t> async_owners_;
};

}  // namespace mmtune::simt
