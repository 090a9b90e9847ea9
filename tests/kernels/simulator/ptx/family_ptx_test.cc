// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of every family through the PTX that ships: their results are those of the same schedules compiled for the
// SIMT device from the NVVM dialect, bit by bit, and right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/compiler/compiler.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/kernels/launch_step.h"
#include "tests/kernels/typed_operands.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

class FamilyPtxTest : public ::testing::Test {
 protected:
  /// Runs the plan with an image for the SIMT device; C is full of NaN before.
  std::vector<char> Run(const MatmulProblem& problem, const LaunchPlan& plan, const std::string& image,
                        bool race_detection) {
    simt::SimtOptions options;
    options.arch = arch_;
    options.race_detector = race_detection;
    auto device = *simt::SimtDevice::Create(options);
    auto module = device->LoadModule(ImageFormat::kSimtObject, image);
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return {};
    const Operands operands(problem, 5);
    const size_t bytes = problem.ElementsC() * DataTypeBytes(problem.TypeOfC());
    DevicePtr buffers[kPlanBufferCount] = {};
    for (size_t i = 0; i < kPlanBufferCount; ++i) {
      const Operand* operand = operands.Find(static_cast<PlanBuffer>(i));
      if (!operand || operand->bytes.empty()) continue;
      buffers[i] = *device->Allocate(operand->bytes.size());
      EXPECT_TRUE(device->CopyToDevice(buffers[i], operand->bytes.data(), operand->bytes.size()).ok());
    }
    DevicePtr& c = buffers[static_cast<size_t>(PlanBuffer::kC)];
    c = *device->Allocate(bytes);
    const std::vector<char> poison(bytes, '\xff');
    EXPECT_TRUE(device->CopyToDevice(c, poison.data(), bytes).ok());
    if (plan.workspace_bytes > 0)
      buffers[static_cast<size_t>(PlanBuffer::kWorkspace)] = *device->Allocate(plan.workspace_bytes);
    for (const PlanStep& step : plan.steps) {
      if (step.kind == PlanStep::Kind::kMemset) {
        const size_t cleared = step.bytes > 0 ? step.bytes : bytes;
        EXPECT_TRUE(device->Fill32(buffers[static_cast<size_t>(step.buffer)], 0, cleared / 4).ok());
        continue;
      }
      const absl::Status launched = LaunchStep(*device, **module, step, buffers);
      std::string findings;
      for (const simt::Finding& finding : static_cast<simt::SimtDevice&>(*device).TakeFindings())
        findings += simt::FindingText(finding) + "\n";
      EXPECT_TRUE(launched.ok()) << launched << "\n" << findings;
      if (!launched.ok()) return {};
    }
    std::vector<char> result(bytes);
    EXPECT_TRUE(device->CopyToHost(result.data(), c, bytes).ok());
    return result;
  }

  /// Compiles and runs a schedule both ways.
  void ExpectSameAndRight(const MatmulProblem& problem, const Schedule& schedule, bool race_detection) {
    SCOPED_TRACE(arch_ + " " + problem.Text() + " " + schedule.Text() + (race_detection ? ", race detection" : ""));
    CompileTarget target;
    target.device = TestDevice(arch_);
    target.assemble = false;
    const auto shipped = compiler_->Compile(problem, schedule, target);
    ASSERT_TRUE(shipped.ok()) << shipped.status();
    const auto ptx = ptx::compilePtx(shipped->image, {.race_detection = race_detection});
    ASSERT_TRUE(ptx.ok()) << ptx.status();
    target.device.kind = DeviceKind::kSimt;
    target.race_detection = race_detection;
    const auto simt = compiler_->Compile(problem, schedule, target);
    ASSERT_TRUE(simt.ok()) << simt.status();

    const std::vector<char> through_ptx = Run(problem, shipped->plan, ptx->image, race_detection);
    const std::vector<char> through_nvvm = Run(problem, simt->plan, simt->image, race_detection);
    ASSERT_FALSE(through_ptx.empty());
    // From sm_90 on operands are rounded to tf32 with ties to even, the reference's away from zero.
    if (problem.math != MathMode::kTf32 || target.device.ComputeCapability() < 90) {
      std::vector<float> got(problem.ElementsC());
      TraitsOf(problem.TypeOfC()).decode(through_ptx.data(), problem.ElementsC(), got.data());
      const std::vector<float> expected = RoundedResult(problem, Operands(problem, 5));
      for (int64_t i = 0; i < problem.ElementsC(); ++i)
        ASSERT_TRUE(IsAsExpected(problem, got[i], expected[i])) << "element " << i;
    }
    // Atomic additions come in any order, but all sums here are exact.
    ASSERT_TRUE(through_ptx == through_nvvm) << "the results of the two ways differ";
    ++runs_[schedule.family];
  }

