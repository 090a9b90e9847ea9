// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU thread of the block that an OS thread runs.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/fiber.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

class BlockOps;

inline constexpr uint32_t kWarpSize = 32;

/// A cp.async that its thread has not waited for.
struct AsyncCopy {
  char* shared = nullptr;
  const char* global = nullptr;
  uint32_t bytes = 0;
  uint32_t source_bytes = 0;  ///< The rest is zero-filled.
  AsyncToken token = 0;       ///< In a watched launch.
  bool landed = false;        ///< The data are there; only the wait is missing.

  void Land();
};

/// Copies in the order of their issue, in groups as they were committed. Sequence numbers count issued copies.
class CopyQueue {
 public:
  void Clear() {
    copies_.clear();
    groups_.clear();
    finished_ = 0;
  }
  void Issue(const AsyncCopy& copy) { copies_.push_back(copy); }
  void Commit() { groups_.push_back(issued()); }

  /// The copies that are done when at most `groups` committed groups are unfinished: those numbered below the result.
  /// Forgets their groups.
  uint64_t FinishGroups(uint32_t groups);

  uint64_t issued() const { return finished_ + copies_.size(); }
  uint64_t finished() const { return finished_; }
  /// The oldest copy is done: forgets it.
  AsyncCopy TakeOldest();

 private:
  std::deque<AsyncCopy> copies_;
  std::deque<uint64_t> groups_;  ///< The number of copies issued when each was committed.
  uint64_t finished_ = 0;
};

/// A thread polls when it does nothing but read the same few words atomically, and finds them unchanged.
class PolledWords {
 public:
  /// Whether a thread that is about to read the word there does so in a loop that is not short.
  bool IsPolling(const void* address) const { return polls_ >= kFreePolls && Find(address) != nullptr; }
  /// The thread has read `value`. False when it was there the last time: the thread polls.
  bool Learn(const void* address, uint64_t value);
  /// The thread has done something else than poll.
  void Restart() { polls_ = 0; }

 private:
  /// A loop of this many polls still counts as short.
  static constexpr uint32_t kFreePolls = 16;

  struct Word {
    const void* address = nullptr;
    uint64_t value = 0;
  };
  const Word* Find(const void* address) const;

  std::array<Word, 4> words_;
  uint32_t next_ = 0;  ///< The word that is replaced next.
  uint32_t polls_ = 0;
};

/// What compiled code knows as its ThreadContext. What a switch between threads touches comes first, in two lines of
/// the cache.
struct alignas(64) GpuThread : ThreadContext {
  enum class State : uint8_t { kReady, kPolling, kAtBarrier, kAtWarpBarrier, kInWarpOperation, kAsleep, kExited };

  Block* block = nullptr;
  BlockOps* ops = nullptr;  ///< What the operations of the block remember; ops/ knows it.
  Fiber fiber;
  State state = State::kReady;
  bool tracks_copies = false;  ///< Whether cp.async goes through `copies`; in fast mode it is done at once.
  uint32_t waits_for = 0;      ///< The barrier's id, or the mask of the warp barrier or warp operation.
  uint32_t site = 0;           ///< Of the runtime call that it is in, or was last in.

  const char* what = nullptr;     ///< kAsleep: what it waits for.
  const void* channel = nullptr;  ///< kAsleep.
  const uint32_t* in = nullptr;   ///< kInWarpOperation, and until its results are there.
  uint32_t* out = nullptr;
  uint32_t trues = 0, votes = 0;  ///< Of the barrier reduction that it was last in.
  CopyQueue copies;
  PolledWords polled;
};

/// The thread whose context compiled code holds.
inline GpuThread* ThreadOf(ThreadContext* context) { return static_cast<GpuThread*>(context); }

/// What memory that holds nothing yet is filled with in stress mode, byte by byte: NaN in every floating-point type.
inline constexpr int kPoison = 0xFF;

/// The place of element `number` in a box of `extents`, x first and fastest.
template <typename Number>
void PlaceIn(const uint32_t* extents, Number number, uint32_t* place) {
  const Number width = extents[0], height = extents[1];
  place[0] = static_cast<uint32_t>(number % width);
  place[1] = static_cast<uint32_t>(number / width % height);
  place[2] = static_cast<uint32_t>(number / width / height);
}

/// "waits at barrier 0", "has exited".
std::string StateText(const GpuThread& thread);

}  // namespace mmtune::simt
