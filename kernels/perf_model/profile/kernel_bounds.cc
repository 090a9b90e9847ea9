// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/kernel_bounds.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/profile/sass.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {

std::string MainKernel(const LaunchPlan& plan) {
  const auto launch = std::ranges::find(plan.steps, PlanStep::Kind::kLaunch, &PlanStep::kind);
  return launch == plan.steps.end() ? "" : launch->kernel;
}

absl::StatusOr<MainKernelCode> ReadMainKernelCode(const CompiledKernel& kernel, const std::string& arch,
                                                  const ProfiledCounters* counters) {
  if (kernel.format != ImageFormat::kCubin)
    return FailedPrecondition(
        "there is no machine code to read, because the driver assembles the kernel: install ptxas, or name it by "
        "MMTUNE_PTXAS");
  const std::string name = MainKernel(kernel.plan);
  MainKernelCode code;
  ASSIGN_OR_RETURN(code.listing, Disassemble(kernel.image, arch));
  code.function = code.listing.Find(name);
  if (code.function == nullptr) return Internal(absl::StrCat("the cubin has no kernel ", name));
  ASSIGN_OR_RETURN(code.loop, FindHotLoop(*code.function));
  code.wavefronts = WavefrontsOf(*code.function, code.loop, counters);
  return code;
}

namespace {

constexpr int64_t kSchedulers = 4;
constexpr double kSectorBytes = 32;
/// A loop that reaches this part of what a unit allows is limited by the unit, else by latency.
constexpr double kNearLimit = 0.9;

/// Names what limits the kernel. `share` is the fraction of peak of a busy multiprocessor, with the padding of its
/// loops and the ends of blocks; `memory` names the unit whose wavefronts are counted.
std::string BoundOf(const ProfiledBounds& bounds, const LoopLimits& limits, double even, double share,
                    const char* memory) {
  if (bounds.others >= std::max({bounds.multiprocessors, bounds.l2, bounds.dram})) return "launches";
  if (bounds.dram >= std::max(bounds.multiprocessors, bounds.l2)) return "DRAM";
  if (bounds.l2 >= bounds.multiprocessors) return "L2";
  if (bounds.tail > even - bounds.multiply) return "tail";
  const double most = std::min({1.0, limits.issue, limits.alu, limits.shared});
  if (share < kNearLimit * most) return "latency";
  if (most >= 1) return "multiply";
  if (most == limits.issue) return "issue";
  return most == limits.alu ? "ALU" : memory;
}

}  // namespace

SchedulerRates RatesOfProblem(const MatmulProblem& problem, const DeviceInfo& device) {
  const int capability = device.ComputeCapability();
  SchedulerRates rates;
  rates.wavefront_cycles = RatesOf(device).wavefrontClocks;
  rates.fma = MultiplyAddsPerCycle(capability, DataType::kF32);
  rates.f64 = MultiplyAddsPerCycle(capability, DataType::kF64);
  rates.integers = MultiplyAddsPerCycle(capability, DataType::kS32);
  if (problem.dtype != DataType::kF32) {
    rates.tensor = MultiplyAddsPerCycle(capability, problem.dtype);
  } else if (problem.math == MathMode::kBf16x6) {
    rates.tensor = MultiplyAddsPerCycle(capability, DataType::kBf16);
  } else if (problem.math != MathMode::kIeee) {
    rates.tensor = MultiplyAddsPerCycle(capability, DataType::kF32, MathMode::kTf32);
  }
  return rates;
}

