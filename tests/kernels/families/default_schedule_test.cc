// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile of a product that nobody has tuned.
#include "kernels/families/schedule_fit.h"

#include <gtest/gtest.h>

#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

struct TileOf {
  std::string_view shape;
  int64_t bm, bn, tm, tn, lm;
};

TEST(DefaultScheduleTileTest, SuitsTheShape) {
  constexpr TileOf kTiles[] = {
      {"4096x4096x4096", 128, 128, 8, 8, 4}, {"100x8192x64", 128, 64, 8, 4, 4}, {"100x100000x64", 64, 128, 4, 8, 4},
      {"64x8192x64", 64, 64, 4, 4, 4},       {"32x4096x64", 32, 32, 2, 2, 4},   {"16x8192x64", 16, 64, 2, 4, 4},
      {"8192x16x64", 64, 16, 4, 2, 8},       {"2x100000x64", 4, 128, 1, 4, 1},  {"8192x3x64", 128, 4, 4, 1, 32},
      {"3x2048x64", 16, 16, 1, 2, 4},        {"2x8192x64", 1, 128, 1, 4, 1},    {"8192x2x64", 128, 1, 4, 1, 32},
  };
  for (const TileOf& want : kTiles) {
    SCOPED_TRACE(want.shape);
    absl::StatusOr<Schedule> schedule = DefaultSchedule(TestProblem(want.shape), TestDevice("sm_80"));
    ASSERT_TRUE(schedule.ok()) << schedule.status();
    auto& got = schedule->params;
    EXPECT_EQ(got["bm"], want.bm);
    EXPECT_EQ(got["bn"], want.bn);
    EXPECT_EQ(got["tm"], want.tm);
    EXPECT_EQ(got["tn"], want.tn);
    EXPECT_EQ(got["lm"], want.lm);
  }
}

TEST(DefaultScheduleTileTest, ADeviceThatDoesNotSayHasManyMultiprocessors) {
  const MatmulProblem problem = TestProblem("64x8192x64");
  const auto tile_with = [&problem](int64_t multiprocessors) {
    DeviceInfo device = TestDevice("sm_80");
    device.multiprocessors = multiprocessors;
    return DefaultSchedule(problem, device)->Text();
  };
  EXPECT_EQ(tile_with(0), tile_with(128));
  EXPECT_NE(tile_with(0), tile_with(1));
}

}  // namespace
}  // namespace mmtune
