// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/verify/block_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFma[] =
    "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 tm=4 tn=4 unroll_k=4";

Schedule FmaWith(std::initializer_list<std::pair<const char*, int64_t>> parameters) {
  Schedule schedule = ParseSchedule(kFma).value();
  for (const auto& [name, value] : parameters) schedule.params[name] = value;
  return schedule;
}

constexpr char kWgmma[] =
    "wgmma bk=64 blocks=0 bn=64 cluster_m=1 cluster_n=1 consumers=1 epi_buffers=0 epi_columns=32 group_m=1 "
    "in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 mode=0 reduction=0 split_k=1 stages=2";

Schedule WgmmaWith(std::initializer_list<std::pair<const char*, int64_t>> parameters) {
  Schedule schedule = ParseSchedule(kWgmma).value();
  for (const auto& [name, value] : parameters) schedule.params[name] = value;
  return schedule;
}

MatmulProblem HopperProblem(std::string_view shape) { return ParseMatmulShape(shape, DataType::kF16).value(); }

class BlockSampleTest : public testing::Test {
 protected:
  /// Compiles to PTX, which `edit` changes, and runs the sample.
  BlockSampleResult Run(const MatmulProblem& problem, const Schedule& schedule, void (*edit)(std::string*) = nullptr,
                        const std::string& arch = "sm_80") {
    CompileTarget target;
    target.device = CreateSimtDevice(arch).value()->info();
    target.device.multiprocessors = 128;  // rules of split-k and stream-k depend on it
    target.device.memory_bytes = 0;       // as if it had enough for any problem
    target.shipped_ptx = true;
    target.host_code = false;
    absl::StatusOr<CompiledKernel> kernel = compiler_->Compile(problem, schedule, target);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (!kernel.ok()) return {};
    const std::string shipped = kernel->image;
    if (edit != nullptr) {
      edit(&kernel->image);
      EXPECT_NE(kernel->image, shipped);
    }
    absl::StatusOr<ptx::CompiledPtx> compiled =
        ptx::compilePtx(kernel->image, {.name = "own.ptx", .race_detection = true});
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    if (!compiled.ok()) return {};
    kernel->image = compiled->image;
    kernel->format = ImageFormat::kSimtObject;
    const auto result = RunBlockSample(problem, DescribeSchedule(problem, schedule).value(), *kernel, arch);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(BlockSampleResult());
  }

  void ExpectRight(const MatmulProblem& problem, const Schedule& schedule, std::string_view text,
                   const std::string& arch = "sm_80") {
    SCOPED_TRACE(problem.Text() + ", " + schedule.Text());
    const BlockSampleResult result = Run(problem, schedule, /*edit=*/nullptr, arch);
    EXPECT_EQ(result.wrong, "");
    EXPECT_TRUE(result.findings.empty());
    EXPECT_FALSE(result.has_host_failed);
    EXPECT_EQ(result.text, text);
  }

  std::unique_ptr<Compiler> compiler_ = Compiler::Create().value();
};

BlockSample Choose(const MatmulProblem& problem, const Schedule& schedule) {
  return ChooseBlocks(problem, DescribeSchedule(problem, schedule).value(), MakeLaunchPlan(problem, schedule).value());
}

TEST(ChooseBlocksTest, TakesTheLastTheFirstAndRandomBlocks) {
  const BlockSample sample = Choose(TestProblem("4096x4096x512"), FmaWith({}));
  EXPECT_EQ(sample.in_layer, 128u * 128u);
  ASSERT_EQ(sample.columns.size(), 4u);
  EXPECT_EQ(sample.columns.front(), 0u);
  EXPECT_EQ(sample.columns.back(), 128u * 128u - 1);
}

TEST(ChooseBlocksTest, TakesFewerBlocksWhereTheyAreExpensive) {
  EXPECT_THAT(Choose(TestProblem("4096x4096x10000"), FmaWith({})).columns, ElementsAre(128 * 128 - 1));
  const BlockSample none = Choose(TestProblem("4096x4096x1000000"), FmaWith({}));
  EXPECT_THAT(none.columns, ElementsAre());
  EXPECT_THAT(none.why_none, HasSubstr("multiply-adds"));
}

TEST(ChooseBlocksTest, TakesAllBlocksOfASmallProblem) {
  EXPECT_THAT(Choose(TestProblem("50x60x70"), FmaWith({})).columns, ElementsAre(0, 1, 2, 3));
}

TEST(ChooseBlocksTest, TakesEveryPartOfATileThatBlocksShare) {
  const BlockSample split = Choose(TestProblem("4096x4096x1024"), FmaWith({{"split_k", 4}, {"reduction", 2}}));
  EXPECT_EQ(split.layers, 4u);
  const BlockSample stream = Choose(TestProblem("64x64x4096"), FmaWith({{"stream_k", 8}, {"reduction", 3}}));
  EXPECT_THAT(stream.columns, ElementsAre(0, 1, 2, 5, 6, 7));
}