ProfiledOccupancy OccupancyOf(const ScheduleGeometry& geometry, const DeviceInfo& device) {
  ProfiledOccupancy occupancy;
  occupancy.threads = geometry.threads;
  occupancy.registers = geometry.registers;
  occupancy.shared_bytes = geometry.sharedBytes;
  occupancy.blocks = geometry.blocks;
  occupancy.resident_blocks = ResidentBlocks(geometry, device);
  ScheduleGeometry without_registers = geometry, without_shared = geometry;
  without_registers.registers = 0;
  without_shared.sharedBytes = 0;
  const int64_t more_by_registers = ResidentBlocks(without_registers, device);
  const int64_t more_by_shared = ResidentBlocks(without_shared, device);
  occupancy.limit = "threads";
  if (more_by_shared > occupancy.resident_blocks) occupancy.limit = "shared memory";
  if (more_by_registers > occupancy.resident_blocks) occupancy.limit = "registers";
  if (more_by_registers == occupancy.resident_blocks && more_by_shared == occupancy.resident_blocks) {
    without_registers.sharedBytes = 0;
    if (ResidentBlocks(without_registers, device) > occupancy.resident_blocks) {
      occupancy.limit = "registers and shared memory";
    }
  }
  occupancy.warps_share = 32.0 * static_cast<double>(occupancy.resident_blocks * geometry.warps()) /
                          static_cast<double>(device.max_threads_per_multiprocessor);
  const double multiprocessors = RatesOf(device).multiprocessors;
  const auto blocks = static_cast<double>(geometry.blocks);
  occupancy.waves = blocks / multiprocessors / static_cast<double>(occupancy.resident_blocks);
  occupancy.spread = blocks / (std::ceil(blocks / multiprocessors) * multiprocessors);
  return occupancy;
}

absl::StatusOr<ModelledRate> ModelResident(const SassFunction& function, const SassLoop& loop,
                                           const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                           int64_t blocks, int64_t warps) {
  // A block with fewer warps than schedulers has at most one warp on each. Where four does not divide the warps, some
  // schedulers have one warp less, which counts as idle.
  ScheduledWarps scheduled;
  const int64_t of_block = (warps + kSchedulers - 1) / kSchedulers;
  const int64_t resident = std::max<int64_t>(1, (blocks * warps + kSchedulers - 1) / kSchedulers);
  if (warps < kSchedulers) {
    scheduled = {resident, resident};
  } else {
    const int64_t fitting = std::min(blocks, std::max<int64_t>(1, kMaxScheduledWarps / of_block));
    scheduled = {fitting * of_block, fitting};
  }
  ASSIGN_OR_RETURN(ModelledRate rate, ModelLoop(function, loop, wavefronts, rates, scheduled));
  if (!(rate.share > 0))
    return FailedPrecondition("cannot model the loop: it has no multiply-adds, so no fraction of peak");
  const double filled = static_cast<double>(blocks * warps) / static_cast<double>(kSchedulers * scheduled.warps);
  if (filled < 1) {
    for (double* part : {&rate.share, &rate.lowest, &rate.highest}) *part *= filled;
  }
  return rate;
}

LoopLimits LimitsOf(const ProfiledLoop& loop, const SchedulerRates& rates) {
  auto has = [&loop](std::string_view end) {
    return std::ranges::any_of(loop.mix, [end](const InstructionCount& row) { return row.name.ends_with(end); });
  };
  const int64_t rate = has("MMA") ? rates.tensor : has("DFMA") ? rates.f64 : has("FMA") ? rates.fma : rates.integers;
  LoopLimits limits;
  if (rate == 0 || loop.multiply_adds == 0) return limits;
  const double cycles = static_cast<double>(kSchedulers * loop.multiply_adds) / static_cast<double>(rate);
  limits.issue = std::min(1.0, cycles / static_cast<double>(loop.instructions));
  if (loop.alu > 0) limits.alu = std::min(1.0, cycles / static_cast<double>(kAluCycles * loop.alu));
  if (loop.wavefronts > 0)
    limits.shared = std::min(1.0, cycles / (kSchedulers * rates.wavefront_cycles * loop.wavefronts));
  return limits;
}

