// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_table.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// Returns the latest record with a baseline, or null.
const TuningRecord* LatestWithBaseline(const std::vector<TuningRecord>& records) {
  const TuningRecord* latest = nullptr;
  for (const TuningRecord& record : records) {
    if (!PercentOfBaseline(record)) continue;
    if (latest == nullptr || record.unix_millis > latest->unix_millis) latest = &record;
  }
  return latest;
}

std::string ReasonOf(const std::vector<TuningRecord>& records) {
  for (const TuningRecord& record : records) {
    if (const std::string& reason = record.measurement.conditions.baseline.reason; !reason.empty()) return reason;
  }
  return "the records have none";
}

double BaselineGflops(const TuningRecord& record) {
  return record.problem.Flops() / record.measurement.conditions.baseline.median_ns;
}

std::string SpeedText(double gflops) {
  if (gflops >= 1000) return absl::StrCat(Fixed(gflops / 1000, 1), " TFLOPS");
  return absl::StrCat(Fixed(gflops, DecimalsFor(gflops)), " GFLOPS");
}

std::string Known(int64_t value) { return value < 0 ? "-" : absl::StrCat(value); }

/// Position of the column of the comparison, before the block tile.
constexpr int kAfterTime = 3;

std::string PairedText(const TuningRecord& record, const Schedule& reference) {
  if (record.schedule == reference) return "0.0  ";
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  if (!comparison || !(comparison->reference == reference)) return "-  ";
  return absl::StrFormat("%+.1f%s", 100 * (comparison->ratio - 1), comparison->Tied() ? " =" : "  ");
}

bool InDoubt(const TuningRecord& record) {
  const Conditions& conditions = record.measurement.conditions;
  return !conditions.health.finding.empty() || (conditions.comparison && !conditions.comparison->finding.empty());
}

/// Returns "!", "unverified", both, or nothing.
std::string MarksOf(const TuningRecord& record) {
  const bool verified = IsVerified(record.measurement.verification);
  return absl::StrCat(InDoubt(record) ? "!" : "", InDoubt(record) && !verified ? " " : "",
                      verified ? "" : "unverified");
}

/// A column that is shown if a row has a value for it.
struct OptionalColumn {
  std::string_view heading;
  std::optional<double> (*value)(const TuningRecord&);
};
constexpr OptionalColumn kOptionalColumns[] = {{"% cuBLAS", PercentOfBaseline}, {"% peak", PercentOfPeak}};
constexpr int kOptionalAt = 2;  // behind the GFLOPS

std::vector<OptionalColumn> ColumnsKnownOf(const std::vector<TuningRecord>& records) {
  std::vector<OptionalColumn> known;
  for (const OptionalColumn& column : kOptionalColumns) {
    if (std::any_of(records.begin(), records.end(), [&](const auto& r) { return column.value(r).has_value(); })) {
      known.push_back(column);
    }
  }
  return known;
}

}  // namespace

std::string BaselineText(const std::vector<TuningRecord>& records) {
  const TuningRecord* record = LatestWithBaseline(records);
  if (record == nullptr) return absl::StrCat("none (", PlainText(ReasonOf(records)), ")");
  const Baseline& baseline = record->measurement.conditions.baseline;
  return absl::StrCat(PlainText(baseline.name), ": ", SpeedText(BaselineGflops(*record)),
                      absl::StrFormat(", drift %+.1f %%", 100 * baseline.drift));
}

nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records) {
  const TuningRecord* record = LatestWithBaseline(records);
  if (record == nullptr) return {{"reason", ReasonOf(records)}};
  const Baseline& baseline = record->measurement.conditions.baseline;
  return {{"library", baseline.name},    {"median_ns", baseline.median_ns},   {"low_ns", baseline.low_ns},
          {"high_ns", baseline.high_ns}, {"gflops", BaselineGflops(*record)}, {"drift", baseline.drift}};
}

void CountSkipped(const TuningRecord& record, SkippedBounds& bounds) {
  const Measurement& measured = record.measurement;
  if (measured.outcome != Outcome::kSkipped) return;
  if (measured.timing.low_ns == 0) {  // no bound has said that it cannot be as fast
    ++bounds[kNotChosen];
    return;
  }
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  const RuntimeLowerBound least =
      geometry.ok() ? RuntimeLowerBoundOf(record.problem, *geometry, record.device, measured.resources)
                    : RuntimeLowerBound();
  ++bounds[least.bound.empty() ? "a bound that this program does not know" : least.bound];
}

