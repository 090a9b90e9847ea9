// Runs the blocks of a launch, one at a time, each GPU thread as a fiber of the calling OS thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "kernels/runtime/simt/abi.h"
#include "kernels/runtime/simt/async_engine.h"
#include "kernels/runtime/simt/check/monitor.h"
#include "kernels/runtime/simt/fiber.h"
#include "kernels/runtime/simt/fiber_stacks.h"
#include "kernels/runtime/simt/gpu_thread.h"
#include "kernels/runtime/simt/launch_job.h"
#include "kernels/runtime/simt/ops/block_ops.h"
#include "kernels/runtime/simt/ready_queue.h"
#include "kernels/runtime/simt/shared_arena.h"
#include "proto/base/split_mix64.h"

namespace mmtune::simt {

/// Threads run until they wait; then the one that became ready first goes on, or in stress mode any that is ready.
/// Memory of fibers and of shared memory is kept from block to block and launch to launch. Used by one OS thread at a
/// time.
class BlockRunner {
 public:
  explicit BlockRunner(FiberKind kind) : kind_(kind) {}
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Before the blocks of `job`, which must outlive them.
  absl::Status Prepare(const LaunchJob& job);

  /// Runs block `index` (x fastest) to its end or its first failure. After a failure the runner is as good as new, but
  /// objects on the stacks of the block's threads are never destroyed.
  std::optional<BlockFailure> RunBlock(uint64_t index);

  // Called on the fiber of a thread of this runner's block.
  void Barrier(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// Counts as a thread at the barrier and goes on.
  void BarrierArrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// As Barrier; thread->trues of thread->votes predicates were true.
  void BarrierReduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site);
  void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site);
  /// Meets the other lanes of `mask` at the operations `ops`, which the last to come executes for all.
  void WarpOperations(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t mask, const uint32_t* in,
                      uint32_t* out);
  /// The thread waits until Wake() of the same `channel`; `what` names in a deadlock's report what it waits for and
  /// outlives the wait. Spurious returns are possible.
  void Sleep(GpuThread* thread, const void* channel, uint32_t site, const char* what);
  void Wake(const void* channel);
  /// Around an access that compiled code announces, in check and stress mode. A thread that does nothing but read the
  /// same few words atomically, and finds them unchanged, polls.
  void BeforeAccess(GpuThread* thread, const void* address, AccessKind kind, uint32_t site);
  void AfterAccess(GpuThread* thread, const void* address, size_t bytes, AccessKind kind);
  /// Lets other threads run first: for loops that poll. A block in which threads only poll is a deadlock.
  void Yield(GpuThread* thread, uint32_t site);
  /// `work` is of an asynchronous engine: done at once in fast mode; later, in a random order, where copies land late,
  /// at the latest when no thread can go on. Works posted with the same `queue` stay in order, unless it is null.
  void PostAsync(std::function<void()> work, const void* queue);
  /// Does what is posted with `queue`.
  void DrainAsync(const void* queue);
  /// The thread's cp.async copies numbered below `end` (CopyQueue::issued()) are done, and it knows that.
  void FinishCopies(GpuThread* thread, uint64_t end);
  /// Ends the launch with a finding, of the operation at thread->site.
  [[noreturn]] void Fail(GpuThread* thread, std::string what);
  /// Ends the launch because of what the monitor has found.
  [[noreturn]] void EndLaunch();

  /// Check mode sees an ordinary access, which no mbarrier may lie under. Nothing in the other modes.
  void Watch(GpuThread& thread, const void* address, size_t bytes, AccessKind kind, uint32_t site) {
    if (monitor_ == nullptr) return;
    ops_.OrdinaryAccess(thread, address, bytes, kind, site);
    monitor_->Access(thread, address, bytes, kind, site);
  }

  /// What check mode watches with; null in the other modes.
  Monitor* monitor() const { return monitor_; }
  bool copies_land_late() const { return random_.has_value(); }
  SharedArena& arena() { return arena_; }
  BlockOps& ops() { return ops_; }
  /// Whether the address is of a thread's own memory.
  bool IsOnStack(const void* address) const { return stacks_.Contains(address); }

  /// Called by the signal handler on the running fiber; does not return when a GPU thread is running.
  void OnSignal(const char* name, const void* address);

