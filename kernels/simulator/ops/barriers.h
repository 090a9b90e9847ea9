// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a block: bar.sync, bar.arrive and bar.red (NamedBarriers), and mbarrier objects in shared memory.
//
// An mbarrier is 64 bits of shared memory (MbarrierWord). Its phase completes when the pending arrivals and the pending
// transaction bytes are both 0; then the expected arrivals become pending again and the phase flips. For a monitor, an
// arrival releases what the thread did before, and a wait acquires what was released until the phase completed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/simulator/block/block.h"
#include "kernels/simulator/block/monitor.h"
#include "kernels/simulator/block/scheduler.h"

namespace mmtune::simt {

inline constexpr uint32_t kNamedBarriers = 16;

/// The named barriers of a block. Functions are called on the fiber of the thread.
class NamedBarriers {
 public:
  /// Begins a block.
  void Reset();

  void Sync(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// Arrives without waiting.
  void Arrive(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// Like Sync(); afterwards thread->trues of thread->votes predicates were true.
  void Reduce(GpuThread* thread, uint32_t id, uint32_t threads, bool predicate, uint32_t site);

 private:
  struct Barrier {
    uint32_t expected = 0;
    uint32_t arrived = 0;  ///< Waiting threads included.
    uint32_t trues = 0, votes = 0;
    std::vector<GpuThread*> waiting;
    // With a monitor:
    SyncClock released;           ///< By threads that arrived without waiting.
    std::vector<uint32_t> lanes;  ///< By warp, the lanes that have arrived.
  };

  Barrier& ArriveAt(GpuThread* thread, uint32_t id, uint32_t threads, uint32_t site);
  /// Completes the barrier; `last` is the last thread to arrive, or null if it does not wait.
  void Complete(Block& block, Barrier& barrier, GpuThread* last);
  [[gnu::noinline]] void MonitorArrival(GpuThread* thread, uint32_t id);
  void ReportDivergence(GpuThread* thread, uint32_t id);
  void ReportPartialWarps(Block& block, Barrier& barrier);

  bool is_monitored_ = false;  ///< Since Reset().
  std::array<Barrier, kNamedBarriers> barriers_;
};

inline constexpr uint32_t kMaxMbarrierCount = (1u << 20) - 1;

struct MbarrierWord {
  uint64_t pending : 20;
  uint64_t expected : 20;
  int64_t transaction_bytes : 21;
  uint64_t phase : 1;
  uint64_t tag : 2;

  static constexpr uint64_t kValid = 1;  ///< Tag of an object in use; differs from zeros and from kPoison.
};
static_assert(sizeof(MbarrierWord) == sizeof(uint64_t));

/// With a monitor: the clocks of an mbarrier.
struct MbarrierClocks {
  uint32_t initialiser = 0;         ///< The thread that initialised it.
  bool is_seen_by_copies = false;   ///< That thread has executed the fence that asynchronous copies need.
  GpuThread* waited_for = nullptr;  ///< The thread that issued a copy nobody has waited for yet, at `copy_site`.
  uint32_t copy_site = 0;
  SyncClock arrived;    ///< Released by threads that arrived and by copies that completed bytes.
  SyncClock completed;  ///< The value of `arrived` when the last phase completed.
};

/// Completes `bytes` of the transactions of `barrier`, for an asynchronous copy that `issuer` began at `site`.
void CompleteTransaction(GpuThread& issuer, void* barrier, uint32_t bytes, uint32_t site);
/// Adds `count` arrivals of an asynchronous operation, which do not release what its thread has done meanwhile.
void ArriveAsynchronously(GpuThread& issuer, void* barrier, uint32_t count, uint32_t site);
/// Makes the current phase wait for `count` more arrivals.
void AddPending(GpuThread& thread, void* barrier, uint32_t count, uint32_t site);
/// With a monitor: returns the clock that asynchronous operations release to. Fails unless `barrier` is valid.
SyncClock& ArrivedClock(GpuThread& thread, void* barrier, uint32_t site);
/// Fails unless `barrier` is an mbarrier in use.
void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site);

}  // namespace mmtune::simt