TEST(ChooseBlocksTest, TakesTheSameTilesOfEveryPartThatIsNoLayer) {
  const BlockSample sample = Choose(HopperProblem("1024x1024x512"), WgmmaWith({{"split_k", 2}, {"reduction", 2}}));
  EXPECT_EQ(sample.layers, 1u);
  ASSERT_EQ(sample.columns.size(), 8u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(sample.columns[i] + 256, sample.columns[i + 4]);
  const BlockSample persistent =
      Choose(HopperProblem("1024x1024x512"), WgmmaWith({{"split_k", 2}, {"reduction", 2}, {"blocks", 132}}));
  EXPECT_THAT(persistent.columns, ElementsAre());
  EXPECT_EQ(persistent.why_none, "its blocks have parts of several tiles");
}

TEST(ChooseBlocksTest, TakesNoneOfASecondKernelThatIsNotKnown) {
  const MatmulProblem problem = TestProblem("1024x1024x512");
  const Schedule schedule = FmaWith({{"split_k", 2}, {"reduction", 2}});
  LaunchPlan plan = MakeLaunchPlan(problem, schedule).value();
  plan.steps.back().kernel = "normalise";
  const BlockSample sample = ChooseBlocks(problem, DescribeSchedule(problem, schedule).value(), plan);
  EXPECT_THAT(sample.columns, ElementsAre());
  EXPECT_THAT(sample.why_none, HasSubstr("normalise"));
}

TEST_F(BlockSampleTest, IsExactForWholeAndSharedTiles) {
  ExpectRight(TestProblem("4001x4003x99"), FmaWith({}), "4 of 15876 blocks of 4001x4003x99");
  ExpectRight(TestProblem("1000x1000x512", 3, true, "bias,gelu"), FmaWith({}),
              "4 of 3072 blocks of 1000x1000x512 batch=3 transpose_b epilogue=bias,gelu");
  ExpectRight(TestProblem("1024x1024x512"), FmaWith({{"split_k", 2}, {"reduction", 1}}),
              "8 of 2048 blocks of 1024x1024x512");
  ExpectRight(TestProblem("1024x1024x512"), FmaWith({{"split_k", 2}, {"reduction", 2}}),
              "8 of 2048 blocks of 1024x1024x512");
  ExpectRight(TestProblem("1024x1024x512"), FmaWith({{"split_k", 2}, {"reduction", 3}}),
              "8 of 2048 blocks of 1024x1024x512");
  ExpectRight(TestProblem("1024x1024x256"), FmaWith({{"stream_k", 100}, {"reduction", 3}}),
              "6 of 100 blocks of 1024x1024x256");
}

TEST_F(BlockSampleTest, IsExactForBlocksOfDirect) {
  const Schedule schedule = ParseSchedule("direct bx=16 by=8 tm=2 tn=4").value();
  ExpectRight(TestProblem("4001x4003x99"), schedule, "4 of 15813 blocks of 4001x4003x99");
  ExpectRight(TestProblem("1000x1000x512", 3, true, "bias,gelu"), schedule,
              "4 of 3024 blocks of 1000x1000x512 batch=3 transpose_b epilogue=bias,gelu");
  MatmulProblem doubles = TestProblem("4001x4003x99");
  doubles.dtype = DataType::kF64;
  ExpectRight(doubles, schedule, "4 of 15813 blocks of " + doubles.Text());
}

TEST_F(BlockSampleTest, IsExactForPartsThatAreNoLayers) {
  const MatmulProblem problem = HopperProblem("1024x1024x256");
  for (int64_t reduction : {2, 3}) {
    ExpectRight(problem, WgmmaWith({{"split_k", 2}, {"reduction", reduction}}), "8 of 512 blocks of " + problem.Text(),
                "sm_90");
    ExpectRight(problem, WgmmaWith({{"split_k", 2}, {"reduction", reduction}, {"cluster_m", 2}}),
                "16 of 512 blocks of " + problem.Text(), "sm_90");
  }
}

TEST_F(BlockSampleTest, ALargeCHasFewMappings) {
  // With the least chunk, C would have more mappings than a process may have.
  ExpectRight(TestProblem("131072x131072x8"), FmaWith({}), "4 of 16777216 blocks of 131072x131072x8");
}

/// Cuts products of 32 bits to 32 bits, as an index does that overflows.
void OverflowOffsets(std::string* ptx) {
  for (size_t at = 0; (at = ptx->find("mul.wide.u32", at)) != std::string::npos;) {
    const size_t begin = ptx->find('%', at), end = ptx->find(',', begin), line = ptx->find('\n', at) + 1;
    const std::string product = ptx->substr(begin, end - begin);
    ptx->insert(line, "and.b64 " + product + ", " + product + ", 4294967295;\n");
    at = line;
  }
}

TEST_F(BlockSampleTest, AnOffsetThatOverflowsIsFoundWhereItIsLarge) {
  const Schedule schedule = FmaWith({});
  EXPECT_EQ(Run(TestProblem("2048x64x1024"), schedule, OverflowOffsets).wrong, "");
  EXPECT_THAT(Run(TestProblem("2097152x64x1024"), schedule, OverflowOffsets).wrong, HasSubstr("] is "));
}

/// Cuts the constants that a loop is compared with to 16 bits.
void CutBounds(std::string* ptx) {
  for (size_t at = 0; (at = ptx->find("setp.", at)) != std::string::npos; ++at) {
    const size_t end = ptx->find(';', at), begin = ptx->rfind(' ', end) + 1;
    const int64_t bound = std::atoll(ptx->c_str() + begin);
    if (bound > 65535) ptx->replace(begin, end - begin, std::to_string(bound % 65536));
  }
}

TEST_F(BlockSampleTest, ABoundThatIsCutIsFoundWhereItIsLarge) {
  const Schedule schedule = ParseSchedule("direct bx=8 by=8 tm=1 tn=1").value();
  EXPECT_EQ(Run(TestProblem("64x64x65600"), schedule).wrong, "");
  EXPECT_THAT(Run(TestProblem("64x64x65600"), schedule, CutBounds).wrong, HasSubstr("] is "));
}

TEST_F(BlockSampleTest, AMissingBarrierIsAFinding) {
  const BlockSampleResult result = Run(TestProblem("4096x4096x512"), FmaWith({}), [](std::string* ptx) {
    for (size_t at; (at = ptx->find("bar.sync")) != std::string::npos;) ptx->replace(at, 8, "// gone:");
  });
  EXPECT_FALSE(result.findings.empty());
}

TEST_F(BlockSampleTest, AWriteOutsideOfCIsAFinding) {
  const BlockSampleResult result = Run(TestProblem("4096x4096x512"), FmaWith({}), [](std::string* ptx) {
    for (size_t at = 0; (at = ptx->find("st.global", at)) != std::string::npos; ++at) {
      ptx->insert(ptx->find(']', at), ptx->find('+', at) < ptx->find(']', at) ? "0000" : "+67108864");
    }
  });
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, "global-out-of-bounds");
}