absl::StatusOr<ProfiledBounds> BoundsOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                        const DeviceInfo& device, const CountedWork& counted, const LoopLimits& limits,
                                        const PeakFractionOfBlocks& share) {
  const DeviceRates rates = RatesOf(device);
  const PredictedTime predicted = PredictTime(problem, geometry, device);
  const double hertz = rates.clocksPerSecond, multiprocessors = rates.multiprocessors;
  // Multiply-adds of elements, which split precision executes as several instructions.
  const auto per_clock = static_cast<double>(MultiplyAddsPerClock(problem, geometry.loop.tensorCores, device));
  if (per_clock <= 0)
    return FailedPrecondition(device.arch + " has no multiply-add instructions for this problem's types");

  ProfiledBounds bounds;
  bounds.board_multiprocessors = multiprocessors;
  bounds.board_hertz = hertz;
  bounds.board_dram_rate = rates.dramBytesPerSecond;
  bounds.board_l2_rate = rates.l2Bytes * multiprocessors * hertz;
  bounds.multiply = problem.Flops() / 2 / per_clock / multiprocessors / hertz;
  bounds.dram = predicted.dram;
  bounds.dram_bytes = predicted.dram * rates.dramBytesPerSecond;
  bounds.l2 = predicted.l2;
  bounds.l2_bytes = predicted.l2 * bounds.board_l2_rate;
  if (counted.sectors > 0) {
    bounds.l2_bytes = kSectorBytes * counted.sectors;
    bounds.l2 = bounds.l2_bytes / bounds.board_l2_rate;
  }
  bounds.shared =
      counted.wavefronts > 0 ? counted.wavefronts * rates.wavefrontClocks / multiprocessors / hertz : predicted.shared;
  bounds.issue = predicted.issue;
  bounds.others = predicted.others;

  // Rounds of resident blocks on the busiest multiprocessor, as in time_model.h, with the loop's share of peak.
  const auto blocks = static_cast<double>(geometry.blocks);
  const auto most = static_cast<int64_t>(std::ceil(blocks / multiprocessors));
  const int64_t resident = std::min(most, ResidentBlocks(geometry, device));
  const double of_block = geometry.loop.steps * geometry.loop.multiplyAdds * static_cast<double>(geometry.warps()) /
                          per_clock;  // Clocks at peak, with padding.
  const double padded = of_block * blocks / multiprocessors / hertz;
  double even = 0;
  LoopLimits allowed = limits;
  if (share) {
    auto share_of = [&](int64_t count) -> absl::StatusOr<double> {
      ASSIGN_OR_RETURN(const double reached, share(count));
      if (reached > 0) return reached;
      return FailedPrecondition("cannot predict a time: main-loop throughput is 0 % of peak");
    };
    ASSIGN_OR_RETURN(const double loop_share, share_of(resident));
    auto round = [&](int64_t count, double reached) {
      return static_cast<double>(count) * of_block / reached + kBlockClocks * geometry.loop.tiles;
    };
    const int64_t rounds = most / resident;
    double clocks = static_cast<double>(rounds) * round(resident, loop_share);
    if (const int64_t rest = most % resident; rest > 0) {
      ASSIGN_OR_RETURN(const double share_of_rest, share_of(rest));
      clocks += round(rest, share_of_rest);
    }
    bounds.from_loop = true;
    bounds.multiprocessors = clocks / hertz;
    even = std::min(blocks / multiprocessors / static_cast<double>(resident) * round(resident, loop_share) / hertz,
                    bounds.multiprocessors);
    bounds.issue = padded / limits.issue;
  } else {
    even = std::max({predicted.multiply, predicted.issue, predicted.shared, predicted.l2}) + predicted.latency;
    bounds.multiprocessors = even + predicted.tail;
    if (predicted.issue > 0) allowed.issue = std::min(1.0, padded / predicted.issue);
    if (predicted.shared > 0) allowed.shared = std::min(1.0, padded / predicted.shared);
  }
  bounds.tail = bounds.multiprocessors - even;
  bounds.total = std::max({bounds.multiprocessors, bounds.dram, bounds.l2}) + bounds.others;
  bounds.share_of_peak = bounds.total > 0 ? bounds.multiply / bounds.total : 0;
  bounds.bound =
      BoundOf(bounds, allowed, even, even > 0 ? padded / even : 0, geometry.sharedBytes > 0 ? "shared memory" : "L1");
  return bounds;
}

absl::StatusOr<double> PredictedPeakFraction(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                             const DeviceInfo& device, const CompiledKernel& kernel) {
  ASSIGN_OR_RETURN(const MainKernelCode code, ReadMainKernelCode(kernel, device.arch, /*counters=*/nullptr));
  const double most = std::ceil(static_cast<double>(geometry.blocks) / RatesOf(device).multiprocessors);
  const int64_t resident = std::min(static_cast<int64_t>(most), ResidentBlocks(geometry, device));
  ASSIGN_OR_RETURN(const ModelledRate rate, ModelResident(*code.function, code.loop, code.wavefronts,
                                                          RatesOfProblem(problem, device), resident, geometry.warps()));
  if (rate.share > 0 && rate.share <= 1) return rate.share;
  return FailedPrecondition(
      absl::StrCat("the model predicts ", rate.share, " of peak for the loop, which is not within (0, 1]"));
}

}  // namespace mmtune