std::string SkippedBoundsText(const SkippedBounds& bounds) {
  std::vector<std::string> parts;
  for (const auto& [bound, count] : bounds) {
    if (bound != kNotChosen) parts.push_back(absl::StrCat(count, " by ", bound));
  }
  return absl::StrJoin(parts, ", ");
}

std::string NotChosenText(const SkippedBounds& bounds) {
  const auto found = bounds.find(kNotChosen);
  return found == bounds.end() ? "" : absl::StrCat(found->second, " more, to choose by registers and spills");
}

ScheduleLabels WordsOf(const TuningRecord& record) {
  const auto geometry = DescribeSchedule(record.problem, record.schedule);
  return geometry.ok() ? geometry->labels : ScheduleLabels();
}

ScheduleColumns::ScheduleColumns(const std::vector<TuningRecord>& records) {
  double best_ns = 0, best_gflops = 0;
  for (const TuningRecord& record : records) {
    const double ns = record.measurement.timing.median_ns;
    if (record.Gflops() <= best_gflops) continue;
    best_ns = ns;
    best_gflops = record.Gflops();
  }
  if (best_ns <= 0) return;
  const TimeUnit unit = TimeUnitFor(best_ns);
  unit_name_ = unit.name;
  unit_ns_ = unit.nanoseconds;
  time_decimals_ = DecimalsFor(best_ns / unit_ns_);
  gflops_decimals_ = DecimalsFor(best_gflops);
}

std::vector<Column> ScheduleColumns::Headings() const {
  return {{"GFLOPS"},
          {"+/- [%]", Align::kRight, 2},
          {absl::StrCat("time [", absl::string_view(unit_name_.data(), unit_name_.size()), "]")},
          {"block tile", Align::kRight, 1},
          {"threads", Align::kRight, 6},
          {"thread tile", Align::kRight, 5},
          {"stages", Align::kRight, 7},
          {"split-k", Align::kRight, 8},
          {"shared [B]", Align::kRight, 10},
          {"registers", Align::kRight, 9}};
}

std::vector<std::string> ScheduleColumns::Cells(const TuningRecord& record) const {
  const Measurement& measured = record.measurement;
  const bool ok = measured.outcome == Outcome::kOk;
  const ScheduleLabels words = WordsOf(record);
  return {ok ? Fixed(record.Gflops(), gflops_decimals_) : std::string(OutcomeName(measured.outcome)),
          ok ? SpreadText(measured.timing) : "-",
          ok ? Fixed(measured.timing.median_ns / unit_ns_, time_decimals_) : "-",
          words.blockTile,
          measured.resources.threads > 0 ? absl::StrCat(measured.resources.threads) : "-",
          words.threadTile,
          words.stages,
          words.splitK,
          Known(measured.resources.shared_bytes),
          Known(measured.resources.registers)};
}

Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference) {
  const ScheduleColumns columns(records);
  std::vector<Column> headings = columns.Headings();
  if (reference) headings.insert(headings.begin() + kAfterTime, Column{"vs reference [%]", Align::kRight, 3});
  headings.insert(headings.begin(), Column{"rank"});
  const std::vector<OptionalColumn> known = ColumnsKnownOf(records);
  for (size_t i = 0; i < known.size(); ++i) {
    headings.insert(headings.begin() + kOptionalAt + static_cast<int>(i),
                    Column{std::string(known[i].heading), Align::kRight, 4});
  }
  const bool marked = std::any_of(records.begin(), records.end(), [](const auto& r) { return !MarksOf(r).empty(); });
  if (marked) headings.push_back({"", Align::kLeft});
  Table table(std::move(headings));
  for (size_t i = 0; i < records.size(); ++i) {
    std::vector<std::string> cells = columns.Cells(records[i]);
    if (reference) cells.insert(cells.begin() + kAfterTime, PairedText(records[i], *reference));
    cells.insert(cells.begin(), absl::StrCat(i + 1));
    for (size_t column = 0; column < known.size(); ++column) {
      const std::optional<double> percent = known[column].value(records[i]);
      cells.insert(cells.begin() + kOptionalAt + static_cast<int>(column), percent ? Fixed(*percent, 1) : "-");
    }
    cells.push_back(MarksOf(records[i]));
    table.AddRow(std::move(cells));
  }
  return table;
}

std::string RankedText(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference,
                       size_t width) {
  std::string text = RankedTable(records, reference).Text(width);
  if (std::any_of(records.begin(), records.end(), InDoubt)) {
    text += "! timed while the device was in doubt: tune records show says why\n";
  }
  if (std::any_of(records.begin(), records.end(),
                  [](const auto& r) { return !IsVerified(r.measurement.verification); })) {
    text += "unverified: timed without verification; tune records show says why\n";
  }
  return text;
}

}  // namespace mmtune
