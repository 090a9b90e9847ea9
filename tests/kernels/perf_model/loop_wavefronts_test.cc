// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/loop_facts.h"

#include <gmock/gmock.h>

#include "tests/kernels/perf_model/listings.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;

SassFunction Kernel(const std::vector<std::string>& opcodes) {
  SassFunction function{"f", {}};
  for (const std::string& opcode : opcodes) function.instructions.push_back(Instruction(opcode, {"R0", "[R2]"}, {}));
  return function;
}

ProfiledPoint Point(const std::string& kind, const std::string& operation, int64_t lane_bytes, double units,
                    double merged) {
  ProfiledPoint point;
  point.kind = kind;
  point.operation = operation;
  point.lane_bytes = lane_bytes;
  point.units = units;
  point.merged = merged;
  point.ideal = 100;
  return point;
}

const SassFunction kFunction = Kernel({"LDS.128", "LDS", "FFMA", "LDSM.16.M88.4", "STS.128", "LDGSTS.E.128"});
constexpr SassLoop kLoop{0, 5};

// The rule of tests/bench/sass_facts and of tune profile.
TEST(LoopWavefronts, WithoutCountersPairsOfLanesShareTheirAddress) {
  const std::vector<double> wavefronts = WavefrontsOf(kFunction, kLoop, nullptr);
  EXPECT_THAT(wavefronts, ElementsAre(2, 1, 1, 4, 4, 4));
  EXPECT_EQ(SharedWavefronts(kFunction, kLoop, wavefronts), 15);
}

TEST(LoopWavefronts, CountedOnesAreThoseOfTheKindAndWidth) {
  ProfiledCounters counters;
  counters.points = {
      Point("shared load", "llvm.load", 16, 200, 150), Point("shared load", "nvvm.ldmatrix", 16, 300, 300),
      Point("shared store", "nvvm.cp.async.shared.global", 16, 200, 0), Point("global load", "llvm.load", 4, 800, 0)};
  // Loads of 4 bytes are as those of 16, as nothing else is known of them; stores were not counted.
  EXPECT_THAT(WavefrontsOf(kFunction, kLoop, &counters), ElementsAre(6, 1.5, 1, 12, 4, 8));
}

}  // namespace
}  // namespace mmtune