  std::string arch_ = "sm_80";
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
  std::map<std::string, int> runs_;
};

constexpr std::string_view kShapes[] = {"7x5x3",     "33x130x46", "64x64x32", "96x72x40",
                                        "130x33x47", "1x96x64",   "16x264x33"};
constexpr std::string_view kEpilogues[] = {
    "", "", "bias,relu", "add", "scale:0.3,bias", "scale:0.1,bias,gelu", "scale:0.1,silu,bias"};

TEST_F(FamilyPtxTest, RandomSchedulesAreTheSameThroughPtxAndNvvm) {
  SearchRng rng(TestSeed(7));
  std::vector<std::string> archs = {"sm_80"};
  if (WholeSweeps()) archs = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
  const uint64_t draws = TestCount(2, 12);
  for (const std::string& arch : archs) {
    arch_ = arch;
    for (std::string_view family : {"fma", "mma", "gemv", "direct"}) {
      for (uint64_t i = 0; i < draws; ++i) {
        const std::string_view shape = family == "gemv" ? "1x96x64" : kShapes[rng() % std::size(kShapes)];
        MatmulProblem plain =
            TestProblem(shape, rng() % 4 == 0 ? 3 : 1, rng() % 2, kEpilogues[rng() % std::size(kEpilogues)]);
        for (MatmulProblem& problem : InEveryType(plain)) {
          if (problem.dtype == DataType::kF64) problem.epilogue.clear();
          const auto schedule = SampleSchedule(family, problem, TestDevice(arch), rng);
          if (!schedule.ok()) continue;  // The family has no schedule for the type.
          ExpectSameAndRight(problem, *schedule, /*race_detection=*/i % 2 == 1);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  for (const auto& [family, count] : runs_) std::printf("%s: %d schedules\n", family.c_str(), count);
  EXPECT_EQ(runs_.size(), 4u);
}

// With tensor maps, mbarriers, clusters and warpgroups; rows are whole numbers of 16 bytes in every type.
TEST_F(FamilyPtxTest, SchedulesOfWgmmaAreTheSameThroughPtxAndNvvm) {
  SearchRng rng(TestSeed(11));
  arch_ = "sm_90";
  constexpr std::string_view shapes[] = {"64x64x64", "96x80x144", "130x48x64", "64x272x80"};
  const uint64_t draws = TestCount(1, 12);
  for (uint64_t i = 0; i < draws; ++i) {
    const MatmulProblem plain = TestProblem(shapes[rng() % std::size(shapes)], rng() % 4 == 0 ? 3 : 1,
                                            /*transposed=*/true, kEpilogues[rng() % std::size(kEpilogues)]);
    for (MatmulProblem& problem : InEveryType(plain)) {
      problem.transpose_a = false;
      const auto schedule = SampleSchedule("wgmma", problem, TestDevice(arch_), rng);
      if (!schedule.ok()) continue;  // The family has no schedule for the type.
      ExpectSameAndRight(problem, *schedule, /*race_detection=*/i % 2 == 1);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("wgmma: %d schedules\n", runs_["wgmma"]);
  EXPECT_GE(runs_["wgmma"], 4 * static_cast<int>(draws)) << "f16, bf16, tf32 and s8";
}

}  // namespace
}  // namespace mmtune
