// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts, types, batches and epilogues on the SIMT device: random schedules of `direct` and `fma` and one for each
// feature.
#include <cmath>
#include <limits>
#include <string>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "tests/kernels/families/execution_fixture.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

constexpr std::string_view kShapes[] = {"33x30x47",  "64x64x32", "1x70x65",   "70x1x33",
                                        "66x132x36", "7x5x3",    "128x96x64", "1x1x1"};

/// 0.3 is no power of two: a scale contracted with what follows rounds differently.
constexpr std::string_view kEpilogues[] = {"",
                                           "bias",
                                           "add",
                                           "relu",
                                           "scale:0.3",
                                           "bias,relu",
                                           "scale:0.3,bias,relu",
                                           "relu,scale:-0.7,add",
                                           "add,scale:0.3,bias,relu,scale:3",
                                           "scale:0.1,bias,gelu",
                                           "scale:0.1,gelu_tanh,add",
                                           "add,scale:0.1,silu,scale:0.5",
                                           "sub,scale:0.1,tanh,bias",
                                           "bias,clamp:-3:7"};

constexpr char kDirect[] = "direct bx=8 by=8 tm=2 tn=4";
constexpr char kRegisters[] =
    "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=1 stream_k=1 tm=2 tn=4 unroll_k=8";
constexpr char kWorkspace[] =
    "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=2 slice_k=1 split_k=2 "
    "stages=1 stream_k=1 tm=2 tn=4 unroll_k=8";

/// Which operands are stored transposed.
struct Layout {
  bool a, b;
};
constexpr Layout kPlain = {false, false}, kTransposedB = {false, true};
constexpr Layout kLayouts[] = {kPlain, kTransposedB, {true, false}, {true, true}};

class VariantExecutionTest : public ExecutionTest {
 protected:
  void SetVariant(std::string_view shape, int64_t batch, Layout layout, std::string_view epilogue,
                  DataType type = DataType::kF32, OutputType out = OutputType::kSame) {
    MatmulProblem problem = *ParseMatmulShape(shape, type);
    problem.out = out;
    problem.batch = batch;
    problem.transpose_a = layout.a;
    problem.transpose_b = layout.b;
    problem.epilogue = *ParseEpilogue(epilogue);
    SetProblem(problem);
  }

  /// Every combination of batch and epilogue with one schedule for A as it is and one for it transposed; the shape
  /// changes from one to the next, and B's layout from time to time.
  /// Returns how many schedules `counts`.
  template <typename Counts>
  int ExpectVariantsExact(std::string_view family, uint64_t seed, Counts counts) {
    SearchRng rng(TestSeed(seed));
    int counted = 0;
    size_t shape = seed;
    for (std::string_view epilogue : kEpilogues)
      for (int64_t batch : {1, 3})
        for (bool transpose_a : {false, true}) {
          const Layout layout{transpose_a, shape / std::size(kShapes) % 2 == 0};
          SetVariant(kShapes[shape++ % std::size(kShapes)], batch, layout, epilogue);
          const Schedule schedule = *SampleSchedule(family, problem_, target_.device, rng);
          ExpectExact(schedule);
          counted += counts(schedule);
        }
    return counted;
  }
};

TEST_F(VariantExecutionTest, RandomFmaSchedulesAreExact) {
  int split = 0, asynchronous = 0;
  split += ExpectVariantsExact("fma", 1, [](const Schedule& s) { return s.Get("split_k") > 1; });
  asynchronous += ExpectVariantsExact("fma", 2, [](const Schedule& s) { return s.Get("async") == 1; });
  EXPECT_GT(split, 5);
  EXPECT_GT(asynchronous, 20);
}

TEST_F(VariantExecutionTest, RandomDirectSchedulesAreExact) {
  const int wide = ExpectVariantsExact("direct", 3, [](const Schedule& s) { return s.Get("tn") >= 4; });
  EXPECT_GT(wide, 5);
}

// On a shape ragged in every extent and on one where every access is a vector.
TEST_F(VariantExecutionTest, EachFeatureIsExact) {
  size_t layout = 0;
  for (std::string_view shape : {"101x147x59", "128x192x96"}) {
    for (size_t i = 0; i + 1 < std::size(kFeatureSchedules); ++i) {
      SetVariant(shape, 1, kLayouts[1 + layout++ % 3], "");
      ExpectExact(kFeatureSchedules[i]);
      const bool curved = i % 3 == 0;
      SetVariant(shape, 2, kLayouts[layout % 4],
                 curved ? "scale:0.1,bias,gelu,clamp:-0.1:1,add" : "scale:0.3,bias,add,relu");
      ExpectExact(kFeatureSchedules[i]);
    }
    SetVariant(shape, 2, {true, true}, "");
    ExpectExact(kFeatureSchedules[std::size(kFeatureSchedules) - 1]);  // Atomics.
  }
}

TEST_F(VariantExecutionTest, DefaultsAndLaddersAreExact) {
  size_t layout = 0;
  for (std::string_view shape : kShapes) {
    SetVariant(shape, 2, kLayouts[layout++ % 4], "bias,add,relu");
    ExpectExact(*DefaultSchedule(problem_, target_.device));
    for (const auto& [name, schedule] : LadderSchedules(problem_, target_.device)) ExpectExact(schedule);
  }
}

// A schedule that copies tiles in every way a layout has, with race detection.
TEST_F(VariantExecutionTest, TransposedTilesHaveNoRaces) {
  DetectRaces();
  for (Layout layout : kLayouts)
    for (size_t i : {0, 1, 2, 3}) {
      SetVariant(i % 2 ? "70x76x36" : "65x67x33", 1, layout, "bias");
      ExpectExact(kFeatureSchedules[i]);
    }
}

