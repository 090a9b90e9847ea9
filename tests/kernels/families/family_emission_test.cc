// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every family of the table has an emitter, and what it emits is launched as the family describes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

class FamilyEmission : public ::testing::TestWithParam<const FamilyBase*> {
 protected:
  void ExpectLaunchedAsDescribed(const MatmulProblem& problem, CompileTarget target) {
    for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt}) {
      target.device = TestDevice(target.device.arch, kind);
      auto space = SearchSpace::Create(problem, target.device, {GetParam()});
      ASSERT_TRUE(space.ok()) << space.status();
      SearchRng rng(TestSeed(23));
      for (int i = 0; i < 4; ++i) {
        const Schedule schedule = (*space)->Sample(rng);
        SCOPED_TRACE(schedule.Text());
        const auto kernel = compiler_->Compile(problem, schedule, target);
        ASSERT_TRUE(kernel.ok()) << kernel.status();
        const ScheduleGeometry geometry = *DescribeSchedule(problem, schedule);
        EXPECT_EQ(kernel->resources.threads, geometry.threads);
        EXPECT_EQ(kernel->resources.shared_bytes, geometry.sharedBytes);
        EXPECT_EQ(kernel->resources.grid_x * kernel->resources.grid_y * kernel->resources.grid_z, geometry.blocks);
        for (const PlanStep& step : kernel->plan.steps) {
          if (step.kind != PlanStep::Kind::kLaunch || kind != DeviceKind::kCuda) continue;
          const size_t entry = kernel->image.find(absl::StrCat(".entry ", step.kernel, "("));
          ASSERT_NE(entry, std::string::npos) << step.kernel;
          // The code's own word for the shape of its blocks.
          const size_t shape = kernel->image.find(".reqntid ", entry);
          ASSERT_NE(shape, std::string::npos);
          EXPECT_THAT(kernel->image.substr(shape, kernel->image.find('\n', shape) - shape),
                      ::testing::StartsWith(absl::StrCat(".reqntid ", step.block[0])));
        }
      }
    }
  }

  const std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
};

TEST_P(FamilyEmission, IsLaunchedAsItIsDescribed) {
  CompileTarget target;
  // A family for one chip is for sm_90, and its tensor copies need rows of multiples of 16 bytes.
  const bool is_for_one_chip = IsArchitectureSpecific(GetParam()->Architecture(TestDevice("sm_90")));
  target.device = TestDevice(is_for_one_chip ? "sm_90" : "sm_80");
  target.assemble = false;
  int types = 0;
  const bool vectors = GetParam()->IsSpecializedFor(TestProblem("1x100x96"));
  const char* const shape = vectors ? "1x100x96" : is_for_one_chip ? "200x104x96" : "200x100x96";
  for (const MatmulProblem& problem : InEveryType(TestProblem(shape, 1, false, "bias"))) {
    if (!SearchSpace::Create(problem, target.device, {GetParam()}).ok()) continue;
    ++types;
    ExpectLaunchedAsDescribed(problem, target);
  }
  EXPECT_GE(types, 1);
}

INSTANTIATE_TEST_SUITE_P(Table, FamilyEmission, ::testing::ValuesIn(AllFamilies()),
                         [](const auto& info) { return std::string(info.param->name()); });

}  // namespace
}  // namespace mmtune
