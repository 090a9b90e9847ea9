// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single plots of `tune report`: their values, as a table and as a drawing.
#include "server/tune/report/report_plots.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernels/families/common/registry.h"
#include "mmtune/v1/tuning.pb.h"
#include "tests/server/tune/record_factory.h"
#include "tests/server/tune/report_groups_of.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TuningRecord Record(int64_t id, double ns) {
  TuningRecord record = OkRecord(ns);
  record.id = id;
  record.job_uuid = "job";
  record.schedule.params["group_m"] = id;
  record.measurement.timing.regime = "warm";
  record.unix_millis = 1000 * id;
  record.measurement.phases.timing_ms = 250;
  return record;
}

TuningRecord Untimed(int64_t id, Outcome outcome) {
  TuningRecord record = Record(id, 1);
  record.measurement.outcome = outcome;
  record.measurement.timing = {};
  return record;
}

/// Slower, failed, faster, failed, slower again.
ReportGroup Group() {
  return GroupRecords({Record(1, 2e6), Untimed(2, Outcome::kCrashed), Record(3, 1e6),
                       Untimed(4, Outcome::kCompileFailed), Record(5, 4e6)})
      .front();
}

std::vector<JobRow> Jobs() {
  v1::JobSpec spec;
  spec.set_strategy("model");
  spec.set_seed(7);
  JobRow job;
  job.uuid = "job";
  job.spec = spec.SerializeAsString();
  job.created_unix_millis = 500;
  return {job};
}

Plot Made(const char* name, const ReportGroup& group = Group()) {
  const auto plot = MakePlot(name, group, Jobs());
  EXPECT_TRUE(plot.ok()) << plot.status();
  return plot.ok() ? *plot : Plot();
}

std::vector<double> Xs(const PlotSeries& series) {
  std::vector<double> values;
  for (const PlotPoint& point : series.points) values.push_back(point.x);
  return values;
}
std::vector<double> Ys(const PlotSeries& series) {
  std::vector<double> values;
  for (const PlotPoint& point : series.points) values.push_back(point.y);
  return values;
}

TEST(ReportPlotsTest, ConvergenceIsTheBestSoFarByTrialOrBySecond) {
  const Plot plot = Made("convergence");
  ASSERT_THAT(plot.series, SizeIs(1));
  EXPECT_THAT(plot.series[0].name, HasSubstr("model, seed 7"));
  EXPECT_THAT(Xs(plot.series[0]), ElementsAre(1, 2, 3, 4, 5));
  const double first = Record(1, 2e6).Gflops(), best = Record(3, 1e6).Gflops();
  EXPECT_THAT(Ys(plot.series[0]), ElementsAre(first, first, best, best, best));
  EXPECT_THAT(Xs(Made("convergence:seconds").series[0]), ElementsAre(0.5, 1.5, 2.5, 3.5, 4.5));
}

