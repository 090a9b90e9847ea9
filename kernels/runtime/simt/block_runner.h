// Runs the blocks of a launch, one at a time, each GPU thread as a fiber of the calling OS thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "kernels/runtime/simt/abi.h"
#include "kernels/runtime/simt/fiber.h"
#include "kernels/runtime/simt/fiber_stacks.h"
#include "kernels/runtime/simt/launch_job.h"
#include "kernels/runtime/simt/shared_arena.h"

namespace mmtune::simt {

class BlockRunner;

inline constexpr uint32_t kWarpSize = 32;
inline constexpr uint32_t kNamedBarriers = 16;

/// What compiled code knows as its ThreadContext.
struct GpuThread : ThreadContext {
  enum class State : uint8_t { kReady, kAtBarrier, kAtWarpBarrier, kExited };

  BlockRunner* runner = nullptr;
  State state = State::kReady;
  uint32_t waits_for = 0;  ///< The barrier's id, or the warp barrier's mask.
  Fiber fiber;
};

/// Threads run until they wait; then the one that became ready first goes on. Memory of fibers and of shared memory is
/// kept from block to block and launch to launch. Used by one OS thread at a time.
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
  void Barrier(GpuThread* thread, uint32_t id, uint32_t threads);
  void WarpBarrier(GpuThread* thread, uint32_t mask);
  [[noreturn]] void Fail(GpuThread* thread, std::string what);

  /// Called by the signal handler on the running fiber; does not return when a GPU thread is running.
  void OnSignal(const char* name, const void* address);

 private:
  struct NamedBarrier {
    uint32_t expected = 0;
    std::vector<GpuThread*> waiting;
  };

  static void ThreadMain(void* thread);
  void StartThreads(uint64_t block_index);
  void MakeReady(GpuThread* thread);
  /// Leaves a fiber that waits, exited or failed.
  void RunNext(GpuThread* from);
  void ReturnToScheduler(GpuThread* from);
  BlockFailure DescribeDeadlock() const;
  BlockFailure DescribeSignal() const;
  BlockFailure FailureOf(const GpuThread& thread, BlockFailure::Kind kind, std::string what) const;

  const FiberKind kind_;
  FiberStacks stacks_;
  SharedArena arena_;
  const LaunchJob* job_ = nullptr;
  uint32_t thread_count_ = 0;
  std::unique_ptr<GpuThread[]> threads_;
  uint32_t thread_capacity_ = 0;

  Fiber scheduler_;
  GpuThread* running_ = nullptr;
  uint32_t exited_ = 0;
  std::array<NamedBarrier, kNamedBarriers> barriers_;

  // A ring of a power of two at least thread_count_; head and tail only grow.
  std::vector<GpuThread*> ready_;
  uint32_t ready_head_ = 0;
  uint32_t ready_tail_ = 0;
  uint32_t ready_mask_ = 0;

  std::optional<BlockFailure> failure_;
  const char* signal_name_ = nullptr;  ///< Set by OnSignal.
  const void* signal_address_ = nullptr;
  GpuThread* signal_thread_ = nullptr;
};

}  // namespace mmtune::simt
