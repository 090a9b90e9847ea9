// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the `gemv` family on the SIMT device: every type, layout, batch, epilogue and alignment, compared with
// the exactly rounded result, some of them with race detection.
#include <sstream>
#include <string>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "tests/kernels/families/execution_fixture.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

/// A type of A and B, and of C.
struct Kind {
  DataType type;
  OutputType out;
};
constexpr Kind kKinds[] = {{DataType::kF32, OutputType::kSame},
                           {DataType::kF16, OutputType::kSame},
                           {DataType::kBf16, OutputType::kSame},
                           {DataType::kBf16, OutputType::kF32}};

/// Rows of one to eight 16-bit elements' alignment, and extents below and above a block.
constexpr std::string_view kShapes[] = {"1x256x512", "256x1x512", "1x257x131", "131x1x257", "1x1000x36", "1000x1x36",
                                        "1x2000x1",  "2000x1x1",  "1x1x777",   "1x1x1",     "1x7x2050",  "6x1x4096",
                                        "1x264x40",  "40x1x264",  "1x3x5",     "66x1x130"};

constexpr std::string_view kEpilogues[] = {"",
                                           "",
                                           "bias,relu",
                                           "add",
                                           "scale:0.3,bias",
                                           "add,scale:0.3,bias,relu",
                                           "scale:0.1,bias,gelu",
                                           "scale:0.1,silu,bias"};

class GemvExecutionTest : public ExecutionTest {
 protected:
  void SetVariant(std::string_view shape, const Kind& kind, uint64_t layout, std::string_view epilogue,
                  int64_t batch = 1) {
    MatmulProblem problem = *ParseMatmulShape(shape, kind.type);
    problem.out = kind.out;
    problem.transpose_a = layout & 1;
    problem.transpose_b = layout & 2;
    problem.epilogue = *ParseEpilogue(epilogue);
    problem.batch = batch;
    SetProblem(problem);
  }

  /// So many random schedules of random problems. Returns how many of them split k.
  int ExpectSamplesExact(uint64_t draws, SearchRng& rng) {
    int splits = 0;
    for (uint64_t i = 0; i < draws; ++i) {
      SetVariant(kShapes[rng() % std::size(kShapes)], kKinds[i % std::size(kKinds)], i / std::size(kKinds),
                 kEpilogues[rng() % std::size(kEpilogues)], rng() % 4 == 0 ? 3 : 1);
      const Schedule schedule = *SampleSchedule("gemv", problem_, target_.device, rng);
      splits += schedule.Get("split_k") > 1;
      ExpectExact(schedule);
      if (HasFatalFailure()) break;
    }
    return splits;
  }
};

TEST_F(GemvExecutionTest, RandomSchedulesAreExactInEveryTypeAndLayout) {
  SearchRng rng(TestSeed(37));
  EXPECT_GT(ExpectSamplesExact(TestCount(96, 1000), rng), 10);
}

TEST_F(GemvExecutionTest, RandomSchedulesHaveNoRaces) {
  DetectRaces();
  SearchRng rng(TestSeed(41));
  ExpectSamplesExact(TestCount(32, 300), rng);
}

TEST_F(GemvExecutionTest, DefaultsAndLaddersAreExact) {
  uint64_t layout = 0;
  for (std::string_view shape : kShapes) {
    const Kind& kind = kKinds[layout % std::size(kKinds)];
    SetVariant(shape, kind, layout++ / 2, "bias,relu");
    const Schedule schedule = *DefaultSchedule(problem_, target_.device);
    EXPECT_EQ(schedule.family, "gemv");
    ExpectExact(schedule);
    const auto rungs = LadderSchedules(problem_, target_.device);
    EXPECT_EQ(rungs.back().first, "matrix-vector");
    ExpectExact(rungs.back().second);
  }
}

// Memory is asked for 16 bytes a lane, in every type and along either rows of the matrix.
TEST_F(GemvExecutionTest, TheMatrixIsLoadedInPiecesOf16Bytes) {
  target_.device.kind = DeviceKind::kCuda;
  target_.assemble = false;
  for (const Kind& kind : kKinds)
    for (std::string_view shape : {"1x4096x4096", "4096x1x4096"}) {
      SetVariant(shape, kind, 0, "");
      const auto kernel = compiler_->Compile(
          problem_, *ParseSchedule("gemv lanes_k=1 pieces=1 reduction=0 split_k=1 unroll=1 warps_k=1 warps_out=1"),
          target_);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      // The strides of B for one row; those of A and of the vector for one column.
      std::istringstream lines(kernel->image);
      int wide = 0;
      for (std::string line; std::getline(lines, line);)
        wide += line.find("ld.global") != std::string::npos && line.find(".v4.b32") != std::string::npos;
      EXPECT_GE(wide, problem_.m == 1 ? 1 : 2) << problem_.Text() << "\n" << kernel->image;
    }
}

// Values that the search's axes leave out: values that are no powers of two; and atomics.
TEST_F(GemvExecutionTest, SchedulesOffTheAxesAreExact) {
  constexpr std::string_view kOthers[] = {
      "gemv lanes_k=4 pieces=3 reduction=0 split_k=1 unroll=3 warps_k=3 warps_out=3",
      "gemv lanes_k=8 pieces=1 reduction=2 split_k=3 unroll=5 warps_k=2 warps_out=1",
      "gemv lanes_k=1 pieces=2 reduction=1 split_k=2 unroll=1 warps_k=5 warps_out=2",
  };
  for (std::string_view schedule : kOthers)
    for (std::string_view shape : {"1x1000x1030", "1000x1x1030"})
      for (uint64_t layout = 0; layout < 4; ++layout) {
        SetVariant(shape, kKinds[layout == 3 ? 3 : 0], layout, "", 2);
        ExpectExact(schedule);
      }
}

}  // namespace
}  // namespace mmtune
