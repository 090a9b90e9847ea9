// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/scheduler_model.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int64_t kSchedulers = 4, kLanes = 32;
// Latencies in cycles. That of shared memory is measured. Copies from global memory hit some lines in L2 that other
// blocks have read, so they take less than the 700 of time_model.h. The others are assumptions (docs/profile.md).
constexpr int64_t kSharedLatency = 29, kCopyLatency = 600, kOperandLatency = 20, kVariableLatency = 20;
constexpr int64_t kBarrierLatency = 12;
constexpr double kQueueCycles = 8 * 16;  ///< Work that may queue for shared memory before the next instruction stalls.
constexpr size_t kIterations = 20, kWarmIterations = 4;  // Per warp, on average.
constexpr int64_t kMostCycles = 20'000'000;
constexpr int kScoreboards = 6;
/// The mean is taken over orders: warps begin so many cycles apart, and the scheduler prefers the same warp or the
/// next.
constexpr int64_t kStaggers[] = {1, 37, 211};

/// An instruction of the loop with its costs.
struct Step {
  SassUnit unit = SassUnit::kOther;
  SassControl control;
  double unit_cycles = 0;      ///< Cycles for which it occupies its unit.
  double multiply_cycles = 0;  ///< Those of them that count as peak.
  double wavefronts = 1;
  size_t allowed_groups = 0;  ///< kWaitCopies.
};

struct Warp {
  size_t at = 0;
  bool at_barrier = false;
  int64_t ready = 0;
  std::array<int64_t, kScoreboards> busy = {};  ///< The cycle until which each is set.
  double copies_end = 0;                        ///< End of the copies of the open group.
  std::deque<int64_t> groups;                   ///< When each ends, oldest first.
};

class Scheduler {
 public:
  Scheduler(const std::vector<Step>& steps, const ScheduledWarps& warps, int64_t stagger, bool prefers_next)
      : steps_(steps), warps_(warps.warps), warps_per_block_(warps.warps / warps.blocks), prefers_next_(prefers_next) {
    for (size_t i = 0; i < warps_.size(); ++i) warps_[i].ready = static_cast<int64_t>(i) * stagger;
  }

  /// Returns the rate; nullopt where the loop deadlocks.
  std::optional<ModelledRate> Run() {
    std::array<int64_t, kIdleReasons> idle = {};
    int64_t first = -1, issued = 0;
    double multiplied = 0, multiplied_before = 0;
    while (true) {
      if (iterations_ >= kWarmIterations * warps_.size() && first < 0) {
        first = now_;
        multiplied_before = multiplied;
        idle = {};
        issued = 0;
      }
      if (iterations_ >= kIterations * warps_.size()) break;
      if (now_ > kMostCycles) return std::nullopt;
      auto reason = IdleReason::kNone;
      if (const Step* step = IssueOne(&reason)) {
        multiplied += step->multiply_cycles;
        ++issued;
      } else {
        ++idle[static_cast<size_t>(reason)];
      }
      ++now_;
    }
    const auto cycles = static_cast<double>(now_ - first);
    ModelledRate rate;
    rate.share = (multiplied - multiplied_before) / cycles;
    rate.issued = static_cast<double>(issued) / cycles;
    for (size_t i = 0; i < kIdleReasons; ++i) rate.idle[i] = static_cast<double>(idle[i]) / cycles;
    return rate;
  }

 private:
  /// Issues the step of a ready warp and returns it; null where no warp is ready, with the reason that a warp waited
  /// for last in the order of IdleReason.
  const Step* IssueOne(IdleReason* reason) {
    for (size_t i = 0; i < warps_.size(); ++i) {
      const size_t index = (current_ + i + (prefers_next_ ? 1 : 0)) % warps_.size();
      Warp& warp = warps_[index];
      const Step& step = steps_[warp.at];
      const IdleReason blocked = Blocked(warp, step);
      if (blocked != IdleReason::kNone) {
        *reason = std::max(*reason, blocked);
        continue;
      }
      Issue(index, step);
      current_ = index;
      return &step;
    }
    return nullptr;
  }

