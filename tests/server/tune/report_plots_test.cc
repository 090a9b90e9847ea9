// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single plots of `tune report`: their values, as a table and as a drawing.
#include "server/tune/report/report_plots.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
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

TEST(ReportPlotsTest, ALandscapeHasWhatRanAndWhatFailed) {
  const Plot plot = Made("landscape:group_m,bm");
  EXPECT_THAT(plot.x.categories, ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(plot.y.categories, ElementsAre("64"));
  ASSERT_THAT(plot.series, SizeIs(2));
  EXPECT_THAT(Xs(plot.series[0]), ElementsAre(4, 0, 2)) << "the fastest last, on top";
  EXPECT_EQ(plot.series[0].points[2].value, Record(3, 1e6).Gflops());
  EXPECT_THAT(Xs(plot.series[1]), ElementsAre(1, 3));
  EXPECT_EQ(Made("landscape").x.title, "group_m") << "the one that varies comes first";
  const Plot with_skipped =
      Made("landscape:group_m,bm", GroupRecords({Record(1, 2e6), Untimed(2, Outcome::kSkipped)}).front());
  ASSERT_THAT(with_skipped.series, SizeIs(2));
  EXPECT_EQ(with_skipped.series[1].name, "skipped");
}

TEST(ReportPlotsTest, LandscapesOfThePageBeginWithWhatVaries) {
  const std::vector<std::string> names = LandscapeNames(Group(), 2);
  ASSERT_THAT(names, SizeIs(2));
  EXPECT_THAT(names[0], testing::StartsWith("landscape:group_m,"));
  for (const std::string& name : names) Made(name.c_str());
}

TEST(ReportPlotsTest, OthersHaveTheirAxes) {
  EXPECT_TRUE(Made("roofline").x.logarithmic);
  EXPECT_THAT(Made("roofline").series, SizeIs(1)) << "the SIMT device has no ceilings";
  ReportGroup gpu = Group();
  gpu.device.kind = DeviceKind::kCuda;
  gpu.device.arch = "sm_90";
  EXPECT_THAT(Made("roofline", gpu).series, SizeIs(3));
  double samples = 0;
  for (const double count : Ys(Made("samples").series[0])) samples += count;
  EXPECT_EQ(samples, 3);
  EXPECT_THAT(Made("samples").series[0].name, HasSubstr("record 3"));
  const Plot phases = Made("phases");
  EXPECT_EQ(phases.x.categories.back(), "timing");
  EXPECT_EQ(phases.series[0].points.back().y, 1.25);
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
  EXPECT_EQ(count("<circle"), 3u);
  EXPECT_EQ(count("l8 8m0 -8l-8 8"), 2u);
}

TEST(PlotSvgTest, PointsOfThePageNameTheirRecords) {
  const std::string svg = PlotSvg(Made("landscape:group_m,bm"), PlotLabels::kRecord);
  for (const char* record : {"1", "2", "3", "4", "5"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(" data-record=\"") + record + "\""));
  }
  EXPECT_THAT(svg, Not(HasSubstr("<title>record")));
}

TEST(PlotSvgTest, NoValueLeadsOutOfTheDrawing) {
  for (const char* name : {"convergence", "convergence:seconds", "landscape", "roofline", "samples", "phases"}) {
    const std::string svg = PlotSvg(Made(name));
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << name;
    EXPECT_THAT(svg, Not(HasSubstr("inf"))) << name;
  }
  Plot empty;
  EXPECT_THAT(PlotSvg(empty), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace mmtune
