// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a simulated block, and the scheduler that decides which of them runs next.
//
// All threads of a block run on one OS thread, one at a time. A thread runs until it must wait, for example at a
// barrier; then the scheduler switches to another one. With schedule fuzzing the choice is random, to reveal missing
// synchronisation.
//
// A monitor (monitor.h) observes a launch: it is the race detector or the profiler. Other launches have none. A `site`
// is the number of a program point, for reports (abi/abi.h).
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

/// The number of lanes of a warp.
inline constexpr uint32_t kWarpSize = 32;

/// A cp.async copy that its thread has not waited for yet.
struct AsyncCopy {
  char* shared = nullptr;
  const char* global = nullptr;
  uint32_t bytes = 0;
  uint32_t source_bytes = 0;  ///< The bytes that are copied; the rest of the destination is filled with zeros.
  AsyncToken token = 0;       ///< Identifies the copy to the monitor, if there is one.
  bool completed = false;     ///< True if the data were copied.

  /// Copies the data.
  void Complete();
};

/// The cp.async copies of a thread in the order in which they were issued, and their groups (cp.async.commit_group).
/// Copies are numbered from 0.
class CopyQueue {
 public:
  /// Forgets everything.
  void Clear() {
    copies_.clear();
    groups_.clear();
    finished_ = 0;
  }
  /// Adds a copy.
  void Issue(const AsyncCopy& copy) { copies_.push_back(copy); }
  /// Makes a group of the copies since the last one.
  void Commit() { groups_.push_back(issued()); }

  /// Forgets all groups but the last `groups`, which may stay unfinished (cp.async.wait_group). Returns n: the caller
  /// must finish all copies with a number below n.
  uint64_t FinishGroups(uint32_t groups);

  /// Returns the number of copies issued.
  uint64_t issued() const { return finished_ + copies_.size(); }
  /// Returns the number of copies finished.
  uint64_t finished() const { return finished_; }
  /// Removes the oldest copy and returns it. It counts as finished.
  AsyncCopy TakeOldest();

 private:
  std::deque<AsyncCopy> copies_;
  std::deque<uint64_t> groups_;  ///< For each group, the number of copies issued when it was committed.
  uint64_t finished_ = 0;
};

/// Detects that a thread polls: it only reads the same few words with atomics, and their values do not change.
class PollingDetector {
 public:
  /// True if the thread is about to read the word at `address` and has polled it many times.
  bool IsPolling(const void* address) const { return polls_ >= kFreePolls && Find(address) != nullptr; }
  /// Records that the thread has read `value`. Returns true if that is new: the value has changed, or the word is not
  /// among those that it has polled last.
  bool Observe(const void* address, uint64_t value);
  /// Records that the thread has done something else than polling.
  void Restart() { polls_ = 0; }

 private:
  /// The number of repeated reads that a short loop may make before they count as polling.
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

/// A GPU thread. The base class is the part that compiled code sees; the members are the simulator's own state. Members
/// that every switch between threads uses come first, in two cache lines.
struct alignas(64) GpuThread : ThreadContext {
  enum class State : uint8_t { kReady, kPolling, kAtBarrier, kAtWarpBarrier, kInWarpOperation, kAsleep, kExited };

  ClusterRunner* runner = nullptr;
  BlockOps* ops = nullptr;  ///< The state of the block's operations (ops/).
  Fiber fiber;
  State state = State::kReady;
  /// True if cp.async copies go through `copies`; false in a run without monitor and schedule fuzzing, where they are
  /// done at once.
  bool tracks_copies = false;
  uint32_t waits_for = 0;  ///< The id of the barrier, or the mask of the warp barrier or operation, that it waits for.
  uint32_t site = 0;       ///< The program point of the current or last call of the simulator.

  const char* what = nullptr;     ///< In state kAsleep: what it waits for, in words.
  const void* channel = nullptr;  ///< In state kAsleep: the argument of the Wake() that ends the wait.
  /// Says in words what it waits for at `channel`, in the states kAsleep and kPolling; null if it does not know more
  /// than `what`.
  std::string (*describe)(const GpuThread&) = nullptr;
  const uint32_t* in = nullptr;   ///< The operands of the current warp operation.
  uint32_t* out = nullptr;        ///< Its results.
  uint32_t trues = 0, votes = 0;  ///< The numbers of true and of all predicates in the last bar.red.
  /// Index of the thread in its cluster, that is linear_tid + cluster_rank * threads of a block.
  uint32_t number = 0;
  CopyQueue copies;
  PollingDetector polled;
  const void* bulk_source = nullptr;  ///< The source, in shared memory, of its last bulk store to global memory.
};

/// Casts the context that compiled code passes to the thread that it is part of.
inline GpuThread* ThreadOf(ThreadContext* context) { return static_cast<GpuThread*>(context); }

/// The byte with which schedule fuzzing fills uninitialised memory: NaN in every floating-point type.
inline constexpr int kPoison = 0xFF;

/// Computes the 3-D index of element `number` in a box of `extents`, x fastest.
template <typename Number>
void Unflatten(const uint32_t* extents, Number number, uint32_t* index) {
  const Number width = extents[0], height = extents[1];
  index[0] = static_cast<uint32_t>(number % width);
  index[1] = static_cast<uint32_t>(number / width % height);
  index[2] = static_cast<uint32_t>(number / width / height);
}

/// Describes the thread's state for reports: "waits at barrier 0", "has exited".
std::string StateText(const GpuThread& thread);

/// The threads that can run, in a ring buffer. Each thread is in it at most once.
class ReadyQueue {
 public:
  /// Empties the queue and makes room for `threads` threads.
  void Reset(uint32_t threads) {
    ring_.resize(std::bit_ceil(threads));
    mask_ = static_cast<uint32_t>(ring_.size()) - 1;
    head_ = tail_ = 0;
  }

