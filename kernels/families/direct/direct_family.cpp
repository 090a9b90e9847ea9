// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `direct` family: every thread reads A and B straight from global memory, no tile is shared.
// The first rungs of the teaching ladder: one element per thread is the naive kernel, a tile of
// elements per thread the register-blocked one.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/direct/direct_family.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

constexpr ScheduleField<DirectSchedule> kFields[] = {
    {"bx", &DirectSchedule::bx, 1, 1024},
    {"by", &DirectSchedule::by, 1, 1024},
    {"tm", &DirectSchedule::tm, 1, 64},
    {"tn", &DirectSchedule::tn, 1, 64},
};
static_assert(std::size(kFields) == kDirectParameterCount);

Schedule ScheduleOf(int64_t bx, int64_t by, int64_t tm, int64_t tn) {
  return DirectSchedule{{}, bx, by, tm, tn}.ToSchedule();
}

/// The naive kernel; its second form is for devices of few threads and products of many rows.
ByPreference<Schedule> Naive() { return {ScheduleOf(16, 16, 1, 1), ScheduleOf(32, 1, 1, 1)}; }

class DirectFamily final : public FamilyOf<DirectSchedule> {
 public:
  int version() const override { return 2; }
  /// It exists for comparison.
  bool SearchedByDefault(const MatmulProblem&) const override { return false; }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    std::vector<ScheduleConstraint> constraints;
    auto add = [&](DirectParameter last, std::string name, auto holds) {
      size_t ready = last + 1;
      constraints.push_back({std::move(name), ready, [problem, ready, holds](const int64_t* values) {
                               return holds(DirectTiling(problem, DirectSchedule::FromValues(values, ready)));
                             }});
    };
    using T = DirectTiling;
    add(kDirectBx, "elements are multiplied as they are (math ieee)",
        [](const T& t) { return t.problem.math == MathMode::kIeee; });
    add(kDirectBy, "a block has at least one warp (bx*by >= 32)", [](const T& t) { return t.threads >= 32; });
    add(kDirectBy, "a block has no more threads than the device allows",
        [limit = device.max_threads_per_block](const T& t) { return t.threads <= limit; });
    add(kDirectTm, "rows of C are counted in 31 bits (m + by*tm < 2^31)",
        [](const T& t) { return t.problem.m + t.bm <= kMaxCoordinate; });
    add(kDirectTn, "columns of C are counted in 31 bits (n + bx*tn < 2^31)",
        [](const T& t) { return t.problem.n + t.bn <= kMaxCoordinate; });
    add(kDirectTn, "k is counted in 31 bits (k < 2^31)", [](const T& t) { return t.problem.k <= kMaxCoordinate; });
    add(kDirectTn, "block tiles of C are fewer than 2^31", [](const T& t) { return t.blocks <= kMaxGridX; });
    add(kDirectTn, "operands fit the device's memory",
        [memory = device.memory_bytes](const T& t) { return memory <= 0 || t.problem.OperandBytes() <= memory; });
    add(kDirectTn, "the estimated registers fit without a spill",
        [device](const T& t) { return t.RegisterEstimate() <= RegisterLimit(device, t.threads, 1); });
    return constraints;
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    DirectTiling tiling(problem, DirectSchedule::FromSchedule(schedule));
    PlanStep product;
    product.kernel = kDirectKernel;
    product.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC};
    AddEpilogueArguments(problem, product);
    product.grid[0] = static_cast<uint32_t>(tiling.blocks);
    product.block[0] = static_cast<uint32_t>(tiling.schedule.bx);
    product.block[1] = static_cast<uint32_t>(tiling.schedule.by);
    LaunchPlan plan;
    plan.steps.push_back(product);
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
    // A block of 32 threads exists whatever the shape, as bx goes up to 64.
    return {{"bx", {8, 16, 32, 64}},
            {"by", {1, 2, 4, 8, 16}},
            {"tm", AxisWithin({1, 2, 4, 8}, 1, limitM)},
            {"tn", AxisWithin({1, 2, 4, 8}, 1, limitN)}};
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
    // No shared memory, so no k step either.
    geometry.words.blockTile = absl::StrCat(tiling.bm, "x", tiling.bn);
    geometry.words.threadTile = absl::StrCat(s.tm, "x", s.tn);
    return geometry;
  }
};

}  // namespace

std::span<const ScheduleField<DirectSchedule>> DirectSchedule::fields() { return kFields; }

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
  // Every warp's loads go through L1; what its block shares comes from L2 once.
  cost.wavefronts = static_cast<double>(CeilDiv(threads, 32)) *
                    std::max(loads, 32 * static_cast<double>(s.tn * stepK) * bytes / kWavefrontBytes);
  cost.bytes = static_cast<double>((bm + bn) * stepK) * bytes;
  cost.latency = kL1Latency;
  cost.exposed = kGlobalLatency / 4;
  return cost;
}

const SpaceFamily& GetDirectFamily() {
  static const DirectFamily family;
  return family;
}

}  // namespace mmtune
