// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `tune report` without a program: groups, comparisons, the page.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/tune/report/report_page.h"
#include "server/tune/report/report_plots.h"
#include "tests/server/tune/record_factory.h"
#include "tests/server/tune/report_groups_of.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TuningRecord Record(int64_t group_m, double ns, const std::string& regime = "warm") {
  TuningRecord record = OkRecord(ns);
  record.id = group_m;
  record.schedule.params["group_m"] = group_m;
  record.measurement.timing.regime = regime;
  return record;
}

TuningRecord Failed(int64_t group_m) {
  TuningRecord record = Record(group_m, 1);
  record.measurement.outcome = Outcome::kCrashed;
  record.measurement.timing = Timing();
  return record;
}

TEST(ReportGroupsTest, ProblemsDevicesAndRegimesAreApart) {
  TuningRecord other_problem = Record(1, 1e6);
  other_problem.problem.k = 32;
  TuningRecord other_device = Record(1, 1e6);
  other_device.device.name = "another";
  EXPECT_EQ(GroupRecords({Record(1, 1e6), Record(2, 2e6), Record(1, 1e6, "cold"), other_problem, other_device}).size(),
            4u);
}

TEST(ReportGroupsTest, AFailureGoesToTheRegimeOfItsJob) {
  TuningRecord cold = Record(1, 1e6, "cold");
  cold.job_uuid = "cold job";
  TuningRecord failed = Failed(2), stray = Failed(3);
  failed.job_uuid = "cold job";
  const std::vector<ReportGroup> groups = GroupRecords({Record(1, 1e6), cold, failed, stray});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].regime, "cold");
  ASSERT_EQ(groups[0].records.size(), 2u);
  EXPECT_EQ(groups[0].records[1].id, 2);
  ASSERT_EQ(groups[1].records.size(), 2u);
  EXPECT_EQ(groups[1].records[1].id, 3);
}

TEST(ReportComparisonTest, AProblemOfWhichAllFailsIsBroken) {
  const auto broken = GroupRecords({Failed(1)}), whole = GroupRecords({Record(1, 1e6)});
  const auto worse = CompareGroups(broken, whole), better = CompareGroups(whole, broken);
  ASSERT_EQ(worse.size(), 1u);
  EXPECT_EQ(worse[0].changes[0].change, Change::kBroken);
  ASSERT_EQ(better.size(), 1u);
  EXPECT_EQ(better[0].changes[0].change, Change::kMended);
}

TEST(ReportComparisonTest, WhatWasSkippedIsNotBroken) {
  TuningRecord skipped = Failed(1);
  skipped.measurement.outcome = Outcome::kSkipped;
  const auto ran = GroupRecords({Record(1, 1e6), Record(2, 1e6)});
  const auto later = GroupRecords({Record(1, 1e6), skipped, Record(2, 1e6)}),
             left = GroupRecords({skipped, Record(2, 1e6)});
  EXPECT_EQ(CompareGroups(later, ran)[0].Count(Change::kSame), 2u);
  EXPECT_EQ(CompareGroups(left, ran)[0].changes.size(), 1u);
  EXPECT_EQ(CompareGroups(ran, left)[0].changes.size(), 1u);
}

TEST(ReportComparisonTest, SaysWhatChangedTheWorstFirst) {
  const auto ours = GroupRecords({Record(1, 1.0e6), Record(2, 1.5e6), Record(3, 0.5e6), Failed(4), Record(5, 1e6),
                                  Record(6, 1e6), Failed(7), Record(8, 3e6)});
  const auto theirs = GroupRecords({Record(1, 1.005e6), Record(2, 1e6), Record(3, 1e6), Record(4, 1e6), Failed(5),
                                    Record(7, 1e6), Record(7, 1e6), Record(8, 1e6)});
  const std::vector<GroupComparison> comparisons = CompareGroups(ours, theirs);
  ASSERT_EQ(comparisons.size(), 1u);
  std::vector<std::string> said;
  for (const ScheduleChange& change : comparisons[0].changes) {
    said.push_back(std::to_string(change.schedule.Get("group_m", 0)) + " " + std::string(ChangeName(change.change)));
  }
  EXPECT_THAT(said, ElementsAre("4 broken", "7 broken", "8 slower", "2 slower", "1 same", "3 faster", "5 mended"));
  EXPECT_EQ(comparisons[0].best_ns, 0.5e6);
  EXPECT_EQ(comparisons[0].other_best_ns, 1e6);
  EXPECT_EQ(comparisons[0].Count(Change::kBroken), 2u);
}

