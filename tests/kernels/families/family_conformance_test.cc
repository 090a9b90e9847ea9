// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of every family in the table, whatever its parameters are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "proto/types/schedule.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kArchitectures[] = {"sm_75", "sm_80", "sm_90", "sm_120"};

std::vector<MatmulProblem> Problems() {
  return {TestProblem("1024x1024x1024"), TestProblem("1001x37x513", 3, true, "bias,add,relu"),
          TestProblem("1x4096x64"),      TestProblem("4096x1x64"),
          TestProblem("7x5x3"),          TestProblem("1x129x65", 3, true, "bias,add,relu")};
}

class FamilyConformance : public ::testing::TestWithParam<const FamilyBase*> {
 protected:
  const FamilyBase& family() { return *GetParam(); }

  /// True if the family's code is for one chip.
  bool IsForOneChip() { return IsArchitectureSpecific(family().Architecture(TestDevice("sm_90"))); }

  /// Those of Problems() that the family is made for; all of them for a family that takes any. A family of tensor
  /// copies takes rows of multiples of 16 bytes only.
  std::vector<MatmulProblem> ItsProblems() {
    if (IsForOneChip())
      return {TestProblem("1024x1024x1024", 1, true), TestProblem("1008x48x528", 3, true, "bias,add,relu"),
              TestProblem("16x4096x64", 1, true), TestProblem("4096x16x64", 1, true)};
    std::vector<MatmulProblem> all = Problems(), its;
    std::copy_if(all.begin(), all.end(), std::back_inserter(its),
                 [&](const MatmulProblem& problem) { return family().IsSpecializedFor(problem); });
    return its.empty() ? all : its;
  }

  /// Where its defaults may be large and split k.
  MatmulProblem LargeProblem() {
    const MatmulProblem vector = TestProblem("1x64x131072", 1, true);
    return family().IsSpecializedFor(vector) ? vector : TestProblem("1024x1024x1024");
  }

  /// On sm_90, with elements of the first type for which there are some.
  std::vector<ByPreference<Schedule>> DefaultSchedulesFor(const MatmulProblem& plain) {
    for (const MatmulProblem& problem : InEveryType(plain)) {
      auto schedules = family().DefaultSchedules(problem, TestDevice("sm_90"));
      if (!schedules.empty()) return schedules;
    }
    return {};
  }

  /// Schedules of the family's space for each problem on each architecture, in the types that it takes there.
  template <typename Check>
  void ForSamples(int samples, Check check) {
    size_t spaces = 0;
    for (std::string_view arch : kArchitectures) {
      const DeviceInfo device = TestDevice(arch);
      for (const MatmulProblem& plain : ItsProblems()) {
        for (const MatmulProblem& problem : InEveryType(plain)) {
          auto space = SearchSpace::Create(problem, device, {&family()});
          if (!space.ok()) continue;
          ++spaces;
          SearchRng rng(TestSeed(17));
          for (int i = 0; i < samples; ++i) {
            const Schedule schedule = (*space)->Sample(rng);
            SCOPED_TRACE(schedule.Text() + " on " + problem.Text() + ", " + std::string(arch));
            check(problem, schedule, device);
          }
        }
      }
    }
    // A type that it takes on one architecture and one shape, it takes on two and on all.
    EXPECT_GE(spaces, 2 * ItsProblems().size());
    EXPECT_EQ(spaces % ItsProblems().size(), 0u);
  }

  /// True if the schedule is valid in one of the types.
  bool IsValidSomewhere(const MatmulProblem& plain, const Schedule& schedule, const DeviceInfo& device) {
    const std::vector<MatmulProblem> problems = InEveryType(plain);
    return std::any_of(problems.begin(), problems.end(),
                       [&](const MatmulProblem& problem) { return ValidateSchedule(problem, schedule, device).ok(); });
  }
};

TEST_P(FamilyConformance, IsFoundByItsName) {
  EXPECT_TRUE(IsScheduleName(family().name()));
  EXPECT_EQ(*FindKernelFamily(family().name()), &family());
  EXPECT_GE(family().version(), 1);
}

