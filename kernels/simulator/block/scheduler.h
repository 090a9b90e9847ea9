// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU thread of the block that an OS thread runs.
//
// Which thread of a block goes on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/block/fiber.h"
#include "kernels/simulator/block/monitor.h"
#include "proto/base/split_mix64.h"

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


/// The threads that can go on: a ring of a power of two at least the number of threads, each of which is in it at most
/// once.
class ReadyQueue {
 public:
  void Reset(uint32_t threads) {
    ring_.resize(std::bit_ceil(threads));
    mask_ = static_cast<uint32_t>(ring_.size()) - 1;
    head_ = tail_ = 0;
  }

  bool empty() const { return head_ == tail_; }
  uint32_t size() const { return tail_ - head_; }

  void Push(GpuThread* thread) { ring_[tail_++ & mask_] = thread; }
  /// The one that has waited longest.
  GpuThread* Pop() { return ring_[head_++ & mask_]; }
  GpuThread* PopAny(SplitMix64& random) {
    std::swap(ring_[head_ & mask_], ring_[(head_ + random.Below(size())) & mask_]);
    return Pop();
  }

 private:
  std::vector<GpuThread*> ring_;
  uint32_t head_ = 0, tail_ = 0;  ///< They only grow.
  uint32_t mask_ = 0;
};

/// Threads run until they wait; then the one that became ready first goes on, or in stress mode any that is ready.
/// Used by one OS thread.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// A block of `threads` threads begins, none of which is ready yet. `random` is of stress mode; `monitor` may be
  /// null.
  void Reset(uint32_t threads, std::optional<SplitMix64> random, Monitor* monitor);
  /// The thread is ready to call entry(thread) on `stack`; `entry` ends with Exit().
  void Start(GpuThread* thread, StackSpan stack, Fiber::Entry entry) {
    thread->fiber.Prepare(stack, entry, thread);
    MakeReady(thread);
  }
  /// Runs threads until all have exited, none can go on, or one has called Leave().
  void Run();
  /// Null outside of Run().
  GpuThread* running() const { return running_; }
  uint32_t exited() const { return exited_; }

  // Called on the fiber of a thread that runs.

  /// The thread waits until Wake() of the same `channel`; `what` names in a deadlock's report what it waits for and
  /// outlives the wait. Spurious returns are possible.
  void Sleep(GpuThread* thread, const void* channel, uint32_t site, const char* what);
  void Wake(const void* channel);
  /// Lets other threads run first: for loops that poll. A block in which threads only poll is a deadlock.
  void Yield(GpuThread* thread, uint32_t site);
  [[noreturn]] void Exit(GpuThread* thread) {
    thread->state = GpuThread::State::kExited;
    ++exited_;
    NoteProgress();
    RunNext(thread);
    std::abort();  // Nobody resumes an exited thread.
  }
  /// Ends Run(). Nobody resumes the thread that runs.
  [[noreturn]] void Leave();

  void MakeReady(GpuThread* thread) {
    thread->state = GpuThread::State::kReady;
    ready_.Push(thread);
  }
  /// Leaves a fiber whose thread waits.
  void RunNext(GpuThread* from) {
    if (!is_plain_ || ready_.empty()) return RunNextSlowly(from);
    SwitchTo(from, ready_.Pop());
  }
  /// Lets any other thread run first in stress mode, where the last to come has no privilege.
  void GiveWay(GpuThread* thread) {
    if (random_) GiveWayToAny(thread);
  }
  /// Something happened that polling threads may have waited for.
  void NoteProgress() { polling_rounds_ = 0; }

  /// `work` is of an asynchronous engine: done at once in fast mode; later, in a random order, where copies land late,
  /// at the latest when no thread can go on. Works posted with the same `queue` stay in order, unless it is null.
  void PostAsync(std::function<void()> work, const void* queue);
  /// Does what was posted with `queue` before this call.
  void DrainAsync(const void* queue);

  /// Fast mode.
  bool is_plain() const { return is_plain_; }
  bool copies_land_late() const { return random_.has_value(); }

 private:
  /// What an asynchronous engine still has to do.
  struct Posted {
    std::function<void()> work;
    const void* queue;
  };

  void RunNextSlowly(GpuThread* from);
  void GiveWayToAny(GpuThread* thread);
  void SwitchTo(GpuThread* from, GpuThread* next) {
    running_ = next;
    Fiber::Switch(&from->fiber, &next->fiber);
  }
  GpuThread* PopReady() { return random_ ? ready_.PopAny(*random_) : ready_.Pop(); }
  /// Makes another thread ready, or false when nothing can.
  bool FindWork();
  void RunPosted(std::deque<Posted>::iterator at);

  bool is_plain_ = true;
  ReadyQueue ready_;
  GpuThread* running_ = nullptr;
  Fiber outside_;  ///< Who called Run().
  uint32_t exited_ = 0;
  Monitor* monitor_ = nullptr;

  std::vector<GpuThread*> asleep_;
  std::vector<GpuThread*> polling_;
  uint32_t polling_rounds_ = 0;       ///< Of all of them, since anything but polling was done.
  std::optional<SplitMix64> random_;  ///< In stress mode.
  std::deque<Posted> posted_;
};

}  // namespace mmtune::simt
