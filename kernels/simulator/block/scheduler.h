// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which thread of a block goes on.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/simulator/block/fiber.h"
#include "kernels/simulator/block/gpu_thread.h"
#include "kernels/simulator/block/monitor.h"
#include "proto/base/split_mix64.h"

namespace mmtune::simt {

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
