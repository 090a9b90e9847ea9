// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cycle model of one of a multiprocessor's four warp schedulers that executes a loop of SASS. In each cycle it issues
// at most one instruction of one warp. Each warp executes in order and obeys the control bits: stall counts, the six
// scoreboard barriers, and groups of asynchronous copies. From the cycles it derives the fraction of peak that the loop
// reaches. docs/profile.md says what the model covers, what it leaves out, and how accurate it is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/sass.h"

namespace mmtune {

/// Multiply-adds that a multiprocessor starts per cycle on each unit. 0 means unknown; code with such instructions
/// cannot be modelled. Source: MultiplyAddsPerCycle (proto/types/device_info.h).
struct SchedulerRates {
  int64_t fma = 0;        ///< FFMA.
  int64_t tensor = 0;     ///< Tensor cores.
  int64_t f64 = 0;        ///< DFMA, which does not use tensor cores.
  int64_t integers = 64;  ///< IMAD.
  /// Cycles that the multiprocessor takes for one wavefront of shared memory or L1 (DeviceRates::wavefrontClocks).
  double wavefront_cycles = 1;
};

/// The reason why a scheduler issues nothing in a cycle: a block barrier, a stall count, a scoreboard barrier, a busy
/// unit, a full memory queue, or copies that are not complete.
enum class IdleReason { kNone, kBarrier, kStall, kScoreboard, kUnit, kMemoryQueue, kCopies };
inline constexpr size_t kIdleReasons = 7;
/// Returns the name of a reason for tables.
std::string_view IdleReasonName(IdleReason reason);

/// The warps of one scheduler.
struct ScheduledWarps {
  int64_t warps = 1;  ///< Resident warps, at most kMaxScheduledWarps.
  /// The number of blocks to which these warps belong; divides `warps`. Warps synchronise within their block only.
  int64_t blocks = 1;
};
inline constexpr int64_t kMaxScheduledWarps = 16;

/// Cycles for which an instruction occupies the ALU, which has 16 lanes per scheduler.
inline constexpr int64_t kAluCycles = 2;

/// The modelled speed of a loop. The model is run for several orders in which the scheduler may prefer warps.
struct ModelledRate {
  /// Fraction of the peak of the CUDA cores or tensor cores that the loop uses, averaged over the orders.
  double share = 0;
  double lowest = 0;  ///< The lowest and the highest fraction among the orders.
  double highest = 0;
  double issued = 0;                           ///< Fraction of cycles in which an instruction is issued.
  std::array<double, kIdleReasons> idle = {};  ///< Fraction of cycles by IdleReason; `issued` and these add up to 1.
};

/// Models the loop. `wavefronts` has the wavefronts of shared memory for each instruction of the loop; at least 1 for a
/// memory access. Returns FailedPrecondition if a needed rate is unknown, or if the loop waits for a barrier that is
/// never cleared.
absl::StatusOr<ModelledRate> ModelLoop(const SassFunction& function, const SassLoop& loop,
                                       const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                       const ScheduledWarps& warps);

}  // namespace mmtune