TEST_P(FamilyConformance, DescribesWhatItLaunches) {
  ForSamples(20, [&](const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device) {
    const auto geometry = family().Describe(problem, schedule);
    ASSERT_TRUE(geometry.ok()) << geometry.status();
    const LaunchPlan plan = family().MakeLaunchPlan(problem, schedule);
    const auto product = std::find_if(plan.steps.begin(), plan.steps.end(),
                                      [](const PlanStep& step) { return step.kind == PlanStep::Kind::kLaunch; });
    ASSERT_NE(product, plan.steps.end());
    EXPECT_EQ(geometry->threads, int64_t{product->block[0]} * product->block[1] * product->block[2]);
    EXPECT_EQ(geometry->blocks, int64_t{product->grid[0]} * product->grid[1] * product->grid[2]);
    EXPECT_EQ(geometry->sharedBytes, product->dynamic_shared_bytes);
    EXPECT_LE(geometry->threads, device.max_threads_per_block);
    EXPECT_LE(geometry->sharedBytes, device.shared_bytes_per_block);
    EXPECT_GT(geometry->registers, 0);
    EXPECT_LE(geometry->registers, 255);
    // Its tiles cover C, unless it takes as many blocks as it likes, and what is moved is at least every operand once.
    const BlockTile& tile = geometry->tile;
    if (geometry->minStepsPerBlock == 0 && schedule.Get("blocks", 0) == 0) {
      EXPECT_GE(geometry->blocks * tile.m * tile.n, problem.ElementsC() * geometry->splitK);
    }
    EXPECT_GE(geometry->bytesMoved, static_cast<double>(problem.OperandBytes()));
    EXPECT_EQ(geometry->waves(device) * 128, geometry->blocks);
  });
}

TEST_P(FamilyConformance, HasWordsForTheTables) {
  ForSamples(3, [&](const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo&) {
    const ScheduleLabels words = family().Describe(problem, schedule)->labels;
    for (const std::string& word : {words.blockTile, words.threadTile, words.stages, words.splitK}) {
      EXPECT_FALSE(word.empty());
      EXPECT_EQ(word.find(' '), std::string::npos) << word;
    }
    const BlockTile tile = family().Describe(problem, schedule)->tile;
    EXPECT_THAT(words.blockTile, HasSubstr(std::to_string(tile.m) + "x" + std::to_string(tile.n)));
  });
}

TEST_P(FamilyConformance, DescribesNothingThatItDoesNotKnow) {
  const MatmulProblem problem = TestProblem("64x64x64");
  const Schedule good = DefaultSchedulesFor(problem).front().front();
  EXPECT_TRUE(family().Describe(problem, good).ok());
  const auto why = [&](const Schedule& schedule) {
    return std::string(family().Describe(problem, schedule).status().message());
  };
  for (const auto& [name, value] : good.params) {
    Schedule missing = good, far = good;
    missing.params.erase(name);
    EXPECT_THAT(why(missing), HasSubstr("'" + name + "' is missing"));
    far.params[name] = int64_t{1} << 40;
    EXPECT_THAT(why(far), HasSubstr(name + "=1099511627776 is out of range"));
  }
  Schedule more = good, other = good;
  more.params["nosuch"] = 1;
  other.family = "nosuch";
  EXPECT_THAT(why(more), HasSubstr("unknown parameter 'nosuch'"));
  EXPECT_THAT(why(other), HasSubstr("family 'nosuch'"));
  EXPECT_FALSE(family().Describe(MatmulProblem{0, 1, 1}, good).ok());
}

// The search relies on this: a constraint reads only what it says, for any values of the axes, and the list is sorted.
TEST_P(FamilyConformance, ConstraintsReadOnlyTheirPrefix) {
  std::mt19937_64 rng(TestSeed(7));
  const DeviceInfo device = TestDevice("sm_80");
  for (bool transpose_b : {false, true}) {
    for (std::string_view shape : {"1024x1024x1024", "1001x37x513", "1x4096x64", "4096x1x64", "7x5x3", "1x1x1"}) {
      for (const MatmulProblem& problem :
           InEveryType(TestProblem(shape, transpose_b ? 3 : 1, transpose_b, transpose_b ? "bias,relu" : ""))) {
        const std::vector<ScheduleParameter> parameters = family().Parameters(problem, device);
        const std::vector<ScheduleConstraint> constraints = family().Constraints(problem, device);
        for (size_t i = 1; i < constraints.size(); ++i) EXPECT_LE(constraints[i - 1].ready, constraints[i].ready);
        for (int round = 0; round < 200; ++round) {
          std::vector<int64_t> values;
          for (const ScheduleParameter& parameter : parameters) {
            values.push_back(parameter.values[rng() % parameter.values.size()]);
          }
          for (const ScheduleConstraint& constraint : constraints) {
            ASSERT_GE(constraint.ready, 1u);
            std::vector<int64_t> other = values;
            for (size_t i = constraint.ready; i < other.size(); ++i) other[i] = 1 << 20;
            EXPECT_EQ(constraint.holds(values.data()), constraint.holds(other.data())) << constraint.name;
          }
        }
      }
    }
  }
}

