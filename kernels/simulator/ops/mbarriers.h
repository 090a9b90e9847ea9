// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mbarriers in the simulator: the barrier objects in shared memory for which threads and asynchronous copies arrive.
//
// An mbarrier is a 64-bit word in shared memory. Its phase completes when no arrivals and no transaction bytes are
// pending. Then the expected number of arrivals becomes pending again, and the phase bit flips. For a monitor (an
// observer of the launch, such as the race detector; monitor.h), an arrival releases what the thread did before, and a
// wait acquires what was released in the completed phase.
//
// A `site` is the number of a program point, for reports (abi/abi.h).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/simulator/block/cluster_runner.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

/// The largest number of arrivals that an mbarrier can expect.
inline constexpr uint32_t kMaxMbarrierCount = (1u << 20) - 1;

/// The bits of an mbarrier object.
struct MbarrierWord {
  uint64_t pending : 20;           ///< Arrivals that are still missing in this phase.
  uint64_t expected : 20;          ///< Arrivals of each phase.
  int64_t transaction_bytes : 21;  ///< Bytes of asynchronous copies that are still missing.
  uint64_t phase : 1;              ///< The parity of the number of completed phases.
  uint64_t tag : 2;                ///< kValid, unless the object is not initialised.

  /// The tag of an initialised object. Differs from zeroed and from poisoned memory.
  static constexpr uint64_t kValid = 1;
};
static_assert(sizeof(MbarrierWord) == sizeof(uint64_t));

/// The state of an mbarrier that only a monitor needs.
struct MbarrierClocks {
  uint32_t initialiser = 0;        ///< The thread that initialised it.
  bool is_seen_by_copies = false;  ///< True if that thread has executed the fence that asynchronous copies need.
  /// A thread that issued a copy (at `copy_site`) for which nobody has waited yet; null for none.
  GpuThread* waited_for = nullptr;
  uint32_t copy_site = 0;
  SyncClock arrived;    ///< Released by threads that arrived, and by copies that completed bytes.
  SyncClock completed;  ///< The value of `arrived` when the last phase completed.
  SyncClock before;     ///< The value of `completed` just before the last phase completed.
  uint64_t phases = 0;  ///< The number of completed phases.
  /// For each thread that has used the barrier, by GpuThread::number: the number (from 0) of the phase that it waits
  /// for, or will wait for next.
  std::unordered_map<uint32_t, uint64_t> awaited;
  /// Reads of shared memory by copies to another block, which end when a thread has waited for the phase.
  std::vector<AsyncToken> reads;
  std::vector<AsyncToken> completed_reads;  ///< Those of completed phases.
};

/// Completes `bytes` of the transactions of `barrier` on behalf of an asynchronous copy that `issuer` issued at `site`.
void CompleteTransaction(GpuThread& issuer, void* barrier, uint32_t bytes, uint32_t site);
/// Adds `count` arrivals of an asynchronous operation. Unlike arrivals of threads, they do not release what the issuing
/// thread did in the meantime.
void ArriveAsynchronously(GpuThread& issuer, void* barrier, uint32_t count, uint32_t site);
/// Adds `count` to the arrivals that are missing in the current phase.
void AddPending(GpuThread& thread, void* barrier, uint32_t count, uint32_t site);
/// Returns the clock to which asynchronous operations on `barrier` release. Needs a monitor. Ends the launch unless
/// `barrier` is valid.
SyncClock& ArrivedClock(GpuThread& thread, void* barrier, uint32_t site);
/// Ends the launch with an error unless `barrier` is an initialised mbarrier.
void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site);

}  // namespace mmtune::simt
