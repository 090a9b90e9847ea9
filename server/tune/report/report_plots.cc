// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_plots.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"
#include "proto/types/ranked_record.h"
#include "server/tune/report/format.h"
#include "server/tune/report/sample_histogram.h"
#include "server/tune/report/schedule_table.h"

namespace mmtune {
namespace {

std::string GroupText(const ReportGroup& group) {
  return absl::StrCat(ProblemText(group.problem), " on ", DeviceText(group.device),
                      group.regime.empty() ? "" : absl::StrCat(", ", group.regime, " operands"));
}

std::string RecordLabel(const TuningRecord& record) {
  return absl::StrCat("record ", record.id, ": ", record.schedule.Text());
}

/// Returns the best time so far of each search. Jobs that measured schedules named by somebody, such as comparisons of
/// finalists and ladders, are no searches: their records are dots at the right edge.
Plot Convergence(const ReportGroup& group, const std::vector<JobRow>& rows, bool by_seconds) {
  Plot plot;
  plot.x.title = by_seconds ? "seconds since the job began" : "trial";
  plot.y.title = "GFLOP/s";
  double last = 1;
  PlotSeries named{"comparisons, ladders", PlotKind::kDots, {}};
  for (const auto& [uuid, job] : JobsOf(group, rows)) {
    PlotSeries line{job.label, PlotKind::kSteps, {}};
    for (const TuningRecord& record : group.records) {
      const auto facts = group.facts.find(record.id);
      if (record.job_uuid != uuid || facts == group.facts.end() || facts->second.trial == 0) continue;
      if (!job.is_search) {
        if (record.Gflops() <= 0) continue;
        named.points.push_back({0, record.Gflops(), std::nullopt, RecordLabel(record), record.id});
        continue;
      }
      if (facts->second.best_ns <= 0) continue;
      const auto millis = std::max<int64_t>(0, record.unix_millis - job.start_unix_millis);
      const double x = by_seconds ? static_cast<double>(millis) / 1000 : static_cast<double>(facts->second.trial);
      last = std::max(last, x);
      line.points.push_back(
          {x, group.problem.Flops() / facts->second.best_ns, std::nullopt, RecordLabel(record), record.id});
    }
    if (!line.points.empty()) plot.series.push_back(std::move(line));
  }
  for (PlotPoint& point : named.points) point.x = 1.04 * last;
  if (!named.points.empty()) plot.series.push_back(std::move(named));
  const auto baseline = BaselineJson(group.records);
  if (baseline.contains("gflops") && baseline["gflops"].is_number()) {
    const double gflops = baseline["gflops"];
    const std::string library = baseline.value("library", "baseline");
    plot.series.push_back(
        {library, PlotKind::kLine, {{0, gflops, std::nullopt, library}, {last, gflops, std::nullopt, library}}});
  }
  return plot;
}

/// Returns the values of a parameter, ascending; none if no schedule has it.
std::vector<int64_t> ValuesOf(const ReportGroup& group, const std::string& parameter) {
  std::set<int64_t> values;
  for (const TuningRecord& record : group.records) {
    const auto at = record.schedule.params.find(parameter);
    if (at != record.schedule.params.end()) values.insert(at->second);
  }
  return {values.begin(), values.end()};
}

/// Returns which part of the variance of the logarithm of the speed is explained by a parameter: 0 none, 1 all of it.
/// It is Kelley's epsilon squared, which does not favour parameters with many values.
double EffectOf(const ReportGroup& group, const std::string& parameter) {
  struct Sum {
    double count = 0, sum = 0;
  };
  std::map<int64_t, Sum> by_value;
  double count = 0, sum = 0, squares = 0;
  for (const TuningRecord& record : group.records) {
    const auto at = record.schedule.params.find(parameter);
    if (at == record.schedule.params.end() || record.Gflops() <= 0) continue;
    const double speed = std::log(record.Gflops());
    Sum& of_value = by_value[at->second];
    ++of_value.count;
    of_value.sum += speed;
    ++count;
    sum += speed;
    squares += speed * speed;
  }
  const auto values = static_cast<double>(by_value.size());
  if (values < 2 || count <= values) return 0;
  double between = -sum * sum / count;
  for (const auto& [value, part] : by_value) between += part.sum * part.sum / part.count;
  const double total = squares - sum * sum / count;
  if (total <= 1e-12 * squares) return 0;
  const double within = (total - between) / (count - values);
  return std::max(0.0, (between - (values - 1) * within) / total);
}

}  // namespace

std::vector<std::string> ParametersByEffect(const ReportGroup& group) {
  std::set<std::string> names;
  for (const TuningRecord& record : group.records) {
    for (const auto& [name, value] : record.schedule.params) names.insert(name);
  }
  std::vector<std::tuple<bool, double, std::string>> order;
  for (const std::string& name : names) {
    order.emplace_back(ValuesOf(group, name).size() < 2, -EffectOf(group, name), name);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> sorted;
  for (auto& [is_alike, effect, name] : order) sorted.push_back(std::move(name));
  return sorted;
}

namespace {

/// A schedule in the ranking: the time by which it is ranked, and the record that represents it.
struct Rank {
  double ns = 0;
  int64_t record = 0;
};

/// Returns the ranking, by the texts of its schedules.
std::map<std::string, Rank> RanksOf(const ReportGroup& group) {
  std::map<std::string, Rank> ranks;
  for (const RankedRecord& ranked : RankVerifiedOrAll(group.records)) {
    ranks.emplace(ranked.record.schedule.Text(), Rank{ranked.ranked_ns, ranked.record.id});
  }
  return ranks;
}

/// A cell of a landscape: the schedules with one pair of values.
struct Cell {
  int64_t timed = 0, failed = 0, skipped = 0;
  const TuningRecord* best = nullptr;   ///< That of the fastest schedule; null if none was timed.
  double best_ns = 0;                   ///< The time of that schedule.
  bool is_ranked = false;               ///< True if it is in the ranking.
  const TuningRecord* other = nullptr;  ///< One that was not timed, a failure before a skipped one.

  /// `rank` is that of the record's schedule; null if the ranking does not have it.
  void Add(const TuningRecord& record, const Rank* rank) {
    if (record.Gflops() > 0) {
      ++timed;
      if (rank != nullptr && rank->record != record.id) return;
      const double ns = rank != nullptr ? rank->ns : record.measurement.timing.median_ns;
      const bool has_rank = rank != nullptr;
      if (best != nullptr && (has_rank == is_ranked ? ns >= best_ns : is_ranked)) return;
      best = &record;
      best_ns = ns;
      is_ranked = has_rank;
      return;
    }
    const bool is_skipped = record.measurement.outcome == Outcome::kSkipped;
    ++(is_skipped ? skipped : failed);
    if (other == nullptr || !is_skipped) other = &record;
  }
};

using Pair = std::pair<std::string, std::string>;

/// Returns the pairs of two of the parameters, those with the most effect first. Parameters that do not vary are left
/// out, unless fewer than two vary.
std::vector<Pair> PairsByEffect(const ReportGroup& group) {
  std::vector<std::string> parameters = ParametersByEffect(group);
  const auto alike = std::find_if(parameters.begin(), parameters.end(),
                                  [&group](const std::string& name) { return ValuesOf(group, name).size() < 2; });
  parameters.resize(std::min(parameters.size(), std::max<size_t>(2, alike - parameters.begin())));
  std::vector<Pair> pairs;
  for (size_t j = 1; j < parameters.size(); ++j) {
    for (size_t i = 0; i < j; ++i) pairs.emplace_back(parameters[i], parameters[j]);
  }
  return pairs;
}

/// Returns some records of schedules that are valid, the newest first.
std::vector<const TuningRecord*> ValidRecords(const ReportGroup& group) {
  constexpr size_t kMost = 16;
  std::vector<const TuningRecord*> valid;
  for (auto record = group.records.rbegin(); record != group.records.rend() && valid.size() < kMost; ++record) {
    if (ValidateSchedule(record->problem, record->schedule, record->device).ok()) valid.push_back(&*record);
  }
  return valid;
}

/// True if some value of one parameter leaves the other only one of its values, as split_k=1 does with reduction, or if
/// no schedule has both. A pair of values is possible if one of the schedules of `valid` is valid with it.
bool DependOnEachOther(const ReportGroup& group, const std::vector<const TuningRecord*>& valid, const Pair& pair) {
  const std::vector<int64_t> first = ValuesOf(group, pair.first), second = ValuesOf(group, pair.second);
  const auto is_possible = [&](int64_t x, int64_t y) {
    return std::any_of(valid.begin(), valid.end(), [&](const TuningRecord* record) {
      Schedule schedule = record->schedule;
      if (!schedule.params.contains(pair.first) || !schedule.params.contains(pair.second)) return false;
      schedule.params[pair.first] = x;
      schedule.params[pair.second] = y;
      return ValidateSchedule(record->problem, schedule, record->device).ok();
    });
  };
  std::vector<int> of_first(first.size(), 0), of_second(second.size(), 0);
  for (size_t i = 0; i < first.size(); ++i) {
    for (size_t j = 0; j < second.size(); ++j) {
      if (!is_possible(first[i], second[j])) continue;
      ++of_first[i];
      ++of_second[j];
    }
  }
  const auto possible = [](const std::vector<int>& counts) {
    return std::count_if(counts.begin(), counts.end(), [](int count) { return count > 0; });
  };
  const auto has_one = [](const std::vector<int>& counts) { return std::count(counts.begin(), counts.end(), 1) > 0; };
  return possible(of_first) == 0 || (possible(of_second) > 1 && has_one(of_first)) ||
         (possible(of_first) > 1 && has_one(of_second));
}

/// Returns the best speed for each pair of values of two parameters; of none, those on which a page opens. The speed of
/// a schedule is that of the ranking. One that the ranking leaves out, with its own time, counts only in a cell that
/// has no other.
absl::StatusOr<Plot> Landscape(const ReportGroup& group, std::vector<std::string> parameters) {
  if (parameters.empty()) {
    for (const std::string& name : LandscapeNames(group, 1)) {
      parameters = absl::StrSplit(name.substr(name.find(':') + 1), ',');
    }
  }
  if (parameters.size() != 2) return InvalidArgument("a landscape is of two parameters: --plot landscape:bm,bn");
  Plot plot;
  plot.value_title = "GFLOP/s";
  std::vector<int64_t> values[2];
  PlotAxis* axes[] = {&plot.x, &plot.y};
  for (size_t i = 0; i < 2; ++i) {
    values[i] = ValuesOf(group, parameters[i]);
    if (values[i].empty()) {
      return InvalidArgument(absl::StrCat("--plot landscape: no schedule of this ranking has a parameter '",
                                          PlainText(parameters[i]), "': take two names from its schedules"));
    }
    axes[i]->title = parameters[i];
    for (const int64_t value : values[i]) axes[i]->categories.push_back(absl::StrCat(value));
  }
  const std::map<std::string, Rank> ranks = RanksOf(group);
  std::map<std::pair<int64_t, int64_t>, Cell> cells;
  for (const TuningRecord& record : group.records) {
    const auto x = record.schedule.params.find(parameters[0]), y = record.schedule.params.find(parameters[1]);
    if (x == record.schedule.params.end() || y == record.schedule.params.end()) continue;
    const auto rank = ranks.find(record.schedule.Text());
    cells[{x->second, y->second}].Add(record, rank == ranks.end() ? nullptr : &rank->second);
  }
  PlotSeries ran{"best of each cell", PlotKind::kCells, {}}, failed{"failed", PlotKind::kCrosses, {}};
  PlotSeries skipped{"skipped", PlotKind::kDots, {}};
  const auto index = [](const std::vector<int64_t>& of, int64_t value) {
    return static_cast<double>(std::lower_bound(of.begin(), of.end(), value) - of.begin());
  };
  for (const auto& [at, cell] : cells) {
    PlotPoint point{index(values[0], at.first), index(values[1], at.second), std::nullopt, "", 0};
    const TuningRecord& shown = cell.best ? *cell.best : *cell.other;
    if (cell.best) point.value = group.problem.Flops() / cell.best_ns;
    point.record = shown.id;
    point.label = absl::StrCat(
        cell.timed, " timed, ", cell.failed, " failed, ", cell.skipped, " skipped; ",
        cell.best ? (cell.is_ranked ? "best: " : "best, not ranked: ") : "one of them: ", RecordLabel(shown));
    (cell.best ? ran : cell.failed > 0 ? failed : skipped).points.push_back(std::move(point));
  }
  for (PlotSeries* series : {&ran, &skipped, &failed}) {
    if (!series->points.empty()) plot.series.push_back(std::move(*series));
  }
  return plot;
}

absl::StatusOr<Plot> Roofline(const ReportGroup& group) {
  const std::optional<Ceilings> ceilings = CeilingsOf(group);
  if (!ceilings) {
    return InvalidArgument(absl::StrCat("the peak and the bandwidths of ", DeviceText(group.device),
                                        " are not known: a roofline can be drawn for records of a GPU"));
  }
  Plot plot;
  plot.x = {"operations per byte", true, {}};
  plot.y = {"GFLOP/s", true, {}};
  PlotSeries dots{"schedules", PlotKind::kDots, {}};
  const double flops = group.problem.Flops();
  double least = flops / static_cast<double>(group.problem.OperandBytes()), most = least;
  for (const TuningRecord& record : group.records) {
    const auto geometry = DescribeSchedule(record.problem, record.schedule);
    if (record.Gflops() <= 0 || !geometry.ok() || geometry->bytesMoved <= 0) continue;
    dots.points.push_back(
        {flops / geometry->bytesMoved, record.Gflops(), std::nullopt, RecordLabel(record), record.id});
    least = std::min(least, dots.points.back().x);
    most = std::max(most, dots.points.back().x);
  }
  plot.series.push_back(std::move(dots));
  const double peak = ceilings->peak_gflops;
  const auto ceiling = [&](const char* name, double gigabytes) {
    PlotSeries line{absl::StrCat(name, ", ", Grouped(static_cast<int64_t>(gigabytes)), " GB/s"), PlotKind::kLine, {}};
    const double knee = peak > 0 ? peak / gigabytes : 0;
    for (const double x : {least / 2, knee, most * 2}) {
      if (x < least / 2 || x > most * 2) continue;
      line.points.push_back({x, peak > 0 ? std::min(peak, gigabytes * x) : gigabytes * x, std::nullopt, line.name});
    }
    plot.series.push_back(std::move(line));
  };
  ceiling("DRAM", ceilings->dram);
  ceiling("L2", ceilings->l2);
  return plot;
}

/// Returns the samples of the best schedule's record.
absl::StatusOr<Plot> BestSamples(const ReportGroup& group) {
  const std::vector<RankedRecord> ranking = RankVerifiedOrAll(group.records);
  if (ranking.empty() || group.facts.at(ranking.front().record.id).samples == 0) {
    return InvalidArgument("no record has samples to plot");
  }
  return SamplesPlot(ranking.front().record, group.facts.at(ranking.front().record.id).histogram);
}

Plot Phases(const ReportGroup& group) {
  Plot plot;
  plot.x.title = "phase";
  plot.y.title = "seconds, all records together";
  std::vector<double> sums;
  for (const TuningRecord& record : group.records) {
    size_t i = 0;
    PhaseTimes::Fields(record.measurement.phases, [&](std::string_view name, double ms, auto&&...) {
      if (i == sums.size()) {
        sums.push_back(0);
        plot.x.categories.emplace_back(name.substr(0, name.rfind("_ms")));
      }
      sums[i++] += ms / 1000;
    });
  }
  PlotSeries bars{"phases", PlotKind::kBars, {}};
  for (size_t i = 0; i < sums.size(); ++i) bars.points.push_back({static_cast<double>(i), sums[i], std::nullopt, ""});
  plot.series.push_back(std::move(bars));
  return plot;
}

}  // namespace

absl::StatusOr<Plot> MakePlot(std::string_view name, const ReportGroup& group, const std::vector<JobRow>& jobs) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(ToAbsl(name), absl::MaxSplits(':', 1));
  const auto& [kind, of] = parts;
  absl::StatusOr<Plot> plot =
      InvalidArgument(absl::StrCat("there is no plot '", PlainText(std::string(name)), "'; give one of ", kPlotNames));
  if (kind == "convergence" && (of.empty() || of == "trial" || of == "seconds")) {
    plot = Convergence(group, jobs, of == "seconds");
  } else if (kind == "landscape") {
    plot = Landscape(group, absl::StrSplit(of, ',', absl::SkipEmpty()));
  } else if (kind == "roofline" && of.empty()) {
    plot = Roofline(group);
  } else if (kind == "samples" && of.empty()) {
    plot = BestSamples(group);
  } else if (kind == "phases" && of.empty()) {
    plot = Phases(group);
  }
  if (plot.ok()) plot->title = absl::StrCat(ToAbsl(kind), ": ", GroupText(group));
  return plot;
}

Plot SamplesPlot(const TuningRecord& record, const SampleHistogram& histogram) {
  Plot plot;
  plot.title = RecordLabel(record);
  plot.x.title = "time, from";
  plot.y.title = "samples";
  PlotSeries bars{plot.title, PlotKind::kBars, {}};
  for (size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    const double start = histogram.BinStart(bin);
    plot.x.categories.push_back(start > 0 ? TimeText(start) : "0 ns");
    bars.points.push_back({static_cast<double>(bin), static_cast<double>(histogram.counts[bin]), std::nullopt,
                           bin + 1 == histogram.counts.size() && histogram.open ? "and more" : ""});
  }
  plot.series.push_back(std::move(bars));
  return plot;
}

std::vector<std::string> LandscapeNames(const ReportGroup& group, size_t most) {
  std::vector<Pair> pairs = PairsByEffect(group);
  const std::vector<const TuningRecord*> valid = ValidRecords(group);
  const auto first = std::find_if(pairs.begin(), pairs.end(),
                                  [&](const Pair& pair) { return !DependOnEachOther(group, valid, pair); });
  if (first != pairs.end()) std::rotate(pairs.begin(), first, first + 1);
  std::vector<std::string> names;
  for (const Pair& pair : pairs) {
    if (names.size() < most) names.push_back(absl::StrCat("landscape:", pair.first, ",", pair.second));
  }
  return names;
}

std::optional<Ceilings> CeilingsOf(const ReportGroup& group) {
  if (group.device.kind != DeviceKind::kCuda) return std::nullopt;
  const DeviceRates rates = RatesOf(group.device);
  return Ceilings{PeakGflops(group.device, group.problem.dtype, group.problem.math), rates.dramBytesPerSecond / 1e9,
                  rates.l2Bytes * rates.multiprocessors * rates.clocksPerSecond / 1e9};
}

}  // namespace mmtune
