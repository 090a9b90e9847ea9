// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/ranked_record.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/plot.h"
#include "server/tune/report/report_plots.h"
#include "server/tune/report/sample_histogram.h"
#include "server/tune/report/schedule_table.h"

namespace mmtune {
namespace {

/// Smaller relative differences are the same time.
constexpr double kSameWithin = 0.01;

using BySchedule = std::map<std::string, const TuningRecord*>;

/// Returns the newest canonical record of each schedule. Skipped ones do not say whether the schedule runs.
BySchedule Newest(const ReportGroup& group) {
  BySchedule newest;
  for (const TuningRecord& record : group.records) {
    const bool skipped = record.measurement.outcome == Outcome::kSkipped;
    if (record.canonical && !skipped) newest[record.schedule.Text()] = &record;
  }
  return newest;
}

bool Ran(const TuningRecord& record) { return record.measurement.Timed(); }

Change ChangeOf(const TuningRecord& ours, const TuningRecord& theirs) {
  if (!Ran(ours)) return Change::kBroken;
  if (!Ran(theirs)) return Change::kMended;
  const Timing& now = ours.measurement.timing;
  const Timing& then = theirs.measurement.timing;
  const double ratio = now.median_ns / then.median_ns;
  if (ratio > 1 + kSameWithin && now.low_ns > then.high_ns) return Change::kSlower;
  if (ratio < 1 / (1 + kSameWithin) && now.high_ns < then.low_ns) return Change::kFaster;
  return Change::kSame;
}

double BestNs(const ReportGroup& group) {
  const std::vector<RankedRecord> ranking = RankVerifiedOrAll(group.records);
  return ranking.empty() ? 0 : ranking.front().ranked_ns;
}

ScheduleChange Compare(const TuningRecord& ours, const TuningRecord& theirs) {
  ScheduleChange change;
  change.schedule = ours.schedule;
  change.change = ChangeOf(ours, theirs);
  change.outcome = ours.measurement.outcome;
  change.other_outcome = theirs.measurement.outcome;
  if (Ran(ours)) change.ns = ours.measurement.timing.median_ns;
  if (Ran(theirs)) change.other_ns = theirs.measurement.timing.median_ns;
  return change;
}

GroupComparison Compare(const ReportGroup& ours, const ReportGroup& theirs) {
  GroupComparison result;
  result.problem = ours.problem;
  result.device = ours.device;
  result.regime = ours.regime;
  result.toolchain = ToolchainText(ours.records.back().toolchain);
  result.other_toolchain = ToolchainText(theirs.records.back().toolchain);
  result.best_ns = BestNs(ours);
  result.other_best_ns = BestNs(theirs);
  const BySchedule before = Newest(theirs);
  double logarithms = 0;
  int64_t in_both = 0;
  for (const auto& [text, record] : Newest(ours)) {
    const auto other = before.find(text);
    if (other == before.end() || (!Ran(*record) && !Ran(*other->second))) continue;
    const ScheduleChange& change = result.changes.emplace_back(Compare(*record, *other->second));
    if (change.ns <= 0 || change.other_ns <= 0) continue;
    logarithms += std::log(change.ns / change.other_ns);
    ++in_both;
  }
  if (in_both > 0) result.mean_ratio = std::exp(logarithms / static_cast<double>(in_both));
  const auto rank = [](const ScheduleChange& change) {
    const bool both = change.ns > 0 && change.other_ns > 0;
    return std::tuple(change.change, both ? -change.ns / change.other_ns : 0);
  };
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [&rank](const ScheduleChange& a, const ScheduleChange& b) { return rank(a) < rank(b); });
  return result;
}

using Json = nlohmann::ordered_json;

// A browser shows pages of some 10 MB: there are fewer drawings in those of long logs.
constexpr size_t kHistogramsOfGroup = 32;
constexpr size_t kMostHistograms = 500;    // All groups together, but one of each.
constexpr size_t kLandscapeDots = 30'000;  // All landscapes together have at most so many; each group has one.

Json NumberOrNull(double value) { return value > 0 ? Json(value) : Json(); }

std::string DrawnForPage(const Plot& plot) { return PlotSvg(plot, PlotUse::kPage); }

/// Adds the histogram of the record's samples, as a drawing, and its modes.
void AddSamples(const TuningRecord& record, const SampleHistogram& histogram, Json& json) {
  json["histogram"] = DrawnForPage(SamplesPlot(record, histogram));
  Json& modes = json["modes"] = Json::array();
  for (const SampleMode& mode : histogram.modes) modes.push_back({{"ns", mode.ns}, {"share", mode.share}});
}

Json RecordJson(const TuningRecord& record, const RecordFacts& facts, bool with_histogram) {
  const Measurement& measured = record.measurement;
  const bool timed = measured.Timed();
  Json json = {{"id", record.id},
               {"uuid", record.uuid},
               {"outcome", OutcomeName(measured.outcome)},
               {"canonical", record.canonical},
               {"verified", IsVerified(measured.verification)},
               {"family", record.schedule.family},
               {"params", record.schedule.params},
               {"toolchain", ToolchainText(record.toolchain)}};
  if (!measured.message.empty()) json["message"] = PlainText(measured.message);
  if (measured.outcome == Outcome::kSkipped && measured.timing.low_ns > 0) json["least"] = measured.timing.low_ns;
  if (timed) {
    json["ns"] = measured.timing.median_ns;
    json["low"] = measured.timing.low_ns;
    json["high"] = measured.timing.high_ns;
    json["gflops"] = record.Gflops();
    json["samples"] = facts.samples;
    if (with_histogram) AddSamples(record, facts.histogram, json);
    if (const auto percent = PercentOfBaseline(record)) json["of_baseline"] = *percent;
  }
  json["registers"] = measured.resources.registers;
  json["spills"] = measured.resources.spill_bytes;
  json["shared"] = measured.resources.shared_bytes;
  json["threads"] = measured.resources.threads;
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  if (!geometry.ok()) return json;
  json["words"] = {geometry->labels.blockTile, geometry->labels.threadTile, geometry->labels.stages,
                   geometry->labels.splitK};
  if (record.device.kind == DeviceKind::kCuda) {
    json["predicted"] = 1e9 * PredictTime(record.problem, *geometry, record.device).total;
  }
  return json;
}

Json CeilingsJson(const ReportGroup& group) {
  const std::optional<Ceilings> ceilings = CeilingsOf(group);
  if (!ceilings) return nullptr;
  return {{"peak", NumberOrNull(ceilings->peak_gflops)}, {"dram", ceilings->dram}, {"l2", ceilings->l2}};
}

/// Returns the drawings of a group, by the names of their plots.
Json PlotsJson(const ReportGroup& group, const std::vector<JobRow>& jobs, size_t landscapes) {
  std::vector<std::string> names = LandscapeNames(group, landscapes);
  names.insert(names.end(), {"convergence", "convergence:seconds", "roofline", "phases"});
  Json plots = Json::object();
  for (const std::string& name : names) {
    const absl::StatusOr<Plot> plot = MakePlot(name, group, jobs);
    if (plot.ok()) plots[name] = DrawnForPage(*plot);
  }
  return plots;
}

/// A place in the ranking.
struct Place {
  size_t rank = 0;  ///< From 0.
  double ranked_ns = 0;
  double spread_percent = 0;    ///< That of the times which give it its place.
  std::optional<double> ratio;  ///< Its time over that of the reference, where they were compared.
  bool tied = false;            ///< The comparison could not tell them apart.
  bool is_reference = false;
};

/// Returns the places of the records that represent their schedules in the ranking, by their ids.
std::map<int64_t, Place> PlacesOf(const ReportGroup& group) {
  const std::vector<RankedRecord> ranking = RankVerifiedOrAll(group.records);
  std::map<int64_t, Place> places;
  if (ranking.empty()) return places;
  const bool compared = std::any_of(ranking.begin(), ranking.end(),
                                    [](const RankedRecord& ranked) { return ranked.comparison.has_value(); });
  const Schedule reference = KnownReference(ranking);
  for (const RankedRecord& ranked : ranking) {
    Place place;
    place.rank = places.size();
    place.ranked_ns = ranked.ranked_ns;
    place.spread_percent = SpreadPercent(AsRanked(ranked).measurement.timing);
    place.is_reference = compared && ranked.record.schedule == reference;
    if (ranked.comparison && ranked.comparison->reference == reference) {
      place.ratio = ranked.comparison->ratio;
      place.tied = ranked.comparison->Tied();
    }
    places.emplace(ranked.record.id, place);
  }
  return places;
}

/// Adds the place of a record in the ranking.
void AddPlace(const Place& place, Json& json) {
  json["rank"] = place.rank;
  json["ranked_ns"] = place.ranked_ns;
  json["spread"] = place.spread_percent;
  if (place.is_reference) json["ratio"] = 1;
  if (!place.ratio) return;
  json["ratio"] = *place.ratio;
  json["tied"] = place.tied;
}

Json GroupJson(const ReportGroup& group, const std::vector<JobRow>& jobs, size_t histograms, size_t landscapes) {
  const std::map<int64_t, Place> places = PlacesOf(group);
  Json records = Json::array();
  double phase_ms = 0;
  for (const TuningRecord& record : group.records) {
    phase_ms += TrialMs(record.measurement.phases);
    const auto at = places.find(record.id);
    const bool is_ranked = at != places.end();
    Json& json =
        records.emplace_back(RecordJson(record, group.facts.at(record.id), is_ranked && at->second.rank < histograms));
    if (is_ranked) AddPlace(at->second, json);
  }
  Json outcomes = Json::object();
  for (const auto& [outcome, count] : group.outcomes) outcomes[std::string(OutcomeName(outcome))] = count;
  return {{"problem", ProblemText(group.problem)},
          {"device", DeviceText(group.device)},
          {"arch", PlainText(group.device.arch)},
          {"simt", group.device.kind == DeviceKind::kSimt},
          {"regime", PlainText(group.regime)},
          {"flops", group.problem.Flops()},
          {"bytes", static_cast<double>(group.problem.OperandBytes())},
          {"ceilings", CeilingsJson(group)},
          {"parameters", ParametersByEffect(group)},
          {"baseline", BaselineJson(group.records)},
          {"plots", PlotsJson(group, jobs, landscapes)},
          {"phase_seconds", phase_ms / 1000},
          {"total", group.total},
          {"outcomes", std::move(outcomes)},
          {"records", std::move(records)}};
}

Json ChangesJson(const GroupComparison& group) {
  Json changes = Json::array();
  for (const ScheduleChange& change : group.changes) {
    changes.push_back({{"schedule", change.schedule.Text()},
                       {"change", ChangeName(change.change)},
                       {"outcome", OutcomeName(change.outcome)},
                       {"other_outcome", OutcomeName(change.other_outcome)},
                       {"ns", NumberOrNull(change.ns)},
                       {"other_ns", NumberOrNull(change.other_ns)}});
  }
  return changes;
}

/// Returns the ratios of the times of schedules that ran in both logs.
Plot ComparisonPlot(const GroupComparison& group) {
  Plot plot;
  plot.title = absl::StrCat("comparison: ", ProblemText(group.problem), " on ", DeviceText(group.device));
  plot.x = {"time in the other log [ms]", true, {}};
  plot.y.title = "time here / time there";
  for (const Change change : {Change::kSame, Change::kSlower, Change::kFaster}) {
    PlotSeries series{std::string(ChangeName(change)), PlotKind::kDots, {}};
    for (const ScheduleChange& entry : group.changes) {
      if (entry.change != change || entry.ns <= 0 || entry.other_ns <= 0) continue;
      const double ratio = entry.ns / entry.other_ns;
      series.points.push_back(
          {entry.other_ns / 1e6, ratio, std::nullopt, absl::StrCat(Fixed(ratio, 3), ": ", entry.schedule.Text())});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Json ComparisonJson(const ReportComparison& comparison) {
  Json groups = Json::array();
  for (const GroupComparison& group : comparison.groups) {
    groups.push_back({{"problem", ProblemText(group.problem)},
                      {"device", DeviceText(group.device)},
                      {"regime", PlainText(group.regime)},
                      {"toolchain", PlainText(group.toolchain)},
                      {"other_toolchain", PlainText(group.other_toolchain)},
                      {"best_ns", NumberOrNull(group.best_ns)},
                      {"other_best_ns", NumberOrNull(group.other_best_ns)},
                      {"mean_ratio", NumberOrNull(group.mean_ratio)},
                      {"plot", DrawnForPage(ComparisonPlot(group))},
                      {"changes", ChangesJson(group)}});
  }
  return {{"log", PlainText(comparison.log)}, {"groups", std::move(groups)}};
}

}  // namespace

std::string_view ChangeName(Change change) {
  constexpr std::string_view kNames[] = {"broken", "slower", "same", "faster", "mended"};
  return kNames[static_cast<size_t>(change)];
}

size_t GroupComparison::Count(Change change) const {
  return static_cast<size_t>(std::count_if(changes.begin(), changes.end(),
                                           [change](const ScheduleChange& entry) { return entry.change == change; }));
}

std::vector<GroupComparison> CompareGroups(const std::vector<ReportGroup>& ours,
                                           const std::vector<ReportGroup>& theirs) {
  std::vector<GroupComparison> comparisons;
  for (const ReportGroup& group : ours) {
    for (const ReportGroup& other : theirs) {
      if (group.IsComparable(other)) comparisons.push_back(Compare(group, other));
    }
  }
  return comparisons;
}

std::string ToolchainText(const Toolchain& toolchain) {
  return absl::StrCat("mmtune ", toolchain.mmtune, ", mlir ", toolchain.mlir, ", ", toolchain.assembler);
}

Json ReportData(const std::string& log, int64_t made_unix_millis, const std::vector<ReportGroup>& groups,
                const std::vector<JobRow>& jobs, const std::optional<ReportComparison>& comparison,
                const std::string& left_out) {
  Json list = Json::array();
  size_t records = 1;
  for (const ReportGroup& group : groups) records += group.records.size();
  const size_t histograms = std::clamp<size_t>(kMostHistograms / (groups.size() + 1), 1, kHistogramsOfGroup);
  for (const ReportGroup& group : groups) {
    list.push_back(GroupJson(group, jobs, histograms, std::max<size_t>(kLandscapeDots / records, 1)));
  }
  return {{"log", PlainText(log)},
          {"made", absl::StrCat(UtcText(made_unix_millis), " UTC")},
          {"simt_note", SimtNote()},
          {"marked_spread", kMarkedSpreadPercent},
          {"left_out", left_out},
          {"groups", std::move(list)},
          {"comparison", comparison ? ComparisonJson(*comparison) : Json()}};
}

std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data) {
  const PageParts& parts = ReportPageParts();
  // "</script>" and "<!--" would end the element, or begin a comment: JSON says '<' otherwise, too.
  const std::string json = absl::StrReplaceAll(JsonText(data), {{"<", "\\u003c"}});
  return absl::StrReplaceAll(ToAbsl(parts.html), {{"{{title}}", MarkupText(title)},
                                                  {"{{style}}", ToAbsl(parts.css)},
                                                  {"{{data}}", json},
                                                  {"{{script}}", ToAbsl(parts.js)}});
}

}  // namespace mmtune
