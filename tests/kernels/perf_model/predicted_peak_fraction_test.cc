// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/profile/loop_facts.h"
#include "kernels/perf_model/time_model.h"
#include "tests/kernels/perf_model/fake_disassembler.h"
#include "tests/kernels/perf_model/listings.h"

namespace mmtune {
namespace {

/// The schedule and problem of the listing.
constexpr char kSchedule[] =
    "fma async=1 bk=4 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=4";

class PredictedPeakFractionTest : public testing::Test {
 protected:
  PredictedPeakFractionTest() {
    device_.kind = DeviceKind::kCuda;
    kernel_.format = ImageFormat::kCubin;
    kernel_.image = "cubin";
    PlanStep clear, product, reduce;
    clear.kind = PlanStep::Kind::kMemset;
    product.kernel = "gemm_simt";
    reduce.kernel = "reduce";
    kernel_.plan.steps = {clear, product, reduce};
  }

  /// Sets the output of nvdisasm for the rest of the test.
  void Print(const std::string& text) const { std::ofstream(folder_.path() + "/listing") << text; }
  absl::StatusOr<double> Share(const std::string& shape) const {
    const MatmulProblem problem = *ParseMatmulShape(shape, DataType::kF32);
    return PredictedPeakFraction(problem, *DescribeSchedule(problem, *ParseSchedule(kSchedule)), device_, kernel_);
  }
  /// Predicts for the kernel of the listing, with blocks of 2 warps.
  double ShareOf(int64_t blocks) const {
    const SassListing listing = Listing("fma_sm_90");
    const SassFunction& function = listing.functions[0];
    const SassLoop loop = *FindHotLoop(function);
    return ModelResident(function, loop, WavefrontsOf(function, loop, nullptr), RatesOfProblem({}, device_), blocks, 2)
        ->share;
  }

  const OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
  DeviceInfo device_ = *ArchitectureLimits("sm_90");
  CompiledKernel kernel_;
  const FakeDisassembler disassembler_{absl::StrCat("cat ", folder_.path(), "/listing")};
};

TEST_F(PredictedPeakFractionTest, IsOfTheBlocksThatTheBusiestMultiprocessorHolds) {
  Print(ListingText("fma_sm_90"));
  device_.multiprocessors = 4;
  for (const auto& [shape, blocks] : {std::pair{"64x64x256", 1}, {"64x96x256", 2}, {"128x96x256", 3}}) {
    const absl::StatusOr<double> share = Share(shape);
    ASSERT_TRUE(share.ok()) << share.status();
    EXPECT_DOUBLE_EQ(*share, ShareOf(blocks)) << shape;
    EXPECT_GT(*share, 0);
    EXPECT_LE(*share, 1);
  }
  EXPECT_LT(ShareOf(1), ShareOf(3));
}

TEST_F(PredictedPeakFractionTest, NoMoreBlocksAreResidentThanFit) {
  Print(ListingText("fma_sm_90"));
  const MatmulProblem problem = *ParseMatmulShape("4096x4096x256", DataType::kF32);
  ScheduleGeometry geometry = *DescribeSchedule(problem, *ParseSchedule(kSchedule));
  geometry.registers = 255;
  geometry.minBlocks = 1;
  const int64_t fit = ResidentBlocks(geometry, device_);
  ASSERT_LT(fit, ResidentBlocks(*DescribeSchedule(problem, *ParseSchedule(kSchedule)), device_));
  EXPECT_DOUBLE_EQ(*PredictedPeakFraction(problem, geometry, device_, kernel_), ShareOf(fit));
}

TEST_F(PredictedPeakFractionTest, MultiprocessorsThatNobodySaysAreThoseOfATypicalBoard) {
  Print(ListingText("fma_sm_90"));
  device_.multiprocessors = 0;
  EXPECT_DOUBLE_EQ(*Share("512x1024x256"), ShareOf(4));  // 512 blocks for 132
  device_.multiprocessors = 256;
  EXPECT_DOUBLE_EQ(*Share("512x1024x256"), ShareOf(2));
}

// Whatever stands first in the listing, and however much it multiplies.
TEST_F(PredictedPeakFractionTest, IsOfTheKernelThatMakesTheProducts) {
  const std::string product = ListingText("fma_sm_90");
  const size_t code = product.find("//-----");
  const std::string other =
      absl::StrReplaceAll(ListingText("mma_sm_80").substr(ListingText("mma_sm_80").find("//-----")),
                          {{"gemm_mma", "reduce"}, {".L_x_", ".L_r_"}});
  for (const std::string& text : {product.substr(0, code) + other + product.substr(code), product + other}) {
    ASSERT_EQ(ParseSass(text)->functions.size(), 2u);
    Print(text);
    const absl::StatusOr<double> share = Share("64x64x256");
    ASSERT_TRUE(share.ok()) << share.status();
    EXPECT_DOUBLE_EQ(*share, ShareOf(1));
  }
  Print(product.substr(0, code) + other);
  EXPECT_EQ(Share("64x64x256").status().message(), "the cubin has no kernel gemm_simt");
}

TEST_F(PredictedPeakFractionTest, WhatCannotBeModelledIsAnError) {
  Print(
      ".target sm_90\n.section .text.gemm_simt,\"ax\"\n/*0000*/ EXIT ; /* 0x000000000000794d */\n"
      "/* 0x000fea0003800000 */\n");
  EXPECT_FALSE(Share("64x64x256").ok());
  Print("nvdisasm fatal: no");
  EXPECT_FALSE(Share("64x64x256").ok());
  Print(ListingText("fma_sm_90"));
  ASSERT_TRUE(Share("64x64x256").ok());
  kernel_.format = ImageFormat::kPtx;
  EXPECT_TRUE(absl::IsFailedPrecondition(Share("64x64x256").status()));
  kernel_.format = ImageFormat::kCubin;
  kernel_.plan.steps.resize(1);
  EXPECT_FALSE(Share("64x64x256").ok());
  setenv("MMTUNE_NVDISASM", "none", 1);
  EXPECT_TRUE(absl::IsFailedPrecondition(Share("64x64x256").status()));
}

}  // namespace
}  // namespace mmtune
