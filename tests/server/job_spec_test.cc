// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/search/fake_family.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

std::vector<const KernelFamily*> Known() {
  static const FakeFamily direct("direct", {{"t", {1}}}, {}, /*searched=*/false);
  return {&direct, &FreeFamily()};
}

TEST(JobSpecTest, AcceptsASensibleJob) {
  v1::JobSpec message = FreeJob(7);
  message.set_seconds(1.5);
  message.set_strategy("model");
  message.set_plateau_percent(1);
  message.set_baseline_percent(95);
  message.set_bound_percent(80);
  absl::StatusOr<JobSpec> spec = ParseJobSpec(message, Known());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->problem.ShapeText(), "64x32x16");
  EXPECT_EQ(spec->limits.trials, 7);
  EXPECT_EQ(spec->limits.seconds, 1.5);
  EXPECT_EQ(spec->limits.plateau_percent, 1);
  EXPECT_EQ(spec->limits.baseline_percent, 95);
  EXPECT_EQ(spec->limits.bound_percent, 80);
}

TEST(JobSpecTest, ClearedOfItsLimitsAJobHasNone) {
  v1::JobSpec message = FreeJob(7);
  const v1::JobSpec unlimited = FreeJob();
  message.set_seconds(1.5);
  message.set_plateau_percent(1);
  message.set_baseline_percent(95);
  message.set_bound_percent(80);
  ClearLimits(message);
  EXPECT_EQ(SerializeJobSpec(message), SerializeJobSpec(unlimited));
}

TEST(JobSpecTest, SearchesTheFamiliesThatSaySoByDefault) {
  v1::JobSpec message = FreeJob();
  message.clear_families();
  EXPECT_THAT(ParseJobSpec(message, Known())->families, testing::ElementsAre(&FreeFamily()));
  message.add_families("direct");
  EXPECT_EQ(ParseJobSpec(message, Known())->families[0]->name(), "direct");
}

void SetOnly(v1::JobSpec& spec, const std::vector<std::string>& parts) {
  spec.clear_families();
  spec.mutable_only()->Assign(parts.begin(), parts.end());
}

TEST(JobSpecTest, OnlyNamesTheFamiliesAndTheirParts) {
  v1::JobSpec message = FreeJob();
  SetOnly(message, {"direct", "free x=2,1"});
  const absl::StatusOr<JobSpec> spec = ParseJobSpec(message, Known());
  ASSERT_TRUE(spec.ok()) << spec.status();
  ASSERT_EQ(spec->families.size(), 2u);
  EXPECT_EQ(spec->families[0]->name(), "direct");
  EXPECT_EQ(spec->families[1], &FreeFamily());
  EXPECT_TRUE(spec->only[0].values.empty());
  EXPECT_THAT(spec->only[1].values.at("x"), testing::ElementsAre(1, 2));
}

TEST(JobSpecTest, RefusesNonsenseNamingTheField) {
  struct Case {
    std::function<void(v1::JobSpec&)> spoil;
    const char* says;
  };
  const Case cases[] = {
      {[](v1::JobSpec& s) { s.clear_problem(); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_m(0); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_k(-3); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_n(std::numeric_limits<int64_t>::max()); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_dtype("f7"); }, "f7"},
      {[](v1::JobSpec& s) { s.mutable_device()->set_device("tpu"); }, "tpu"},
      {[](v1::JobSpec& s) { s.mutable_device()->set_arch("sm_1"); }, "sm_1"},
      {[](v1::JobSpec& s) { s.set_strategy("magic"); }, "magic"},
      {[](v1::JobSpec& s) { s.clear_strategy(); }, "strategy"},
      {[](v1::JobSpec& s) { s.set_trials(-1); }, "trials"},
      {[](v1::JobSpec& s) { s.set_seconds(-1); }, "seconds"},
      {[](v1::JobSpec& s) { s.set_seconds(std::numeric_limits<double>::quiet_NaN()); }, "seconds"},
      {[](v1::JobSpec& s) { s.set_plateau_percent(-1); }, "plateau_percent is -1"},
      {[](v1::JobSpec& s) { s.set_plateau_percent(1); }, "plateau_percent needs a strategy"},
      {[](v1::JobSpec& s) { s.set_baseline_percent(1001); }, "baseline_percent is 1001"},
      {[](v1::JobSpec& s) { s.set_bound_percent(100.5); }, "bound_percent is 100.5"},
      {[](v1::JobSpec& s) { s.set_bound_percent(std::numeric_limits<double>::quiet_NaN()); }, "bound_percent"},
      {[](v1::JobSpec& s) {
         s.set_baseline_percent(100);
         s.mutable_measure()->set_baseline(false);
       },
       "baseline_percent needs a baseline"},
      {[](v1::JobSpec& s) { s.mutable_measure()->set_budget_seconds(1e9); }, "measure: budget_seconds"},
      {[](v1::JobSpec& s) { s.add_families("nobody"); }, "nobody"},
      {[](v1::JobSpec& s) { s.add_only("free x=1"); }, "spec.only and spec.families exclude each other"},
      {[](v1::JobSpec& s) { SetOnly(s, {"free x=one"}); }, "spec.only: 'one' is not a value of x"},
      {[](v1::JobSpec& s) { SetOnly(s, {"nobody x=1"}); }, "unknown kernel family 'nobody'"},
      {[](v1::JobSpec& s) { SetOnly(s, {"free x=1", "free x=2"}); }, "spec.only names family free twice"},
      {[](v1::JobSpec& s) { s.add_schedules()->set_family("two words"); }, "schedules[0]"},
  };
  for (const Case& c : cases) {
    v1::JobSpec message = FreeJob();
    c.spoil(message);
    absl::Status status = ParseJobSpec(message, Known()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.says;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.says));
  }
}

TEST(JobSpecTest, MeasuresByDefaultOptionsUnlessGiven) {
  v1::JobSpec message = FreeJob();
  EXPECT_EQ(*MeasureOf(message), MeasureOptions());
  EXPECT_TRUE(WantsVerification(message));
  message.mutable_measure()->set_precision(0.02);
  EXPECT_EQ(ParseJobSpec(message, Known())->measure.precision, 0.02);
  EXPECT_TRUE(WantsVerification(message));
  message.mutable_measure()->set_verification(false);
  EXPECT_FALSE(WantsVerification(message));
}

TEST(JobSpecTest, SerializesTheSameWhateverTheOrderOfMaps) {
  v1::JobSpec a = FreeJob(), b = FreeJob();
  v1::Schedule* sa = a.add_schedules();
  v1::Schedule* sb = b.add_schedules();
  for (int i = 0; i < 50; ++i) (*sa->mutable_params())["p" + std::to_string(i)] = i;
  for (int i = 49; i >= 0; --i) (*sb->mutable_params())["p" + std::to_string(i)] = i;
  EXPECT_EQ(SerializeJobSpec(a), SerializeJobSpec(b));
}

}  // namespace
}  // namespace mmtune
