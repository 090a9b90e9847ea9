// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RegistryTest, ListsFamiliesInOrder) {
  std::vector<std::string> names;
  for (const KernelFamily* family : KernelFamilies()) names.emplace_back(family->name());
  EXPECT_THAT(names, ElementsAre("direct", "fma", "mma", "wgmma", "gemv"));
  EXPECT_EQ(KernelFamilyVersions(), "direct=2 fma=5 mma=6 wgmma=3 gemv=3");
}

TEST(RegistryTest, WhatIsSureToBeSlowerIsNotSearched) {
  const auto searched = [](std::string_view shape) {
    std::vector<std::string> names;
    for (const KernelFamily* family : KernelFamilies())
      if (family->SearchedByDefault(TestProblem(shape))) names.emplace_back(family->name());
    return names;
  };
  EXPECT_THAT(searched("64x64x64"), ElementsAre("fma", "mma", "wgmma"));
  for (const char* vector : {"1x64x64", "64x1x64", "1x1x1"})
    EXPECT_THAT(searched(vector), ElementsAre("mma", "wgmma", "gemv"));
}

// Code that has to run on newer devices, too, has no features of one chip.
TEST(RegistryTest, PortableFamiliesNeedNoFeaturesOfOneChip) {
  const auto portable = [](std::string_view arch) {
    std::vector<std::string> names;
    for (const FamilyBase* family : PortableFamilies(TestDevice(arch))) names.emplace_back(family->name());
    return names;
  };
  EXPECT_THAT(portable("sm_90"), ElementsAre("direct", "fma", "mma", "gemv"));
}

TEST(RegistryTest, UnknownFamilyListsTheKnownOnes) {
  EXPECT_THAT(std::string(FindKernelFamily("tcgen05").status().message()), HasSubstr("direct, fma, mma, wgmma, gemv"));
  Schedule schedule;
  schedule.family = "tcgen05";
  const absl::Status invalid = ValidateSchedule(TestProblem("1x1x1"), schedule, TestDevice("sm_90"));
  EXPECT_TRUE(absl::IsInvalidArgument(invalid));
  EXPECT_THAT(std::string(invalid.message()), HasSubstr("direct, fma, mma, wgmma, gemv"));
  EXPECT_TRUE(absl::IsInvalidArgument(MakeLaunchPlan(TestProblem("1x1x1"), schedule).status()));
}

TEST(RegistryTest, LadderRungsAreValidOnEveryDevice) {
  for (std::string_view arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    for (std::string_view shape : {"1024x1024x1024", "1001x37x513", "7x5x3", "1x4096x64", "4096x1x64", "1x1x1"}) {
      const DeviceInfo device = TestDevice(arch);
      for (const MatmulProblem& problem : {TestProblem(shape), TestProblem(shape, 3, true, "bias,add,relu")}) {
        std::vector<std::string> names;
        for (const auto& [name, schedule] : LadderSchedules(problem, device)) {
          names.push_back(name);
          EXPECT_TRUE(ValidateSchedule(problem, schedule, device).ok()) << name << " " << problem.Text();
        }
        std::vector<std::string> rungs = {"naive", "register-blocked", "shared-memory"};
        if (problem.m == 1 || problem.n == 1) rungs.emplace_back("matrix-vector");
        EXPECT_EQ(names, rungs) << problem.Text() << " on " << arch;
      }
    }
  }
}

}  // namespace
}  // namespace mmtune
