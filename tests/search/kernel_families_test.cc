// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search over the real kernel families: what it proposes is what they accept.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "search/strategies/strategy.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

struct Target {
  const char* arch;
  const char* shape;
};

class KernelFamilySpace : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    auto device = ArchitectureLimits(GetParam().arch);
    auto problem = ParseMatmulShape(GetParam().shape, DataType::kF32);
    ASSERT_TRUE(device.ok() && problem.ok());
    device->multiprocessors = 100;
    problem_ = *problem;
    device_ = *device;
    auto space = SearchSpace::Create(*problem, *device, KernelFamilies());
    ASSERT_TRUE(space.ok()) << space.status();
    space_ = *std::move(space);
  }
  absl::Status Validate(const Schedule& schedule) const { return ValidateSchedule(problem_, schedule, device_); }
  MatmulProblem problem_;
  DeviceInfo device_;
  std::unique_ptr<SearchSpace> space_;
};

TEST_P(KernelFamilySpace, EveryScheduleEnumeratedIsValidToItsFamily) {
  int64_t count = 0;
  auto walk = space_->Enumerate();
  for (; std::optional<Schedule> schedule = walk->Next(); ++count) {
    ASSERT_TRUE(Validate(*schedule).ok()) << schedule->Text() << ": " << Validate(*schedule);
  }
  EXPECT_EQ(count, space_->Count());
  EXPECT_GT(count, 0);
}

TEST_P(KernelFamilySpace, SamplesMutantsAndChildrenAreValidToTheirFamily) {
  SearchRng rng(TestSeed(1));
  Schedule parent = space_->Sample(rng);
  for (int i = 0; i < 500; ++i) {
    Schedule sample = space_->Sample(rng);
    ASSERT_TRUE(Validate(sample).ok()) << sample.Text();
    Schedule mutant = space_->Mutate(parent, rng);
    ASSERT_TRUE(Validate(mutant).ok()) << mutant.Text();
    if (std::optional<Schedule> child = space_->Crossover(parent, sample, rng)) {
      ASSERT_TRUE(Validate(*child).ok()) << child->Text();
    }
    parent = mutant;
  }
}

TEST_P(KernelFamilySpace, EveryScheduleHasAsManyFiniteFeatures) {
  SearchRng rng(TestSeed(2));
  const size_t count = space_->Features(space_->Sample(rng)).size();
  for (int i = 0; i < 300; ++i) {
    const Schedule schedule = space_->Sample(rng);
    const std::vector<double> features = space_->Features(schedule);
    ASSERT_EQ(features.size(), count) << schedule.Text();
    for (double feature : features) ASSERT_TRUE(std::isfinite(feature)) << schedule.Text();
    const Schedule other = space_->Mutate(schedule, rng);
    if (other != schedule) {
      ASSERT_NE(space_->Features(other), features) << schedule.Text() << "; " << other.Text();
    }
  }
}

TEST_P(KernelFamilySpace, FeaturesOfAScheduleThatItsFamilyDoesNotKnowAreNone) {
  SearchRng rng(TestSeed(4));
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = space_->Sample(rng);
    auto features = [&](const Schedule& of) {
      return (*FindKernelFamily(schedule.family))->Features(problem_, of, device_);
    };
    const size_t count = features(schedule).size();
    ASSERT_GT(count, 0u);
    for (const auto& [name, value] : schedule.params) {
      Schedule other = schedule;
      other.params.erase(name);
      const bool known = DescribeSchedule(problem_, other).ok();
      ASSERT_EQ(features(other).size(), known ? count : 0) << other.Text();
      for (int64_t wrong : {int64_t{0}, int64_t{-1}}) {
        other.params[name] = wrong;
        ASSERT_EQ(features(other).empty(), !DescribeSchedule(problem_, other).ok()) << other.Text();
      }
    }
  }
}

TEST_P(KernelFamilySpace, TheModelSearchesIt) {
  auto strategy = CreateStrategy("model", *space_, {3, {}});
  ASSERT_TRUE(strategy.ok());
  std::set<std::string> texts;
  for (int trial = 0; trial < 24 && !(*strategy)->Exhausted(); ++trial) {
    const std::vector<Schedule> proposals = (*strategy)->Propose(1);
    ASSERT_EQ(proposals.size(), 1u);
    EXPECT_TRUE(Validate(proposals[0]).ok()) << proposals[0].Text();
    EXPECT_TRUE(texts.insert(proposals[0].Text()).second);
    const Outcome outcome = trial % 5 == 4 ? Outcome::kCompileFailed : Outcome::kOk;
    (*strategy)->Observe({{proposals[0], outcome, 1000.0 + static_cast<double>(proposals[0].Digest()[0])}});
  }
}

INSTANTIATE_TEST_SUITE_P(ShapesAndArchitectures, KernelFamilySpace,
                         ::testing::Values(Target{"sm_75", "1024x1024x1024"}, Target{"sm_80", "1001x37x513"},
                                           Target{"sm_86", "1x4096x64"}, Target{"sm_89", "4096x1x64"},
                                           Target{"sm_90", "7x5x3"}, Target{"sm_90", "5376x5376x2048"}),
                         [](const auto& info) { return std::string(info.param.arch) + "_" + info.param.shape; });

}  // namespace
}  // namespace mmtune