TEST_F(BlockSampleTest, ATileThatIsNotWrittenAsAWholeIsWrong) {
  const BlockSampleResult result = Run(TestProblem("4096x4096x512"), FmaWith({}),
                                       [](std::string* ptx) { ptx->replace(ptx->rfind("st.global"), 9, "// gone: "); });
  EXPECT_THAT(result.wrong, HasSubstr("elements not written"));
}

/// Removes all stores, or the last one, of the first kernel.
void RemoveStores(std::string* ptx, bool all) {
  constexpr std::string_view kStore = "st.global";
  const size_t end = ptx->find(".entry", ptx->find(".entry") + 1);
  for (size_t at = end; (at = ptx->rfind(kStore, at)) != std::string::npos;) {
    ptx->replace(at, kStore.size(), "// gone: ");
    if (!all) return;
  }
}
void RemoveAllStores(std::string* ptx) { RemoveStores(ptx, /*all=*/true); }
void RemoveLastStore(std::string* ptx) { RemoveStores(ptx, /*all=*/false); }

TEST_F(BlockSampleTest, ASampleThatWritesNothingIsWrong) {
  EXPECT_EQ(Run(TestProblem("4096x4096x512"), FmaWith({}), RemoveAllStores).wrong, "no element of C was written");
  const Schedule split = FmaWith({{"split_k", 2}, {"reduction", 2}});
  EXPECT_EQ(Run(TestProblem("1024x1024x512"), split, RemoveAllStores).wrong, "no element of the workspace was written");
}

TEST_F(BlockSampleTest, APartThatIsNotWrittenAsAWholeIsWrong) {
  const Schedule split = FmaWith({{"split_k", 2}, {"reduction", 2}});
  EXPECT_THAT(Run(TestProblem("1024x1024x512"), split, RemoveLastStore).wrong, HasSubstr("] is nan"));
}

TEST_F(BlockSampleTest, AKernelThatIsNotThereIsAnError) {
  const MatmulProblem problem = TestProblem("1024x1024x512");
  CompileTarget target;
  target.device = CreateSimtDevice("sm_80").value()->info();
  target.race_detection = true;
  CompiledKernel kernel = compiler_->Compile(problem, FmaWith({}), target).value();
  kernel.plan.steps.front().kernel = "absent";
  const auto result = RunBlockSample(problem, DescribeSchedule(problem, FmaWith({})).value(), kernel, "sm_80");
  EXPECT_THAT(result.status().message(), HasSubstr("absent"));
}

}  // namespace
}  // namespace mmtune