TEST_P(FamilyConformance, OffersNoDefaultsForTypesThatItNeverTakes) {
  const bool is_fma = family().name() == "fma", is_mma = family().name() == "mma";
  for (const MatmulProblem& problem : InEveryType(TestProblem("1024x1024x1024"))) {
    if (is_fma || is_mma) {
      EXPECT_EQ(family().DefaultSchedules(problem, TestDevice("sm_90")).empty(), problem.IsPlainF32() == is_mma);
    }
  }
}

TEST_P(FamilyConformance, EveryDefaultScheduleIsValidSomewhere) {
  const MatmulProblem problem = LargeProblem();
  const DeviceInfo device = TestDevice("sm_90");
  ASSERT_FALSE(DefaultSchedulesFor(problem).empty());
  for (const ByPreference<Schedule>& schedules : DefaultSchedulesFor(problem)) {
    ASSERT_FALSE(schedules.empty());
    for (const Schedule& schedule : schedules) {
      EXPECT_EQ(*ParseSchedule(schedule.Text()), schedule);
      EXPECT_TRUE(IsValidSomewhere(problem, schedule, device)) << schedule.Text();
    }
  }
}

TEST_P(FamilyConformance, IsVerifiedAtRaggedEdges) {
  ForSamples(10, [&](const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device) {
    std::string why;
    const Schedule verified = family().VerificationSchedule(problem, schedule);
    const std::vector<MatmulProblem> shapes = VerificationShapes(problem, verified, device, &why);
    ASSERT_FALSE(shapes.empty()) << why;
    const BlockTile tile = family().Describe(problem, schedule)->tile;
    const auto ragged = [](int64_t extent, int64_t by) { return by == 1 || extent % by != 0; };
    EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), [&](const MatmulProblem& shape) {
      return ragged(shape.m, tile.m) && ragged(shape.n, tile.n) && ragged(shape.k, tile.k);
    }));
    for (const MatmulProblem& shape : shapes) {
      EXPECT_TRUE(family().Validate(shape, verified, device).ok());
      EXPECT_EQ(shape.transpose_b, problem.transpose_b);
      EXPECT_EQ(shape.epilogue, problem.epilogue);
      EXPECT_EQ(shape.batch == 1, problem.batch == 1);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, FamilyConformance, ::testing::ValuesIn(AllFamilies()),
                         [](const auto& info) { return std::string(info.param->name()); });

TEST(FamilyTable, EveryFamilyBearsItsNameOfTheTable) {
#define MMTUNE_EXPECT_NAME(NAME, TITLE) EXPECT_EQ(Get##TITLE##Family().name(), #NAME);
  MMTUNE_KERNEL_FAMILIES(MMTUNE_EXPECT_NAME)
#undef MMTUNE_EXPECT_NAME
}

TEST(FamilyTable, NoTwoFamiliesOrRungsShareAName) {
  std::set<std::string_view> names;
  std::set<std::string> rungs;
  bool searched = false;
  for (const FamilyBase* family : AllFamilies()) {
    EXPECT_TRUE(names.insert(family->name()).second) << family->name();
    searched |= family->SearchedByDefault(TestProblem("64x64x64"));
    for (const LadderRung& rung : family->ladder(TestProblem("1024x1024x1024"))) {
      EXPECT_TRUE(rungs.insert(rung.name).second) << rung.name;
      EXPECT_FALSE(rung.schedules.empty()) << rung.name;
    }
  }
  EXPECT_TRUE(searched);
}

TEST(FamilyTable, EveryProblemHasADefaultSchedule) {
  for (std::string_view arch : kArchitectures) {
    for (const MatmulProblem& problem : Problems()) {
      const auto schedule = DefaultSchedule(problem, TestDevice(arch));
      ASSERT_TRUE(schedule.ok()) << schedule.status();
      EXPECT_TRUE(ValidateSchedule(problem, *schedule, TestDevice(arch)).ok());
    }
  }
}

}  // namespace
}  // namespace mmtune
