// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of one of a multiprocessor's four warp schedulers that executes a loop: in order, one instruction of one warp
// a cycle, obeying the control bits of the code (stall counts, the six barriers, groups of copies). docs/profile.md
// says what it covers, what it does not, and how accurate it is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/sass.h"

namespace mmtune {

/// Multiply-adds that a multiprocessor starts in a cycle; 0: unknown, and code with such instructions cannot be
/// modelled. Source: MultiplyAddsPerCycle (proto/types/device_info.h).
struct SchedulerRates {
  int64_t fma = 0;
  int64_t tensor = 0;
  int64_t f64 = 0;        ///< DFMA, not tensor cores.
  int64_t integers = 64;  ///< IMAD.
  /// Cycles of the multiprocessor for one wavefront of shared memory or L1 (DeviceRates::wavefrontClocks).
  double wavefront_cycles = 1;
};

/// The reason why no warp of a scheduler issues in a cycle.
enum class IdleReason { kNone, kBarrier, kStall, kScoreboard, kUnit, kMemoryQueue, kCopies };
inline constexpr size_t kIdleReasons = 7;
std::string_view IdleReasonName(IdleReason reason);

struct ScheduledWarps {
  int64_t warps = 1;   ///< Warps resident on the scheduler, at most kMaxScheduledWarps.
  int64_t blocks = 1;  ///< Their blocks, each with barriers of its own; divides `warps`.
};
inline constexpr int64_t kMaxScheduledWarps = 16;

/// Cycles for which an instruction occupies the ALU, which has 16 lanes per scheduler.
inline constexpr int64_t kAluCycles = 2;

struct ModelledRate {
  double share = 0;   ///< Fraction of the peak of the multiplying units, mean over orders of the warps.
  double lowest = 0;  ///< Its range over those orders.
  double highest = 0;
  double issued = 0;                           ///< Share of cycles in which an instruction is issued.
  std::array<double, kIdleReasons> idle = {};  ///< Share of cycles by reason; with `issued` they add up to 1.
};

/// Models the loop. `wavefronts` has the wavefronts of shared memory for each instruction of the loop, at least 1 where
/// it accesses memory. FailedPrecondition where a rate is unknown, or the loop waits for a barrier that is never
/// cleared.
absl::StatusOr<ModelledRate> ModelLoop(const SassFunction& function, const SassLoop& loop,
                                       const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                       const ScheduledWarps& warps);

}  // namespace mmtune