  IdleReason Blocked(const Warp& warp, const Step& step) const {
    if (warp.at_barrier) return IdleReason::kBarrier;
    if (warp.ready > now_) return IdleReason::kStall;
    for (int i = 0; i < kScoreboards; ++i) {
      if ((step.control.waits >> i & 1) != 0 && warp.busy[i] > now_) return IdleReason::kScoreboard;
    }
    if (IsMemory(step.unit)) {
      if (memory_free_ > static_cast<double>(now_) + kQueueCycles) return IdleReason::kMemoryQueue;
    } else if (UnitFree(step.unit) > static_cast<double>(now_)) {
      return IdleReason::kUnit;
    }
    if (step.unit == SassUnit::kWaitCopies && warp.groups.size() > step.allowed_groups &&
        warp.groups[warp.groups.size() - step.allowed_groups - 1] > now_) {
      return IdleReason::kCopies;
    }
    return IdleReason::kNone;
  }

  void Issue(size_t index, const Step& step) {
    Warp& warp = warps_[index];
    const auto now = static_cast<double>(now_);
    if (IsMemory(step.unit)) {
      const double begin = std::max(memory_free_, now);
      memory_free_ = begin + kSchedulers * step.wavefronts;
      const bool global = step.unit == SassUnit::kAsyncCopy || step.unit == SassUnit::kGlobal;
      const double end = memory_free_ - kSchedulers + static_cast<double>(global ? kCopyLatency : kSharedLatency);
      Set(warp, step.control.read_barrier, begin + kOperandLatency);
      if (step.unit == SassUnit::kAsyncCopy) {
        warp.copies_end = std::max(warp.copies_end, end);
        Set(warp, step.control.write_barrier, begin + kOperandLatency);
      } else {
        Set(warp, step.control.write_barrier, end);
      }
    } else {
      // Fractions of a cycle carry over.
      double& free = UnitFree(step.unit);
      free = std::max(free, now) + step.unit_cycles;
      Set(warp, step.control.write_barrier, now + kVariableLatency);
      Set(warp, step.control.read_barrier, now + kVariableLatency);
    }
    if (step.unit == SassUnit::kCommit) {
      warp.groups.push_back(static_cast<int64_t>(std::max(warp.copies_end, now)));
      warp.copies_end = 0;
    }
    if (step.unit == SassUnit::kWaitCopies) {
      while (warp.groups.size() > step.allowed_groups) warp.groups.pop_front();
    }
    if (step.unit == SassUnit::kBarrier) Arrive(index);
    warp.ready = std::max(warp.ready, now_ + std::max(step.control.stall, 1));
    if (++warp.at == steps_.size()) {
      warp.at = 0;
      ++iterations_;
    }
  }

  void Arrive(size_t index) {
    warps_[index].at_barrier = true;
    const size_t first = index / warps_per_block_ * warps_per_block_;
    for (size_t i = first; i < first + warps_per_block_; ++i) {
      if (!warps_[i].at_barrier) return;
    }
    for (size_t i = first; i < first + warps_per_block_; ++i) {
      warps_[i].at_barrier = false;
      warps_[i].ready = std::max(warps_[i].ready, now_ + kBarrierLatency);
    }
  }

  static bool IsMemory(SassUnit unit) { return unit >= SassUnit::kSharedLoad && unit <= SassUnit::kGlobal; }
  double& UnitFree(SassUnit unit) { return free_[static_cast<size_t>(unit)]; }
  double UnitFree(SassUnit unit) const { return free_[static_cast<size_t>(unit)]; }
  static void Set(Warp& warp, int barrier, double until) {
    if (barrier >= kScoreboards) return;
    warp.busy[barrier] = std::max(warp.busy[barrier], static_cast<int64_t>(until));
  }

  const std::vector<Step>& steps_;
  std::vector<Warp> warps_;
  const size_t warps_per_block_;
  const bool prefers_next_;
  int64_t now_ = 0;
  size_t current_ = 0;
  size_t iterations_ = 0;  ///< Sum over all warps, as one that never stalls may run ahead of the others.
  double memory_free_ = 0;
  std::array<double, static_cast<size_t>(SassUnit::kOther) + 1> free_ = {};
};

