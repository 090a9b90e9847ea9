// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier objects: 64 bits of shared memory, of a layout of our own.
//
// A phase completes when the pending arrivals and the bytes of its transactions are both 0; the count of pending
// arrivals then becomes the expected one again and the phase flips. In a watched launch an arrival releases what the
// thread did before, and a wait acquires what was released up to the completion of the phase.
#pragma once

#include <cstdint>

#include "kernels/simulator/block/block.h"
#include "kernels/simulator/block/monitor.h"

namespace mmtune::simt {

inline constexpr uint32_t kMaxMbarrierCount = (1u << 20) - 1;

struct MbarrierWord {
  uint64_t pending : 20;
  uint64_t expected : 20;
  int64_t transaction_bytes : 21;
  uint64_t phase : 1;
  uint64_t tag : 2;

  static constexpr uint64_t kValid = 1;  ///< The tag of an object in use; zeros and poisoned memory have another.
};
static_assert(sizeof(MbarrierWord) == sizeof(uint64_t));

/// Watched launches: what those who wait for an mbarrier learn.
struct MbarrierClocks {
  uint32_t initialiser = 0;         ///< The thread that initialised it.
  bool is_seen_by_copies = false;   ///< It has executed a fence that asynchronous copies need.
  GpuThread* waited_for = nullptr;  ///< Who began a copy that nobody has waited for, at `copy_site`.
  uint32_t copy_site = 0;
  SyncClock arrived;    ///< Released by all who arrived, and by copies that completed bytes.
  SyncClock completed;  ///< `arrived` when the last phase completed.
};

/// An asynchronous copy that `issuer` began at `site` completes `bytes` of the transactions of `barrier`.
void CompleteTransaction(GpuThread& issuer, void* barrier, uint32_t bytes, uint32_t site);
/// `count` arrivals of an asynchronous operation, which do not release what its thread has done meanwhile.
void ArriveAsynchronously(GpuThread& issuer, void* barrier, uint32_t count, uint32_t site);
/// Counts `count` more arrivals to the current phase.
void AddPending(GpuThread& thread, void* barrier, uint32_t count, uint32_t site);
/// Watched launches: where asynchronous operations release to. `barrier` is valid.
SyncClock& ArrivedClock(GpuThread& thread, void* barrier, uint32_t site);
/// Fails unless `barrier` is an mbarrier in use.
void RequireMbarrier(GpuThread& thread, void* barrier, const char* operation, uint32_t site);

}  // namespace mmtune::simt