 private:
  struct NamedBarrier {
    uint32_t expected = 0;
    uint32_t arrived = 0;  ///< The waiting ones included.
    uint32_t trues = 0, votes = 0;
    std::vector<GpuThread*> waiting;
    // In check mode.
    SyncClock released;           ///< By those who arrived without waiting.
    std::vector<uint32_t> lanes;  ///< Of each warp, those that have arrived.
  };

  /// Lanes of one warp that meet at warp operations, from the first of them to the last.
  struct WarpMeeting {
    const WarpOp* ops = nullptr;
    uint32_t count = 0;
    uint32_t mask = 0;
    uint32_t arrived = 0;
  };
  struct Warp {
    uint32_t meeting_lanes = 0;  ///< Bit i: meetings[i], of those whose lowest lane is i, is under way.
    std::array<WarpMeeting, kWarpSize> meetings;
  };

  // block_runner.cc
  static void ThreadMain(void* thread);
  void StartThreads(uint64_t block_index);
  void MakeReady(GpuThread* thread) {
    thread->state = GpuThread::State::kReady;
    ready_.Push(thread);
  }
  /// Leaves a fiber that waits, exited or failed.
  void RunNext(GpuThread* from) {
    if (!is_plain_ || ready_.empty()) return RunNextSlowly(from);
    SwitchTo(from, ready_.Pop());
  }
  void RunNextSlowly(GpuThread* from);
  void SwitchTo(GpuThread* from, GpuThread* next) {
    running_ = next;
    Fiber::Switch(kind_, &from->fiber, &next->fiber);
  }
  /// Makes another thread ready, or false when nothing can.
  bool FindWork();
  /// Something happened that polling threads may have waited for.
  void NoteProgress() { polling_rounds_ = 0; }
  /// Lets any other thread run first in stress mode, where the last to come has no privilege.
  void GiveWay(GpuThread* thread);
  void ReturnToScheduler(GpuThread* from);
  bool IsOver() const { return monitor_ != nullptr && monitor_->IsOver(); }

  // barriers.cc
  uint32_t ExpectedAt(const GpuThread& thread, uint32_t threads) const;
  NamedBarrier& ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// The last one, who may be waiting or not, has come.
  void CompleteBarrier(NamedBarrier& barrier, GpuThread* last);
  void CheckDivergence(GpuThread* thread, uint32_t id, uint32_t site);
  void CheckWholeWarps(NamedBarrier& barrier);
  uint32_t LanesOfWarp(uint32_t warp) const;
  /// The lanes of `mask` that exist; `thread` has to be one.
  uint32_t Members(GpuThread* thread, uint32_t mask, const char* what);

  // warp_operations.cc
  WarpMeeting& JoinMeeting(GpuThread* thread, const WarpOp* ops, uint32_t count, uint32_t members);
  [[noreturn]] void FailDivergence(GpuThread* thread, uint32_t their_mask, uint32_t members);
  void ExecuteMeeting(GpuThread* warp, const WarpMeeting& meeting);

  // block_failures.cc
  BlockFailure DescribeDeadlock() const;
  BlockFailure DescribeSignal() const;
  BlockFailure FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) const;

  const FiberKind kind_;
  bool is_plain_ = true;  ///< Fast mode.
  ReadyQueue ready_;
  GpuThread* running_ = nullptr;
  FiberStacks stacks_;
  SharedArena arena_;
  const LaunchJob* job_ = nullptr;
  Monitor* monitor_ = nullptr;
  uint32_t thread_count_ = 0;
  std::unique_ptr<GpuThread[]> threads_;
  uint32_t thread_capacity_ = 0;

  Fiber scheduler_;
  uint32_t exited_ = 0;
  std::array<NamedBarrier, kNamedBarriers> barriers_;
  std::vector<Warp> warps_;
  std::vector<GpuThread*> asleep_;

  std::optional<SplitMix64> random_;  ///< In stress mode.
  AsyncEngine async_;
  BlockOps ops_;
  std::vector<GpuThread*> polling_;
  uint32_t polling_rounds_ = 0;  ///< Of all of them, since anything but polling was done.

  std::optional<BlockFailure> failure_;
  const char* signal_name_ = nullptr;  ///< Set by OnSignal.
  const void* signal_address_ = nullptr;
  GpuThread* signal_thread_ = nullptr;
};

}  // namespace mmtune::simt