/// Returns how many groups may be unfinished behind a DEPBAR with operands "SB0, 0x2": 2.
size_t AllowedGroups(const SassInstruction& instruction) {
  uint32_t allowed = 0;
  if (instruction.operands.size() > 1 && !absl::SimpleHexAtoi(instruction.operands[1], &allowed)) return 0;
  return allowed;
}

int64_t RateOf(SassUnit unit, const SchedulerRates& rates) {
  if (unit == SassUnit::kFma) return rates.fma;
  if (unit == SassUnit::kDouble) return rates.f64;
  if (unit == SassUnit::kIntegerMultiply) return rates.integers;
  if (unit == SassUnit::kHalf) return rates.fma;
  return unit == SassUnit::kTensor ? rates.tensor : 1;
}

absl::StatusOr<std::vector<Step>> StepsOf(const SassFunction& function, const SassLoop& loop,
                                          const std::vector<double>& wavefronts, const SchedulerRates& rates) {
  std::vector<Step> steps;
  const std::vector<bool> conflicts = RegisterBankConflicts(function, loop);
  for (size_t i = 0; i < loop.size(); ++i) {
    const SassInstruction& instruction = function.instructions[loop.first + i];
    Step step{.unit = ClassOf(instruction).unit,
              .control = instruction.control,
              .wavefronts = rates.wavefront_cycles * wavefronts[i]};
    const int64_t rate = RateOf(step.unit, rates);
    if (rate == 0) {
      return FailedPrecondition(
          absl::StrCat("cannot model the loop: the rate of ", instruction.opcode, " on this architecture is unknown"));
    }
    switch (step.unit) {
      case SassUnit::kFma:
      case SassUnit::kDouble:
      case SassUnit::kTensor:
      case SassUnit::kIntegerMultiply:
      case SassUnit::kHalf: {
        const int64_t products = MultiplyAdds(instruction, loop.of_integers);
        auto cycles = [rate](int64_t count) {
          return static_cast<double>(kSchedulers * count) / static_cast<double>(rate);
        };
        step.multiply_cycles = cycles(products);
        step.unit_cycles = cycles(std::max(products, kLanes)) + (conflicts[i] ? 1 : 0);
        // An FMA unit of 16 lanes per scheduler also multiplies integers; one of 32 lanes also adds halves.
        const bool fma_has_16 = rates.fma == 64;
        if (step.unit == (fma_has_16 ? SassUnit::kIntegerMultiply : SassUnit::kHalf)) step.unit = SassUnit::kFma;
        break;
      }
      case SassUnit::kAlu:
      case SassUnit::kUniform:
        step.unit_cycles = kAluCycles;
        break;
      case SassUnit::kWaitCopies:
        step.allowed_groups = AllowedGroups(instruction);
        break;
      default:
        break;
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

std::string_view IdleReasonName(IdleReason reason) {
  constexpr std::string_view kNames[] = {"none",          "barrier",      "stall count", "scoreboard",
                                         "unit occupied", "memory queue", "copies"};
  return kNames[static_cast<size_t>(reason)];
}

absl::StatusOr<ModelledRate> ModelLoop(const SassFunction& function, const SassLoop& loop,
                                       const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                       const ScheduledWarps& warps) {
  ASSIGN_OR_RETURN(const std::vector<Step> steps, StepsOf(function, loop, wavefronts, rates));
  ModelledRate mean;
  mean.lowest = 1;
  constexpr double kOrders = 2 * std::size(kStaggers);
  for (const bool prefers_next : {false, true}) {
    for (const int64_t stagger : kStaggers) {
      const std::optional<ModelledRate> rate = Scheduler(steps, warps, stagger, prefers_next).Run();
      if (!rate) return FailedPrecondition("cannot model the loop: it waits for a barrier that is never cleared");
      mean.share += rate->share / kOrders;
      mean.issued += rate->issued / kOrders;
      for (size_t i = 0; i < kIdleReasons; ++i) mean.idle[i] += rate->idle[i] / kOrders;
      mean.lowest = std::min(mean.lowest, rate->share);
      mean.highest = std::max(mean.highest, rate->share);
    }
  }
  return mean;
}

}  // namespace mmtune