TEST(ReportPlotsTest, WhatWasSkippedIsNoTrial) {
  ReportGroup group = Group();
  group.records.insert(group.records.begin() + 1, Untimed(6, Outcome::kSkipped));
  group.records.push_back(Untimed(7, Outcome::kSkipped));
  EXPECT_THAT(Xs(Made("convergence", group).series[0]), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(Xs(Made("convergence:seconds", group).series[0]), ElementsAre(0.5, 1.5, 2.5, 3.5, 4.5));
}

TEST(ReportPlotsTest, ABaselineIsALine) {
  ReportGroup group = Group();
  Baseline& baseline = group.records[2].measurement.conditions.baseline;
  baseline.name = "cuBLAS 13";
  baseline.median_ns = baseline.low_ns = baseline.high_ns = 5e5;
  const Plot plot = Made("convergence", group);
  ASSERT_THAT(plot.series, SizeIs(2));
  EXPECT_EQ(plot.series[1].name, "cuBLAS 13");
  EXPECT_THAT(Xs(plot.series[1]), ElementsAre(0, 5));
  EXPECT_NEAR(plot.series[1].points[0].y, Record(1, 5e5).Gflops(), 1e-9);
}

TEST(ReportPlotsTest, SchedulesThatWereNamedAreDotsAndNoCurve) {
  std::vector<JobRow> jobs = Jobs();
  v1::JobSpec spec;
  spec.add_schedules()->set_family("fma");
  JobRow& comparison = jobs.emplace_back(jobs[0]);
  comparison.uuid = "jobs named";
  comparison.spec = spec.SerializeAsString();
  TuningRecord compared = Record(6, 5e5);
  compared.job_uuid = comparison.uuid;
  const auto plot = MakePlot("convergence", GroupRecords({Record(1, 2e6), Record(2, 1e6), compared}).front(), jobs);
  ASSERT_TRUE(plot.ok()) << plot.status();
  ASSERT_THAT(plot->series, SizeIs(2));
  EXPECT_THAT(Xs(plot->series[0]), ElementsAre(1, 2));
  EXPECT_EQ(plot->series[1].kind, PlotKind::kDots);
  EXPECT_THAT(Ys(plot->series[1]), ElementsAre(compared.Gflops()));
  EXPECT_GT(Xs(plot->series[1])[0], 2) << "to the right of the curves";
}

TEST(ReportPlotsTest, ALandscapeHasTheBestOfEachCellAndWhatFailed) {
  const Plot plot = Made("landscape:group_m,bm");
  EXPECT_THAT(plot.x.categories, ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(plot.y.categories, ElementsAre("64"));
  ASSERT_THAT(plot.series, SizeIs(2));
  EXPECT_EQ(plot.series[0].kind, PlotKind::kCells);
  EXPECT_THAT(Xs(plot.series[0]), ElementsAre(0, 2, 4));
  EXPECT_EQ(plot.series[0].points[1].value, Record(3, 1e6).Gflops());
  EXPECT_THAT(Xs(plot.series[1]), ElementsAre(1, 3));
  TuningRecord slower = Record(6, 3e6);
  slower.schedule.params["group_m"] = 1;
  const Plot one = Made("landscape:group_m,bm", GroupRecords({slower, Record(1, 2e6)}).front());
  ASSERT_THAT(one.series, SizeIs(1));
  ASSERT_THAT(one.series[0].points, SizeIs(1));
  // The table ranks a schedule by the slower one of two records, and so does the landscape.
  EXPECT_EQ(one.series[0].points[0].record, 6);
  EXPECT_EQ(one.series[0].points[0].value, slower.Gflops());
  EXPECT_THAT(one.series[0].points[0].label, HasSubstr("2 timed, 0 failed, 0 skipped; best: record 6"));
  TuningRecord unverified = Record(7, 1e5);
  unverified.schedule.params["bm"] = 32;
  unverified.measurement.verification = {};
  const Plot mixed = Made("landscape:bm,bn", GroupRecords({Record(1, 2e6), Record(2, 4e6), unverified}).front());
  ASSERT_THAT(mixed.series[0].points, SizeIs(2));
  EXPECT_THAT(mixed.series[0].points[0].label, HasSubstr("1 timed, 0 failed, 0 skipped; best, not ranked: record 7"));
  EXPECT_EQ(mixed.series[0].points[1].record, 1);
  const Plot with_skipped =
      Made("landscape:group_m,bm", GroupRecords({Record(1, 2e6), Untimed(2, Outcome::kSkipped)}).front());
  ASSERT_THAT(with_skipped.series, SizeIs(2));
  EXPECT_EQ(with_skipped.series[1].name, "skipped");
}

TEST(ReportPlotsTest, LandscapesBeginWithTheParametersOfMostEffect) {
  std::vector<TuningRecord> records;
  for (int64_t i = 0; i < 64; ++i) {
    const double noise = 1 + 0.01 * static_cast<double>(i * 37 % 64) / 64;
    records.push_back(Record(i + 1, 1e6 * (i % 4 < 2 ? 1 : 4) * (i / 4 % 2 == 0 ? 1 : 1.5) * noise));
    auto& params = records.back().schedule.params;
    params["stages"] = i % 4 < 2 ? 1 : 2;
    params["bn"] = i / 4 % 2 == 0 ? 32 : 64;
    params["bk"] = i % 4 % 2 == 0 ? 8 : 16;
    params["group_m"] = i;  // A value for each record explains all of the variance, and nothing of the speed.
  }
  const ReportGroup group = GroupRecords(records).front();
  EXPECT_THAT(LandscapeNames(group, 2), ElementsAre("landscape:stages,bn", testing::_));
  EXPECT_EQ(Made("landscape", group).x.title, "stages");
  for (const std::string& name : LandscapeNames(group, 9)) Made(name.c_str(), group);
}

TEST(ReportPlotsTest, LandscapesDoNotBeginWithParametersThatDependOnEachOther) {
  std::vector<TuningRecord> records;
  for (int64_t i = 0; i < 64; ++i) {
    const int64_t split = i % 4 == 0 ? 1 : i % 4 == 1 ? 4 : 2;
    records.push_back(Record(i + 1, 1e6 * static_cast<double>(split) * (i / 4 % 2 == 0 ? 1 : 1.2)));
    auto& params = records.back().schedule.params;
    params["split_k"] = split;
    params["reduction"] = split == 1 ? 0 : i % 4 == 3 ? 3 : 2;
    params["stages"] = 1;
    params["async"] = 0;
    records.back().device.multiprocessors = 16;
    params["bn"] = i / 4 % 2 == 0 ? 32 : 64;
    params["group_m"] = 1;
  }
  const ReportGroup group = GroupRecords(records).front();
  ASSERT_EQ(ValidateSchedule(group.problem, records[1].schedule, group.device), absl::OkStatus());
  EXPECT_THAT(ParametersByEffect(group)[0], "split_k");
  EXPECT_THAT(ParametersByEffect(group)[1], "reduction");
  EXPECT_THAT(LandscapeNames(group, 9),
              ElementsAre("landscape:split_k,bn", "landscape:split_k,reduction", "landscape:reduction,bn"));
  EXPECT_EQ(Made("landscape", group).y.title, "bn");
}

TEST(ReportPlotsTest, OthersHaveTheirAxes) {
  EXPECT_TRUE(absl::IsInvalidArgument(MakePlot("roofline", Group(), {}).status())) << "without ceilings";
  ReportGroup gpu = Group();
  gpu.device.kind = DeviceKind::kCuda;
  gpu.device.arch = "sm_90";
  EXPECT_TRUE(Made("roofline", gpu).x.logarithmic);
  EXPECT_THAT(Made("roofline", gpu).series, SizeIs(3));
  double samples = 0;
  for (const double count : Ys(Made("samples").series[0])) samples += count;
  EXPECT_EQ(samples, 3);
  EXPECT_THAT(Made("samples").series[0].name, HasSubstr("record 3"));
  const Plot phases = Made("phases");
  EXPECT_EQ(phases.x.categories.back(), "timing");
  EXPECT_EQ(phases.series[0].points.back().y, 1.25);
  const std::string drawn = PlotSvg(phases);
  for (const std::string& phase : phases.x.categories) {
    EXPECT_THAT(drawn, HasSubstr(">" + phase + "</text>")) << "each bar has its name";
  }
}

TEST(ReportPlotsTest, WhatIsNoPlotIsSaidWithThoseThereAre) {
  for (const char* name : {"", "spiral", "convergence:hours", "roofline:x", "landscape:bm"}) {
    const auto plot = MakePlot(name, Group(), {});
    EXPECT_TRUE(absl::IsInvalidArgument(plot.status())) << name;
  }
  EXPECT_THAT(std::string(MakePlot("spiral", Group(), {}).status().message()), HasSubstr("convergence"));
  EXPECT_THAT(std::string(MakePlot("landscape:bm,none", Group(), {}).status().message()), HasSubstr("'none'"));
  const ReportGroup failed = GroupRecords({Untimed(1, Outcome::kCrashed)}).front();
  EXPECT_TRUE(absl::IsInvalidArgument(MakePlot("samples", failed, {}).status()));
  EXPECT_THAT(Made("convergence", failed).series, SizeIs(0));
}

TEST(PlotCsvTest, ARowForEachPoint) {
  EXPECT_EQ(PlotCsv({"t",
                     {"x", false, {}},
                     {"y", false, {"a", "b"}},
                     "z",
                     {{"one", PlotKind::kDots, {{0.1, 1, 7.0, "p, q"}, {2, 0, std::nullopt, ""}}}}}),
            "series,x,y,z,label\none,0.1,b,7.0,\"p, q\"\none,2.0,a,,\n");
}

TEST(PlotSvgTest, TextsAreEscapedAndEveryPointIsDrawn) {
  Plot plot = Made("landscape:group_m,bm");
  plot.title = "</svg><script>\x1b[31m";
  plot.series[0].points[0].label = "a<b & \"c\"";
  const std::string svg = PlotSvg(plot);
  EXPECT_THAT(svg, testing::StartsWith("<svg "));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, Not(HasSubstr("\x1b")));
  EXPECT_THAT(svg, HasSubstr("a&lt;b &amp; &quot;c&quot;"));
  const auto count = [&svg](const std::string& what) {
    size_t found = 0;
    for (size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("class=\"cell\""), 3u);
  EXPECT_THAT(svg, HasSubstr(">GFLOP/s</text>")) << "the bar of colours has its unit";
  EXPECT_EQ(count("l8 8m0 -8l-8 8"), 2u);
}

TEST(PlotSvgTest, PointsOfThePageNameTheirRecords) {
  const std::string svg = PlotSvg(Made("landscape:group_m,bm"), PlotUse::kPage);
  for (const char* record : {"1", "2", "3", "4", "5"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(" data-record=\"") + record + "\""));
  }
  EXPECT_THAT(svg, Not(HasSubstr("<title>record")));
}

TEST(PlotSvgTest, NoValueLeadsOutOfTheDrawing) {
  for (const char* name : {"convergence", "convergence:seconds", "landscape", "samples", "phases"}) {
    const std::string svg = PlotSvg(Made(name));
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << name;
    EXPECT_THAT(svg, Not(HasSubstr("inf"))) << name;
  }
  Plot empty;
  EXPECT_THAT(PlotSvg(empty), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace mmtune