  bool empty() const { return head_ == tail_; }
  uint32_t size() const { return tail_ - head_; }

  /// Adds a thread.
  void Push(GpuThread* thread) { ring_[tail_++ & mask_] = thread; }
  /// Removes and returns the thread that has waited longest. The queue must not be empty.
  GpuThread* Pop() { return ring_[head_++ & mask_]; }
  /// Removes and returns a random thread. The queue must not be empty.
  GpuThread* PopAny(SplitMix64& random) {
    std::swap(ring_[head_ & mask_], ring_[(head_ + random.Below(size())) & mask_]);
    return Pop();
  }

 private:
  std::vector<GpuThread*> ring_;
  uint32_t head_ = 0, tail_ = 0;  ///< Positions of the first thread and after the last one; they only grow.
  uint32_t mask_ = 0;
};

/// Runs the threads of a block, or of a cluster of blocks, cooperatively. A thread runs until it waits. Then the thread
/// that became ready first runs or, with schedule fuzzing, a random ready one. Used by one OS thread.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Begins a block of `threads` threads, none of which is ready yet. `random` turns schedule fuzzing on. `monitor` may
  /// be null.
  void Reset(uint32_t threads, std::optional<SplitMix64> random, Monitor* monitor);
  /// Makes the thread ready to call entry(thread) on `stack`. `entry` must end with Exit().
  void Start(GpuThread* thread, StackSpan stack, Fiber::Entry entry) {
    thread->fiber.Prepare(stack, entry, thread);
    MakeReady(thread);
  }
  /// Runs threads until all have exited, none can continue, one has called Leave(), or the monitor ends the launch.
  void Run();
  /// Returns the running thread; null outside of Run().
  GpuThread* running() const { return running_; }
  /// Returns the number of threads that have exited.
  uint32_t exited() const { return exited_; }

  // The functions below are called from the running GPU thread.

  /// Suspends the thread until Wake() is called with the same `channel`. May also return earlier. `what` describes the
  /// wait in deadlock reports, and must outlive it.
  void Sleep(GpuThread* thread, const void* channel, uint32_t site, const char* what);
  /// Makes all threads ready that sleep on `channel`.
  void Wake(const void* channel);
  /// Lets other threads run first; for loops that poll. A block in which all threads only poll is a deadlock.
  void Yield(GpuThread* thread, uint32_t site);
  /// Ends the thread.
  [[noreturn]] void Exit(GpuThread* thread) {
    thread->state = GpuThread::State::kExited;
    ++exited_;
    NoteProgress();
    RunNext(thread);
    std::abort();  // Nobody resumes an exited thread.
  }
  /// Ends Run(). The running thread is never resumed.
  [[noreturn]] void Leave();

  /// Adds a thread to those that can run.
  void MakeReady(GpuThread* thread) {
    thread->state = GpuThread::State::kReady;
    ready_.Push(thread);
  }
  /// Switches from a thread that waits to the next one.
  void RunNext(GpuThread* from) {
    if (!is_fast_ || ready_.empty()) return RunNextSlowly(from);
    SwitchTo(from, ready_.Pop());
  }
  /// With schedule fuzzing, lets a random ready thread run first. Otherwise the last thread to arrive at a barrier
  /// would always be the first to continue.
  void YieldIfFuzzing(GpuThread* thread) {
    if (random_) YieldToAny(thread);
  }
  /// Records that something happened which polling threads may wait for.
  void NoteProgress() { polling_rounds_ = 0; }

  /// Executes `work`, such as a copy by an asynchronous engine, at once. With schedule fuzzing, executes it later and
  /// in a random order, at the latest when no thread can continue. Work that is posted with the same `queue` stays in
  /// order, unless `queue` is null.
  void PostAsync(std::function<void()> work, const void* queue);
  /// Executes the work that was posted with `queue` so far.
  void DrainAsync(const void* queue);

  /// True if there is neither schedule fuzzing nor a monitor.
  bool is_fast() const { return is_fast_; }
  /// True if asynchronous copies are delayed (schedule fuzzing).
  bool copies_complete_late() const { return random_.has_value(); }

 private:
  /// Work that was posted and is not executed yet.
  struct PostedWork {
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
  /// Executes posted work, or resumes threads that poll, until a thread is ready. Returns false if none becomes ready.
  bool FindWork();
  void RunPosted(std::deque<PostedWork>::iterator at);

  bool is_fast_ = true;
  ReadyQueue ready_;
  GpuThread* running_ = nullptr;
  Fiber outside_;  ///< The caller of Run().
  uint32_t exited_ = 0;
  Monitor* monitor_ = nullptr;

  std::vector<GpuThread*> asleep_;
  std::vector<GpuThread*> polling_;
  uint32_t polling_rounds_ = 0;       ///< Rounds in which all polling threads ran without any progress.
  std::optional<SplitMix64> random_;  ///< Set with schedule fuzzing.
  std::deque<PostedWork> posted_;
};

}  // namespace mmtune::simt