// The last rows and columns of blocks begin earlier, and store only their own elements; or are larger than the
// matrix. Sums of splits are added four, two and one at a time.
TEST_F(VariantExecutionTest, TilesThatOverlapAreStoredOnce) {
  DetectRaces();
  constexpr std::string_view kSplit =
      "fma async=1 bk=8 bm=32 bn=64 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=2 pad_a=4 pad_b=0 "
      "reduction=1 slice_k=1 split_k=3 stages=2 stream_k=1 tm=4 tn=8 unroll_k=8";
  size_t run = 0;
  for (std::string_view shape : {"33x68x53", "63x66x40", "95x127x33", "31x72x50", "50x60x64", "5x7x35"})
    for (Layout layout : kLayouts) {
      SetVariant(shape, 2, layout, "");
      const bool odd = (run / std::size(kLayouts) + run) % 2 != 0;
      ++run;
      if (WholeSweeps() || odd) ExpectExact(kSplit);
      if (WholeSweeps() || !odd) ExpectExact(kRegisters);
    }
}

// Rows that come in another order (FmaOperandTile::OrderFor), kept and transposed, by one, two and four floats, the
// last in every layout, some of them of tiles that overlap; and groups of four rows of tiles, of which the last one is
// lower.
TEST_F(VariantExecutionTest, RowsInAnotherOrderAreExactAndHaveNoRaces) {
  DetectRaces();
  const std::string tile =
      " bm=32 bn=32 fragments=1 group_m=4 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 reduction=0 slice_k=1 split_k=1 "
      "stream_k=1 tm=4 tn=4";
  constexpr std::string_view kCopies[] = {
      "async=0 bk=16 kmajor_a=0 stages=2 unroll_k=16", "async=1 bk=16 kmajor_a=0 stages=3 unroll_k=16",
      "async=0 bk=8 kmajor_a=0 stages=1 unroll_k=8",   "async=1 bk=8 kmajor_a=0 stages=2 unroll_k=8",
      "async=0 bk=4 kmajor_a=1 stages=2 unroll_k=4",   "async=1 bk=4 kmajor_a=1 stages=3 unroll_k=4"};
  size_t layout = 0;
  for (std::string_view copies : kCopies) {
    const std::string schedule = "fma " + std::string(copies) + tile;
    for (std::string_view shape : {"161x41x37", "162x42x38", "130x35x19"}) {
      SetVariant(shape, 1, kLayouts[layout++ % 4], "");
      ExpectExact(schedule);
    }
    for (Layout by_four : kLayouts) {
      SetVariant("164x44x40", 1, by_four, "");
      ExpectExact(schedule);
    }
  }
  // Tiles of few rows, whose transposed chunks are narrower.
  for (Layout transposed : kLayouts) {
    SetVariant("8x64x32", 1, transposed, "");
    ExpectExact(
        "fma async=0 bk=16 bm=8 bn=64 fragments=1 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 "
        "reduction=0 slice_k=1 split_k=1 "
        "stages=2 stream_k=1 tm=2 tn=4 unroll_k=16");
  }
}

// Slices share shared memory, blocks a workspace and its counters: of whole tiles and of those that overlap.
TEST_F(VariantExecutionTest, SharedSumsOfSlicesAndBlocksHaveNoRaces) {
  DetectRaces();
  size_t layout = 0;
  for (std::string_view schedule : kFeatureSchedules) {
    if (schedule.find("slice_k=1 ") != schedule.npos && schedule.find("stream_k=1 ") != schedule.npos) continue;
    for (std::string_view shape : {"33x66x53", "64x64x64"}) {
      SetVariant(shape, 2, kLayouts[layout % 4], layout % 3 == 0 ? "bias" : "");
      ++layout;
      ExpectExact(schedule);
    }
  }
  EXPECT_EQ(layout, 12u);
}

TEST_F(VariantExecutionTest, DirectTakesEveryTypeInEveryLayout) {
  SearchRng rng(TestSeed(31));
  size_t shape = 0;
  for (DataType type : {DataType::kF16, DataType::kBf16})
    for (OutputType out : {OutputType::kSame, OutputType::kF32})
      for (Layout layout : kLayouts)
        for (std::string_view epilogue : {"", "scale:0.3,bias,add"}) {
          SetVariant(kShapes[shape++ % std::size(kShapes)], layout.a ? 3 : 1, layout, epilogue, type, out);
          ExpectExact(*SampleSchedule("direct", problem_, target_.device, rng));
        }
}

TEST_F(VariantExecutionTest, ManyMatricesNeedNoSecondDimensionOfTheGrid) {
  SetVariant("2x3x4", 70000, kTransposedB, "bias");  // A grid has at most 65535 blocks along y.
  ExpectExact(kDirect);
  ExpectExact(kRegisters);
}

TEST_F(VariantExecutionTest, ReluKeepsNaNAndHasNoNegativeZero) {
  for (std::string_view schedule : {kDirect, kRegisters, kWorkspace}) {
    for (std::string_view epilogue : {"relu", "scale:-1,relu"}) {
      SCOPED_TRACE(std::string(epilogue) + " " + std::string(schedule));
      SetVariant("5x12x16", 1, kPlain, epilogue);
      std::fill(a_.begin(), a_.end(), 0.0f);
      a_[2 * 16 + 3] = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> c = Run(*ParseSchedule(schedule));
      ASSERT_EQ(c.size(), 60u);
      for (int64_t i = 0; i < 60; ++i) {
        if (i / 12 == 2) {
          EXPECT_TRUE(std::isnan(c[i])) << i;
        } else {
          EXPECT_EQ(c[i], 0.0f) << i;
          EXPECT_FALSE(std::signbit(c[i])) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mmtune