TEST(ReportComparisonTest, WhatTheIntervalsCannotTellApartIsTheSame) {
  TuningRecord slower = Record(1, 1.05e6), before = Record(1, 1e6);
  slower.measurement.timing.low_ns = 0.98e6;
  EXPECT_EQ(CompareGroups(GroupRecords({slower}), GroupRecords({before}))[0].changes[0].change, Change::kSame);
  slower.measurement.timing.low_ns = 1.04e6;
  EXPECT_EQ(CompareGroups(GroupRecords({slower}), GroupRecords({before}))[0].changes[0].change, Change::kSlower);
}

TEST(ReportComparisonTest, TheNewestCanonicalRecordCounts) {
  TuningRecord late = Record(1, 9e6);
  late.canonical = false;
  const auto comparison =
      CompareGroups(GroupRecords({Record(1, 5e6), Record(1, 2e6), late}), GroupRecords({Record(1, 1e6)}));
  EXPECT_EQ(comparison[0].changes[0].ns, 2e6);
  EXPECT_NEAR(comparison[0].mean_ratio, 2, 1e-9);
}

TEST(ReportComparisonTest, OtherDevicesAreNotCompared) {
  TuningRecord other = Record(1, 1e6);
  other.device.name = "another";
  EXPECT_TRUE(CompareGroups(GroupRecords({Record(1, 1e6)}), GroupRecords({other})).empty());
}

TEST(ReportDataTest, OnlyGpusHaveCeilingsAndPredictions) {
  TuningRecord gpu = Record(1, 1e6);
  gpu.device.kind = DeviceKind::kCuda;
  const auto data = ReportData("log", 0, GroupRecords({Record(1, 1e6), gpu}), {}, std::nullopt);
  int with_ceilings = 0;
  for (const auto& group : data["groups"]) {
    EXPECT_EQ(group["ceilings"].is_null(), group["simt"].get<bool>());
    EXPECT_EQ(group["records"][0].contains("predicted"), !group["simt"].get<bool>());
    with_ceilings += !group["ceilings"].is_null();
  }
  EXPECT_EQ(with_ceilings, 1);
}

TEST(ReportDataTest, PlotsAreTheDrawingsOfSinglePlots) {
  const auto groups = GroupRecords({Record(1, 1e6), Record(2, 2e6)});
  const auto data = ReportData("log", 0, groups, {}, ReportComparison{"other", CompareGroups(groups, groups)});
  const auto& plots = data["groups"][0]["plots"];
  for (const auto& [name, drawing] : plots.items()) {
    EXPECT_EQ(drawing, PlotSvg(*MakePlot(name, groups[0], {}), PlotUse::kPage)) << name;
  }
  for (const char* name : {"convergence", "convergence:seconds", "phases"}) {
    EXPECT_TRUE(plots.contains(name)) << name;
  }
  EXPECT_THAT(data["groups"][0]["records"][0]["histogram"].get<std::string>(), HasSubstr("<rect"));
  EXPECT_THAT(data["comparison"]["groups"][0]["plot"].get<std::string>(), HasSubstr("<circle"));
}

TEST(ReportPageTest, ComparedScheduleHasTheSpreadOfItsComparison) {
  TuningRecord noisy = Record(2, 1e6);
  noisy.measurement.timing.high_ns = 9e6;
  noisy.measurement.conditions.comparison = Comparison{Record(1, 1e6).schedule, 1.1, 1.0, 1.2, {1.0, 1.1, 1.2}, {}, {}};
  const nlohmann::ordered_json data = ReportData("", 0, GroupRecords({Record(1, 1e6), noisy}), {}, std::nullopt);
  const nlohmann::ordered_json& record = data["groups"][0]["records"][1];
  EXPECT_EQ(record["rank"], 1);
  EXPECT_NEAR(record["spread"].get<double>(), 100 * 0.1 / 1.1, 0.1);
}

TEST(ReportPageTest, NoTextEndsItsElement) {
  const std::string page = ReportPage("</title>&'\"", {{"text", "</script><!--{{script}}"}});
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&amp;&#39;&quot;</title>"));
  EXPECT_THAT(page, HasSubstr("{\"text\":\"\\u003c/script>\\u003c!--{{script}}\"}"));
  EXPECT_THAT(page, Not(HasSubstr("<!--{{")));
}

}  // namespace
}  // namespace mmtune
