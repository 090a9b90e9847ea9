// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/scheduler_model.h"

#include <numeric>

#include "tests/kernels/perf_model/listings.h"

namespace mmtune {
namespace {

constexpr SchedulerRates kHopper{.fma = 128, .tensor = 2048};
constexpr SchedulerRates kAmpere{.fma = 64, .tensor = 1024};

/// A loop of instructions that each let the next one issue after `stall` cycles.
struct Loop {
  SassFunction function{"f", {}};
  std::vector<double> wavefronts;

  void Add(const std::string& opcode, int stall, int count = 1) {
    for (int i = 0; i < count; ++i) {
      function.instructions.push_back(Instruction(opcode, {"R0", "R1", "R2", "R3"}, {.stall = stall}));
      wavefronts.push_back(1);
    }
  }
  SassInstruction& Last() { return function.instructions.back(); }
  ModelledRate Run(const SchedulerRates& rates, const ScheduledWarps& warps) const {
    const auto rate = ModelLoop(function, {0, function.instructions.size() - 1}, wavefronts, rates, warps);
    EXPECT_TRUE(rate.ok()) << rate.status();
    return rate.ok() ? *rate : ModelledRate();
  }
};

TEST(SchedulerModel, OneInstructionACycleIsIssued) {
  Loop loop;
  loop.Add("FFMA", 1, 30);
  loop.Add("BRA", 1, 10);
  EXPECT_NEAR(loop.Run(kHopper, {1, 1}).share, 0.75, 1e-9);
  EXPECT_NEAR(loop.Run(kHopper, {4, 4}).share, 0.75, 0.01);
  EXPECT_NEAR(loop.Run(kHopper, {4, 4}).issued, 1, 0.01);
  // Where FFMA takes two cycles, other instructions are issued in between by other warps.
  EXPECT_NEAR(loop.Run(kAmpere, {1, 1}).share, 60.0 / 69, 1e-6);
  EXPECT_GT(loop.Run(kAmpere, {4, 4}).share, 0.92);
}

TEST(SchedulerModel, AdditionsTakeTheirTurnsWithMultiplyAdds) {
  Loop loop;
  loop.Add("FFMA", 1, 30);
  loop.Add("FADD", 1, 10);
  EXPECT_NEAR(loop.Run(kHopper, {1, 1}).share, 0.75, 1e-9);
  EXPECT_NEAR(loop.Run(kAmpere, {4, 4}).share, 0.75, 0.01);
}

// sm_86 and newer add halves on the FMA unit, older ones on a unit of their own.
TEST(SchedulerModel, HalvesTakeTurnsWithMultiplyAddsWhereTheyShareAUnit) {
  Loop loop;
  loop.Add("FFMA", 1, 30);
  loop.Add("HADD2.F32", 1, 10);
  EXPECT_NEAR(loop.Run(kHopper, {4, 4}).share, 0.75, 0.01);
  EXPECT_GT(loop.Run(kAmpere, {4, 4}).share, 0.92);
}

TEST(SchedulerModel, IntegersMultiplyAtTheirOwnRate) {
  Loop loop;
  loop.Add("IMAD", 1, 30);
  loop.Add("LOP3.LUT", 1, 10);
  for (const SchedulerRates& rates : {kHopper, kAmpere}) {
    const auto rate = ModelLoop(loop.function, {0, 39, /*of_integers=*/true}, loop.wavefronts, rates, {4, 4});
    ASSERT_TRUE(rate.ok()) << rate.status();
    EXPECT_GT(rate->share, 0.92);
  }
}

TEST(SchedulerModel, StallCountsHoldAWarpAndNotTheOthers) {
  Loop loop;
  loop.Add("FFMA", 4, 16);
  const ModelledRate alone = loop.Run(kHopper, {1, 1});
  EXPECT_NEAR(alone.share, 0.25, 1e-9);
  EXPECT_NEAR(alone.idle[static_cast<size_t>(IdleReason::kStall)], 0.75, 1e-9);
  EXPECT_NEAR(loop.Run(kHopper, {2, 2}).share, 0.5, 0.01);
  EXPECT_NEAR(loop.Run(kHopper, {4, 4}).share, 1, 0.01);
}

TEST(SchedulerModel, AScoreboardHoldsUntilTheDataAreThere) {
  Loop loop;
  loop.Add("LDS.128", 1);
  loop.Last().control.write_barrier = 2;
  loop.wavefronts.back() = 4;
  loop.Add("FFMA", 1, 12);
  loop.function.instructions[1].control.waits = 1 << 2;
  // 4 wavefronts of 4 cycles for each scheduler, and 29 cycles from the last one's begin; then 12 instructions.
  const ModelledRate rate = loop.Run(kHopper, {1, 1});
  EXPECT_NEAR(rate.share, 12.0 / (12 + 29 + 16 - 4), 1e-9);
  EXPECT_GT(rate.idle[static_cast<size_t>(IdleReason::kScoreboard)], 0.7);
}

TEST(SchedulerModel, SharedMemoryServesOneWavefrontACycleOfFourSchedulers) {
  Loop loop;
  loop.Add("LDS.128", 1, 8);
  for (double& wavefronts : loop.wavefronts) wavefronts = 4;
  loop.Add("FFMA", 1, 64);
  loop.wavefronts.resize(72, 1);
  // 8 * 4 wavefronts of 4 cycles take 128 cycles, in which half as many FFMA fit.
  EXPECT_NEAR(loop.Run(kHopper, {8, 8}).share, 0.5, 0.01);
}

TEST(SchedulerModel, WarpsOfABlockMeetAtBarriers) {
  Loop loop;
  loop.Add("FFMA", 1, 100);
  loop.Add("BAR.SYNC.DEFER_BLOCKING", 1);
  const double together = loop.Run(kHopper, {4, 1}).share, apart = loop.Run(kHopper, {4, 4}).share;
  EXPECT_LT(together, apart);
  EXPECT_GT(together, 0.9);
}

TEST(SchedulerModel, TensorInstructionsTakeTheTimeOfTheirProducts) {
  Loop loop;
  loop.Add("HMMA.16816.F32", 1, 8);  // 2048 / (1024 / 4) = 8 cycles each.
  loop.Add("BRA", 1, 8);
  EXPECT_NEAR(loop.Run(kAmpere, {4, 4}).share, 1, 0.01);
  EXPECT_NEAR(loop.Run(kAmpere, {4, 4}).issued, 16.0 / 64, 0.01);
}

TEST(SchedulerModel, DoublesHaveAUnitOfTheirOwn) {
  Loop loop;
  loop.Add("DFMA", 1, 8);  // 32 / (64 / 4) = 2 cycles each.
  loop.Add("DADD", 1, 8);
  EXPECT_NEAR(loop.Run({.fma = 128, .tensor = 128, .f64 = 64}, {4, 4}).share, 0.5, 0.01);
}

// The same loops in the laboratory's model of which this one is made anew, with four wavefronts for each access of 128
// bits.
TEST(SchedulerModel, LoopsOfFmaReachWhatTheLaboratorysModelSays) {
  struct Case {
    const char* listing;
    SchedulerRates rates;
    int64_t warps, blocks;
    double share;
  };
  for (const Case& c : {Case{"fma_sm_80", kAmpere, 1, 1, 0.191},
                        {"fma_sm_80", kAmpere, 2, 2, 0.382},
                        {"fma_sm_80", kAmpere, 4, 4, 0.758},
                        {"fma_sm_80", kAmpere, 8, 4, 0.799},
                        {"fma_sm_80", kAmpere, 16, 16, 0.801},
                        {"fma_sm_90", kHopper, 1, 1, 0.096},
                        {"fma_sm_90", kHopper, 4, 4, 0.370},
                        {"fma_sm_90", kHopper, 8, 4, 0.400},
                        {"fma_sm_90", kHopper, 16, 16, 0.400}}) {
    SCOPED_TRACE(absl::StrCat(c.listing, ", ", c.warps, " warps of ", c.blocks));
    const SassListing listing = Listing(c.listing);
    const SassFunction& function = *listing.Find("gemm_simt");
    const SassLoop loop = *FindHotLoop(function);
    std::vector<double> wavefronts;
    for (size_t i = loop.first; i <= loop.last; ++i) {
      wavefronts.push_back(std::max<double>(1, static_cast<double>(LaneBytes(function.instructions[i])) / 4));
    }
    const auto rate = ModelLoop(function, loop, wavefronts, c.rates, {c.warps, c.blocks});
    ASSERT_TRUE(rate.ok()) << rate.status();
    EXPECT_NEAR(rate->share, c.share, 0.003);
    EXPECT_LE(rate->lowest, rate->share + 1e-9);
    EXPECT_GE(rate->highest, rate->share - 1e-9);
    const double sum = std::accumulate(rate->idle.begin(), rate->idle.end(), rate->issued);
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(SchedulerModel, WhatItDoesNotKnowIsAnError) {
  Loop loop;
  loop.Add("HMMA.16816.F32", 1, 8);
  const auto rate = ModelLoop(loop.function, {0, 7}, loop.wavefronts, {.fma = 64, .tensor = 0}, {1, 1});
  EXPECT_EQ(rate.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(rate.status().message().find("HMMA.16816.F32"), rate.status().message().npos);
}

}  // namespace
}  // namespace mmtune
