// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU threads of a block and their scheduler: which thread runs next.
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
  uint32_t source_bytes = 0;  ///< Bytes that are read; the rest is filled with zeros.
  AsyncToken token = 0;       ///< The monitor's, if there is one.
  bool completed = false;     ///< The data are there; only the wait is missing.

  void Complete();
};

/// The cp.async copies of a thread in the order of their issue, in groups as they were committed. Sequence numbers
/// count issued copies.
class CopyQueue {
 public:
  void Clear() {
    copies_.clear();
    groups_.clear();
    finished_ = 0;
  }
  void Issue(const AsyncCopy& copy) { copies_.push_back(copy); }
  void Commit() { groups_.push_back(issued()); }

  /// Forgets all groups but the last `groups`. The copies numbered below the result have to be finished.
  uint64_t FinishGroups(uint32_t groups);

  uint64_t issued() const { return finished_ + copies_.size(); }
  uint64_t finished() const { return finished_; }
  /// Removes the oldest copy, which counts as finished.
  AsyncCopy TakeOldest();

 private:
  std::deque<AsyncCopy> copies_;
  std::deque<uint64_t> groups_;  ///< The number of copies issued when each was committed.
  uint64_t finished_ = 0;
};

/// Finds out that a thread polls: it only reads the same few words atomically and finds them unchanged.
class PolledWords {
 public:
  /// True if a thread that is about to read the word at `address` has polled it many times.
  bool IsPolling(const void* address) const { return polls_ >= kFreePolls && Find(address) != nullptr; }
  /// Records that the thread has read `value`. Returns false if it read the same the last time.
  bool Observe(const void* address, uint64_t value);
  /// Records that the thread has done something else.
  void Restart() { polls_ = 0; }

 private:
  /// This many polls are a short loop, which does not count as polling.
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

/// A GPU thread. Compiled code knows its ThreadContext. The members that a switch touches come first, in two cache
/// lines.
struct alignas(64) GpuThread : ThreadContext {
  enum class State : uint8_t { kReady, kPolling, kAtBarrier, kAtWarpBarrier, kInWarpOperation, kAsleep, kExited };

  Block* block = nullptr;
  BlockOps* ops = nullptr;  ///< State of the block's operations; only ops/ uses it.
  Fiber fiber;
  State state = State::kReady;
  bool tracks_copies = false;  ///< cp.async goes through `copies`; otherwise (a fast run) it is done at once.
  uint32_t waits_for = 0;      ///< The barrier's id, or the mask of the warp barrier or warp operation.
  uint32_t site = 0;           ///< Program point of the current or last call of the simulator.

  const char* what = nullptr;     ///< kAsleep: a description of what it waits for.
  const void* channel = nullptr;  ///< kAsleep: Wake() of this address ends the wait.
  const uint32_t* in = nullptr;   ///< Operands of the warp operation in progress.
  uint32_t* out = nullptr;        ///< Its results.
  uint32_t trues = 0, votes = 0;  ///< True and all predicates of the last barrier reduction.
  CopyQueue copies;
  PolledWords polled;
};

/// Returns the thread whose context compiled code holds.
inline GpuThread* ThreadOf(ThreadContext* context) { return static_cast<GpuThread*>(context); }

/// Schedule fuzzing fills uninitialised memory with this byte: NaN in every floating-point type.
inline constexpr int kPoison = 0xFF;

/// Computes the index of element `number` in a box of `extents`, x first and fastest.
template <typename Number>
void Unflatten(const uint32_t* extents, Number number, uint32_t* index) {
  const Number width = extents[0], height = extents[1];
  index[0] = static_cast<uint32_t>(number % width);
  index[1] = static_cast<uint32_t>(number / width % height);
  index[2] = static_cast<uint32_t>(number / width / height);
}

/// Returns "waits at barrier 0", "has exited", ...
std::string StateText(const GpuThread& thread);

/// The threads that can run: a ring with a power of two of entries. Each thread is in it at most once.
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
  /// Returns the thread that has waited longest.
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

/// Runs the threads of a block cooperatively: a thread runs until it waits, then the one that became ready first runs,
/// or, with schedule fuzzing, any ready one. Used by one OS thread.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Begins a block of `threads` threads, none of which is ready yet. `random` turns schedule fuzzing on; `monitor` may
  /// be null.
  void Reset(uint32_t threads, std::optional<SplitMix64> random, Monitor* monitor);
  /// Makes the thread ready to call entry(thread) on `stack`; `entry` ends with Exit().
  void Start(GpuThread* thread, StackSpan stack, Fiber::Entry entry) {
    thread->fiber.Prepare(stack, entry, thread);
    MakeReady(thread);
  }
  /// Runs threads until all have exited, none can continue, or one has called Leave().
  void Run();
  /// Returns the running thread; null outside of Run().
  GpuThread* running() const { return running_; }
  uint32_t exited() const { return exited_; }

  // The following are called on the fiber of the running thread.

  /// Suspends the thread until Wake() of the same `channel`. A deadlock report names `what`, which outlives the wait.
  /// Spurious returns are possible.
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
  /// Ends Run(). Nobody resumes the running thread.
  [[noreturn]] void Leave();

  void MakeReady(GpuThread* thread) {
    thread->state = GpuThread::State::kReady;
    ready_.Push(thread);
  }
  /// Switches away from a thread that waits.
  void RunNext(GpuThread* from) {
    if (!is_fast_ || ready_.empty()) return RunNextSlowly(from);
    SwitchTo(from, ready_.Pop());
  }
  /// With schedule fuzzing, lets any ready thread run first, so that the last one at a barrier has no privilege.
  void YieldIfFuzzing(GpuThread* thread) {
    if (random_) YieldToAny(thread);
  }
  /// Records that something happened that polling threads may wait for.
  void NoteProgress() { polling_rounds_ = 0; }

  /// Executes `work` of an asynchronous engine: at once or, with schedule fuzzing, later in a random order, at the
  /// latest when no thread can continue. Work posted with the same `queue` stays in order, unless it is null.
  void PostAsync(std::function<void()> work, const void* queue);
  /// Executes the work that was posted with `queue` before this call.
  void DrainAsync(const void* queue);

  /// True without schedule fuzzing and without a monitor.
  bool is_fast() const { return is_fast_; }
  bool copies_complete_late() const { return random_.has_value(); }

 private:
  /// Pending work of an asynchronous engine.
  struct Posted {
    std::function<void()> work;
    const void* queue;
  };

  void RunNextSlowly(GpuThread* from);
  void YieldToAny(GpuThread* thread);
  void SwitchTo(GpuThread* from, GpuThread* next) {
    running_ = next;
    Fiber::Switch(&from->fiber, &next->fiber);
  }
  GpuThread* PopReady() { return random_ ? ready_.PopAny(*random_) : ready_.Pop(); }
  /// Makes another thread ready; false when nothing can.
  bool FindWork();
  void RunPosted(std::deque<Posted>::iterator at);

  bool is_fast_ = true;
  ReadyQueue ready_;
  GpuThread* running_ = nullptr;
  Fiber outside_;  ///< The caller of Run().
  uint32_t exited_ = 0;
  Monitor* monitor_ = nullptr;

  std::vector<GpuThread*> asleep_;
  std::vector<GpuThread*> polling_;
  uint32_t polling_rounds_ = 0;       ///< Rounds of all polling threads without any progress.
  std::optional<SplitMix64> random_;  ///< With schedule fuzzing.
  std::deque<Posted> posted_;
};

}  // namespace mmtune::simt
