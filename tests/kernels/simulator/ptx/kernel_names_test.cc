// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel calls its barriers and warps, in comments of its PTX, and the deadlocks that show it.
#include "kernels/simulator/block/kernel_names.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/builder/kernel_names.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/kernels/launch_step.h"

namespace mmtune {
namespace {

TEST(KernelNamesTest, RangesNameBarriersAndWarps) {
  const simt::KernelNames names(
      "mbarriers 512 2 full\nmbarriers 528 1 done\nbarriers 5 2 order\nwarps 4 4 consumer 1\n");
  EXPECT_EQ(names.Mbarrier(512), "full[0]");
  EXPECT_EQ(names.Mbarrier(520), "full[1]");
  EXPECT_EQ(names.Mbarrier(528), "done");
  for (int64_t other : {504, 516, 536, -8}) EXPECT_EQ(names.Mbarrier(other), "") << other;
  EXPECT_EQ(names.Barrier(6), "order[1]");
  EXPECT_EQ(names.Barrier(512), "");
  EXPECT_EQ(names.Warp(7), "consumer 1");
  EXPECT_EQ(names.Warp(3), "");
}

TEST(KernelNamesTest, LinesOfAnotherFormAreIgnored) {
  const std::string lines[] = {"warps 0 4",
                               "warps 0 4 ",
                               "warps -1 4 a",
                               "warps 0 x a",
                               "warps 0 99999999 a",
                               "warps 0 4 \x1b[31m",
                               absl::StrCat("warps 0 4 ", std::string(200, 'a')),
                               ""};
  for (const std::string& line : lines) EXPECT_EQ(simt::KernelNames(line).Warp(0), "") << line;
  EXPECT_EQ(simt::KernelNames("nonsense\nwarps 0 4 a").Warp(0), "a");
}

/// Two tiles of a persistent block with two consumers, and a ring of two stages.
constexpr char kSchedule[] =
    "wgmma bk=64 blocks=1 bn=64 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=0 epi_columns=0 group_m=1 in_flight=1 "
    "addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 mode=1 reduction=0 split_k=1 stages=2";
constexpr char kRelease[] = "mbarrier.arrive.shared.b64";

class NamesOfDeadlocksTest : public ::testing::Test {
 protected:
  NamesOfDeadlocksTest() : problem_(*ParseMatmulShape("128x64x256", DataType::kBf16)) {
    target_.device = TestDevice("sm_90");
    target_.assemble = target_.host_code = false;
    kernel_ = compiler_->Compile(problem_, *ParseSchedule(kSchedule), target_).value();
    EXPECT_TRUE(absl::StrContains(kernel_.image, kRelease));
  }

  /// Returns the findings of a run of the PTX with race detection, and the launch's error.
  std::string Run(const std::string& ptx) {
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = true;
    const auto device = ptx::createPtxDevice(options).value();
    const auto module = device->LoadModule(ImageFormat::kPtx, ptx);
    if (!module.ok()) return std::string(module.status().message());
    DevicePtr buffers[kPlanBufferCount] = {};
    for (PlanBuffer buffer : {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC}) {
      DevicePtr& memory = buffers[static_cast<size_t>(buffer)];
      memory = device->Allocate(1 << 16).value();
      EXPECT_TRUE(device->Fill32(memory, 0, (1 << 16) / 4).ok());
    }
    std::string text(LaunchStep(*device, **module, kernel_.plan.steps.front(), buffers).message());
    for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
      absl::StrAppend(&text, "\n", simt::FindingText(finding));
    return text;
  }
  /// Returns the PTX without its comments, as other tools may leave it.
  std::string WithoutNames() const { return kernel_.image.substr(0, kernel_.image.find(kNameComment)); }

  MatmulProblem problem_;
  CompileTarget target_;
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
  CompiledKernel kernel_;
};

TEST_F(NamesOfDeadlocksTest, RolesAndStagesAreNamed) {
  EXPECT_EQ(Run(kernel_.image), "");
  const std::string no_release = absl::StrReplaceAll(kernel_.image, {{kRelease, "// mbarrier"}});
  const std::string text = Run(no_release);
  for (const char* words : {"1 of warp 0 (producer): waits for phase 0 of the mbarrier empty[0] at shared+0x",
                            "(consumer 0): waits for phase 1 of the mbarrier full[0] at shared+0x",
                            "128 of warps 8 to 11 (consumer 1): waits at barrier 6 (order[1])",
                            "127 of warps 0 to 3 (producer): has exited"})
    EXPECT_TRUE(absl::StrContains(text, words)) << words << "\n" << text;
  EXPECT_FALSE(absl::StrContains(text, "by address")) << text;
}

TEST_F(NamesOfDeadlocksTest, PtxWithoutNamesHasNumbers) {
  const std::string text = Run(absl::StrReplaceAll(WithoutNames(), {{kRelease, "// mbarrier"}}));
  EXPECT_TRUE(absl::StrContains(text, "1 of warp 0: waits for phase 0 of the mbarrier at shared+0x")) << text;
  EXPECT_TRUE(absl::StrContains(text, ", number 3 of 4 by address, which lacks 1 of 1 arrival")) << text;
  EXPECT_TRUE(absl::StrContains(text, "waits at barrier 6;")) << text;
}

TEST_F(NamesOfDeadlocksTest, NamesDoNotChangeMachineCode) {
  ASSERT_TRUE(absl::StrContains(kernel_.image, "// mmtune.name gemm_wgmma: warps 0 4 producer\n"));
  if (findPtxas().empty()) GTEST_SKIP() << "no ptxas";
  const auto with = assemblePtx(kernel_.image, "sm_90a"), without = assemblePtx(WithoutNames(), "sm_90a");
  ASSERT_TRUE(with.ok() && without.ok()) << with.status() << without.status();
  EXPECT_TRUE(with->cubin == without->cubin);
}

}  // namespace
}  // namespace mmtune
