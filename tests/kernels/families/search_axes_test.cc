// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that a search tries for each parameter, by problem and device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/schedule_fields.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

#define MMTUNE_TOY_PARAMETERS(PARAMETER)          \
  PARAMETER(rows, "rows", 2, 1, 8) /* No axis. */ \
  PARAMETER(columns, "columns", 1, 1, 16)         \
  PARAMETER(unroll, "unroll", 4, 4, 64)

struct ToySchedule : ScheduleValues<ToySchedule> {
  static constexpr char kFamily[] = "toy";
  MMTUNE_SCHEDULE_PARAMETERS(ToySchedule, MMTUNE_TOY_PARAMETERS)
};

TEST(ScheduleParametersTest, AreStatedByOneList) {
  EXPECT_EQ(ToySchedule().ToSchedule().Text(), "toy columns=1 rows=2 unroll=4");
  ToySchedule s;
  s.unroll = 8;
  EXPECT_EQ(ToySchedule::FromSchedule(s.ToSchedule()).unroll, 8);
  ASSERT_EQ(ToySchedule::fields().size(), 3u);
  EXPECT_EQ(ToySchedule::fields()[1].high, 16);
  EXPECT_EQ(FieldIndex(&ToySchedule::unroll), 2u);
}

TEST(ScheduleParametersTest, WithoutAnAxisKeepTheirDefaults) {
  const auto parameters =
      SearchParameters<ToySchedule>({{&ToySchedule::unroll, {4, 8}}, {&ToySchedule::columns, {1, 2, 4}}});
  std::string text;
  for (const ScheduleParameter& one : parameters)
    absl::StrAppend(&text, one.name, "=", absl::StrJoin(one.values, ","), " ");
  EXPECT_EQ(text, "rows=2 columns=1,2,4 unroll=4,8 ");
}

TEST(ScheduleParametersTest, RulesAreReadyBehindTheParameterThatTheyName) {
  struct Tiling {
    Tiling(const MatmulProblem&, const ToySchedule& s) : area(s.rows * s.columns) {}
    int64_t area;
  };
  ConstraintList<ToySchedule, Tiling> list(TestProblem("8x8x8"));
  list.add(&ToySchedule::unroll, "unroll is even", [](const ToySchedule& s) { return s.unroll % 2 == 0; });
  list.AddTiling(&ToySchedule::columns, "small", [](const Tiling& t) { return t.area <= 8; });
  list.AddFact("fact", true);
  const std::vector<ScheduleConstraint> rules = list.take();
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[0].ready, 1u);
  EXPECT_EQ(rules[1].ready, 2u);
  EXPECT_EQ(rules[2].ready, 3u);
  const int64_t values[] = {2, 5, 6};
  EXPECT_FALSE(rules[1].holds(values));
  EXPECT_TRUE(rules[2].holds(values));
}

std::string Axes(const char* family, const MatmulProblem& problem, const DeviceInfo& device) {
  std::string text;
  for (const ScheduleParameter& axis : (*FindKernelFamily(family))->Parameters(problem, device)) {
    absl::StrAppend(&text, text.empty() ? "" : " ", axis.name, "=", absl::StrJoin(axis.values, ","));
  }
  return text;
}

TEST(SearchAxesTest, OfALargeProductOnAGpu) {
  EXPECT_EQ(Axes("fma", TestProblem("4096x4096x4096"), TestDevice("sm_90")),
            "bm=16,32,64,128,256 bn=16,32,64,128,256 tm=4,8,16 tn=4,8,16 lm=4,8 slice_k=1 bk=8,16,32 "
            "split_k=1,2,3,4,5,6,8,12,16 stream_k=1,128,256 reduction=0,1,2,3 kmajor_a=0,1 pad_a=0,4 pad_b=0 async=0,1 "
            "stages=1,2,3,4,5 unroll_k=8,16,32 fragments=1,2 min_blocks=1,2,4 group_m=1,4,8,16 order=1,2");
  EXPECT_EQ(Axes("direct", TestProblem("4096x4096x4096"), TestDevice("sm_90")),
            "bx=8,16,32,64 by=1,2,4,8,16 tm=1,2,4,8 tn=1,2,4,8");
}

TEST(SearchAxesTest, OfALargeProductOnTheSimtDevice) {
  EXPECT_EQ(Axes("fma", TestProblem("4096x4096x4096"), TestDevice("sm_75", DeviceKind::kSimt)),
            "bm=16,32,64,128,256 bn=16,32,64,128,256 tm=4,8 tn=4,8 lm=4,8 slice_k=1 bk=16,32,64 split_k=1,2,4 "
            "stream_k=1 reduction=0,1,2 kmajor_a=0,1 pad_a=0 pad_b=0 async=0 stages=1,2,3 unroll_k=4,16 "
            "fragments=1 min_blocks=1 group_m=1 order=1");
}

// Slices of k are warps more for multiprocessors that have few, as long as there is k to slice.
TEST(SearchAxesTest, FewTilesOfALongKHaveSlices) {
  for (std::string_view shape : {"64x64x4096", "1000x64x128", "1024x960x512"})
    EXPECT_THAT(Axes("fma", TestProblem(shape), TestDevice("sm_80")),
                ::testing::AllOf(::testing::HasSubstr(" slice_k=1,2,4 "), ::testing::HasSubstr(" unroll_k=4,8,16,32 ")))
        << shape;
  for (std::string_view shape : {"64x64x64", "1024x1024x512"})
    EXPECT_THAT(Axes("fma", TestProblem(shape), TestDevice("sm_80")), ::testing::HasSubstr(" slice_k=1 ")) << shape;
  EXPECT_THAT(Axes("fma", TestProblem("64x64x4096", 256), TestDevice("sm_80")), ::testing::HasSubstr(" slice_k=1 "));
}

TEST(SearchAxesTest, ATransposedOperandIsPaddedAndAnEpilogueKeepsAtomicsOut) {
  const std::string axes = Axes("fma", TestProblem("512x512x512", 1, true, "relu"), TestDevice("sm_80"));
  EXPECT_THAT(axes, ::testing::HasSubstr(" pad_b=0,4 "));
  EXPECT_THAT(axes, ::testing::HasSubstr(" reduction=0,2,3 "));
}

TEST(SearchAxesTest, OfSmallAndThinProductsEndWhereOneTileCoversThem) {
  EXPECT_EQ(Axes("fma", TestProblem("7x5x3"), TestDevice("sm_75")),
            "bm=8 bn=8 tm=1,2,4,8 tn=1,2,4,8 lm=1,2,4,8,16,32 slice_k=1 bk=4 "
            "split_k=1,2,3,4,5,6,8,12,16 stream_k=1 reduction=0,1,2,3 kmajor_a=0,1 pad_a=0,4 pad_b=0 async=0 "
            "stages=1,2,3,4,5 unroll_k=4 fragments=1,2 min_blocks=1,2,4 group_m=1,4,8,16 order=1,2");
  EXPECT_EQ(Axes("direct", TestProblem("7x1x3"), TestDevice("sm_75")), "bx=8,16,32,64 by=1,2,4,8,16 tm=1,2,4,8 tn=1");
  // A tile of a warp's threads exists whatever the shape.
  EXPECT_THAT(Axes("fma", TestProblem("1x1x1"), TestDevice("sm_90")), ::testing::StartsWith("bm=16,32 bn=16,32 "));
  EXPECT_THAT(Axes("fma", TestProblem("1x100x16"), TestDevice("sm_90")),
              ::testing::StartsWith("bm=1 bn=16,32,64,128 tm=1 tn=4,8,16 "));
}

}  // namespace
}  // namespace mmtune
