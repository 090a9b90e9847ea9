// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of one of a multiprocessor's four schedulers that executes a loop: in order, one instruction of one warp a
// cycle, obeying the control bits of the code (stall counts, the six barriers, groups of copies). docs/profile.md says
// what it knows, what it does not, and how far it can be trusted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/sass.h"

namespace mmtune {

/// Multiply-adds that a multiprocessor begins in a cycle; 0: unknown, and code that has such instructions cannot be
/// modelled. Source: MultiplyAddsPerCycle (proto/types/peak_gflops.h).
struct SchedulerRates {
  int64_t fma = 0;
  int64_t tensor = 0;
  int64_t f64 = 0;        ///< Outside tensor cores.
  int64_t integers = 64;  ///< IMAD.
  /// Cycles of the multiprocessor for one wavefront of shared memory or L1 (DeviceRates,
  /// kernels/perf_model/time_model.h).
  double wavefront_cycles = 1;
};

/// What the warps of a scheduler wait for in a cycle in which none of them issues.
enum class IdleReason { kNone, kBarrier, kStall, kScoreboard, kUnit, kMemoryQueue, kCopies };
inline constexpr size_t kIdleReasons = 7;
std::string_view IdleReasonName(IdleReason reason);

struct ScheduledWarps {
  int64_t warps = 1;   ///< Resident on the scheduler, at most kMostScheduledWarps.
  int64_t blocks = 1;  ///< Whose warps meet at barriers among themselves; it divides `warps`.
};
inline constexpr int64_t kMostScheduledWarps = 16;

/// Cycles for which an instruction of the ALU occupies it: 16 lanes a scheduler.
inline constexpr int64_t kAluCycles = 2;

struct ModelledRate {
  double share = 0;   ///< Of the peak of the units that multiply, mean over orders of the warps.
  double lowest = 0;  ///< Over those orders.
  double highest = 0;
  double issued = 0;                           ///< Share of cycles in which an instruction is issued.
  std::array<double, kIdleReasons> idle = {};  ///< Share of cycles by reason; with `issued` they add up to 1.
};

/// `wavefronts` has those of shared memory for each instruction of the loop, at least 1 where it accesses memory.
/// FailedPrecondition when a rate is missing or the loop does not go on (its barriers never clear).
absl::StatusOr<ModelledRate> ModelLoop(const SassFunction& function, const SassLoop& loop,
                                       const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                       const ScheduledWarps& warps);

}  // namespace mmtune
