// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `direct` family: every thread reads A and B straight from global memory, without shared memory. These are the
// first rungs of the teaching ladder: with one element per thread the naive kernel, with a tile per thread the
// register-blocked one.
#include "kernels/families/direct/direct_family.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

Schedule ScheduleOf(int64_t bx, int64_t by, int64_t tm, int64_t tn) {
  return DirectSchedule{{}, bx, by, tm, tn}.ToSchedule();
}

/// Returns the naive kernel; the second form is for devices with few threads per block and problems of many rows.
ByPreference<Schedule> Naive() { return {ScheduleOf(16, 16, 1, 1), ScheduleOf(32, 1, 1, 1)}; }

class DirectFamily final : public ScheduleFamily<DirectSchedule> {
 public:
  int version() const override { return 2; }
  /// The family exists for comparison.
  bool SearchedByDefault(const MatmulProblem&) const override { return false; }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using T = DirectTiling;
    using S = DirectSchedule;
    ConstraintList<S, T> list(problem);
    list.AddFact("the math mode is ieee", problem.math == MathMode::kIeee);
    list.AddTiling(&S::by, "a block has at least one warp (bx*by >= 32)", [](const T& t) { return t.threads >= 32; });
    list.AddTiling(&S::by, "a block has no more threads than the device allows",
                   [limit = device.max_threads_per_block](const T& t) { return t.threads <= limit; });
    list.AddTiling(&S::tm, "row indices of C fit 31 bits (m + by*tm < 2^31)",
                   [](const T& t) { return t.problem.m + t.bm <= kMaxCoordinate; });
    list.AddTiling(&S::tn, "column indices of C fit 31 bits (n + bx*tn < 2^31)",
                   [](const T& t) { return t.problem.n + t.bn <= kMaxCoordinate; });
    list.AddTiling(&S::tn, "k indices fit 31 bits (k < 2^31)",
                   [](const T& t) { return t.problem.k <= kMaxCoordinate; });
    list.AddTiling(&S::tn, "block tiles of C are fewer than 2^31", [](const T& t) { return t.blocks <= kMaxGridX; });
    list.AddTiling(&S::tn, "operands fit the device's memory", [memory = device.memory_bytes](const T& t) {
      return memory <= 0 || t.problem.OperandBytes() <= memory;
    });
    list.AddTiling(&S::tn, "the estimated registers fit without spills",
                   [device](const T& t) { return t.RegisterEstimate() <= RegisterLimit(device, t.threads, 1); });
    return list.take();
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    DirectTiling tiling(problem, DirectSchedule::FromSchedule(schedule));
    PlanStep main;
    main.kernel = kDirectKernel;
    main.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC};
    AddEpilogueArguments(problem, main);
    main.grid[0] = static_cast<uint32_t>(tiling.blocks);
    main.block[0] = static_cast<uint32_t>(tiling.schedule.bx);
    main.block[1] = static_cast<uint32_t>(tiling.schedule.by);
    LaunchPlan plan;
    plan.steps.push_back(main);
    return plan;
  }

  std::vector<LadderRung> ladder(const MatmulProblem&) const override {
    return {{"naive", Naive()}, {"register-blocked", {ScheduleOf(16, 16, 8, 8), ScheduleOf(16, 16, 4, 4)}}};
  }

  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem&, const DeviceInfo&) const override {
    return {Naive()};
  }

 protected:
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    int64_t limitM = NextPowerOfTwo(std::min<int64_t>(problem.m, 16));
    int64_t limitN = NextPowerOfTwo(std::min<int64_t>(problem.n, 16));
    // bx goes up to 64, so every shape has a block of 32 threads.
    using S = DirectSchedule;
    return SearchParameters<S>({{&S::bx, {8, 16, 32, 64}},
                                {&S::by, {1, 2, 4, 8, 16}},
                                {&S::tm, AxisWithin({1, 2, 4, 8}, 1, limitM)},
                                {&S::tn, AxisWithin({1, 2, 4, 8}, 1, limitN)}});
  }

  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    DirectTiling tiling(problem, DirectSchedule::FromSchedule(schedule));
    const DirectSchedule& s = tiling.schedule;
    ScheduleGeometry geometry;
    geometry.tile = {tiling.bm, tiling.bn, 1};
    geometry.threads = tiling.threads;
    geometry.blocks = tiling.blocks;
    geometry.registers = tiling.RegisterEstimate();
    geometry.bytesMoved = OperandBytesRead(problem, tiling.gridM, tiling.gridN) +
                          static_cast<double>(DataTypeBytes(problem.TypeOfC()) * problem.ElementsC());
    geometry.loop = tiling.Cost();
    geometry.labels.blockTile = absl::StrCat(tiling.bm, "x", tiling.bn);
    geometry.labels.threadTile = absl::StrCat(s.tm, "x", s.tn);
    return geometry;
  }
};

}  // namespace

DirectTiling::DirectTiling(const MatmulProblem& problem, const DirectSchedule& s) : problem(problem), schedule(s) {
  bm = s.by * s.tm;
  bn = s.bx * s.tn;
  threads = s.bx * s.by;
  gridM = CeilDiv(problem.m, bm);
  gridN = CeilDiv(problem.n, bn);
  blocks = gridM * gridN * problem.batch;
  int64_t widest = DataTypeBytes(problem.AccumulatorType());
  vectorN = VectorWidth(problem.n, s.tn, widest);
  stepK = VectorWidth(problem.k, 4, widest);
}

int64_t DirectTiling::RegisterEstimate() const {
  const DirectSchedule& s = schedule;
  int64_t words = CeilDiv(DataTypeBytes(problem.AccumulatorType()), 4);
  int64_t accumulators = s.tm * s.tn;
  int64_t fragments = s.tm * stepK + s.tn * stepK;
  int64_t addresses = 24 + 2 * s.tm;
  return words * (accumulators + fragments) + addresses;
}

LoopCost DirectTiling::Cost() const {
  const DirectSchedule& s = schedule;
  constexpr double kLoopInstructions = 10, kWavefrontBytes = 128, kL1Latency = 40;
  auto bytes = static_cast<double>(DataTypeBytes(problem.dtype));
  LoopCost cost;
  cost.steps = static_cast<double>(CeilDiv(problem.k, stepK));
  cost.multiplyAdds = static_cast<double>(32 * s.tm * s.tn * stepK);
  auto loads = static_cast<double>(s.tm + s.tn / vectorN * stepK);
  cost.instructions = loads + cost.multiplyAdds / 32 + kLoopInstructions;
  // Every warp loads through L1; L2 delivers what its block shares once.
  cost.wavefronts = static_cast<double>(CeilDiv(threads, 32)) *
                    std::max(loads, 32 * static_cast<double>(s.tn * stepK) * bytes / kWavefrontBytes);
  cost.bytes = static_cast<double>((bm + bn) * stepK) * bytes;
  cost.latency = kL1Latency;
  cost.exposed = kGlobalLatency / 4;
  return cost;
}

FamilySummation GetDirectSummation() {
  return {1, [](const MatmulProblem& problem, const DeviceInfo&, const int64_t*, size_t) {
            return FusedMultiplyAdds(problem);
          }};
}

const FamilyBase& GetDirectFamily() {
  static const DirectFamily family;
  return family;
}

}  // namespace mmtune
