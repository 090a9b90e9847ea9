// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_table.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/report/noise.h"
#include "server/tune/report/schedule_text.h"

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

/// Returns "12" or "1.5" KiB; "-" for an unknown number of bytes.
std::string KibibytesText(int64_t bytes) {
  return bytes < 0 ? "-" : Number(static_cast<double>(bytes) / 1024, bytes % 1024 == 0 ? 0 : 1);
}

std::string Known(int64_t value) { return value < 0 ? "-" : Grouped(value); }

std::string PercentText(const std::optional<double>& percent) { return percent ? Number(*percent, 1) : "-"; }

/// Returns the comparison that places the record beside the reference; null if there is none.
const Comparison* ComparisonWith(const Schedule& reference, const TuningRecord& record) {
  const std::optional<Comparison>& comparison = record.measurement.conditions.comparison;
  return comparison && comparison->reference == reference ? &*comparison : nullptr;
}

/// Returns "+2.1  ", or nothing if the record was not compared: a lone "-" would read as "faster".
std::string PairedText(const TuningRecord& record, const Schedule& reference) {
  if (record.schedule == reference) return "0.0  ";
  const Comparison* comparison = ComparisonWith(reference, record);
  if (comparison == nullptr) return "";
  return absl::StrFormat("%+.1f%s", 100 * (comparison->ratio - 1), comparison->Tied() ? " =" : "  ");
}

bool InDoubt(const TuningRecord& record) { return !DeviceFinding(record).empty(); }

/// Returns "!", "unverified", both, or nothing.
std::string MarksOf(const TuningRecord& record) {
  const bool verified = IsVerified(record.measurement.verification);
  return absl::StrCat(InDoubt(record) ? "!" : "", InDoubt(record) && !verified ? " " : "",
                      verified ? "" : "unverified");
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

ScheduleColumns::ScheduleColumns(const std::vector<TuningRecord>& records)
    : records_(records), differences_(DifferencesOf(records)) {
  double best_ns = 0, best_gflops = 0;
  for (const TuningRecord& record : records) {
    const Measurement& measured = record.measurement;
    any_wide_ |= measured.outcome == Outcome::kOk && IsWide(measured.timing);
    if (record.Gflops() <= best_gflops) continue;
    best_ns = measured.timing.median_ns;
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
  return {{"GFLOP/s"},
          {"% cuBLAS", Align::kRight, 2, LeaveOut::kIfEmpty},
          {"% peak", Align::kRight, 5, LeaveOut::kIfEmpty},
          {any_wide_ ? "+/- [%]  " : "+/- [%]", Align::kRight, 3, LeaveOut::kIfEmpty},
          {absl::StrCat("time [", ToAbsl(unit_name_), "]"), Align::kRight, 4},
          {"block tile", Align::kRight, 0, LeaveOut::kIfEmptyOrAlike},
          {"threads", Align::kRight, 8, LeaveOut::kIfEmptyOrAlike},
          {"shared [KiB]", Align::kRight, 7, LeaveOut::kIfEmptyOrAlike},
          {"registers", Align::kRight, 6, LeaveOut::kIfEmptyOrAlike},
          {"differs in", Align::kLeft, 0, LeaveOut::kIfEmptyOrAlike}};
}

std::string ScheduleColumns::SpreadCell(const Measurement& measured) const {
  const std::string spread = measured.outcome == Outcome::kOk ? SpreadText(measured.timing) : "-";
  if (!any_wide_) return spread;
  return absl::StrCat(spread, spread != "-" && IsWide(measured.timing) ? " ~" : "  ");
}

std::vector<std::string> ScheduleColumns::Cells(size_t index) const {
  const TuningRecord& record = records_[index];
  const Measurement& measured = record.measurement;
  const bool ok = measured.outcome == Outcome::kOk;
  return {ok ? Number(record.Gflops(), gflops_decimals_) : std::string(OutcomeName(measured.outcome)),
          PercentText(PercentOfBaseline(record)),
          PercentText(PercentOfPeak(record)),
          SpreadCell(measured),
          ok ? Number(measured.timing.median_ns / unit_ns_, time_decimals_) : "-",
          WordsOf(record).blockTile,
          measured.resources.threads > 0 ? absl::StrCat(measured.resources.threads) : "-",
          KibibytesText(measured.resources.shared_bytes),
          Known(measured.resources.registers),
          differences_[index]};
}

Table RankedTable(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference) {
  const ScheduleColumns columns(records);
  std::vector<Column> headings = columns.Headings();
  headings.insert(headings.end() - 1, Column{"", Align::kLeft, 0, LeaveOut::kIfEmpty});  // for the marks
  const auto at = [](auto& cells) { return cells.begin() + ScheduleColumns::kAfterTime; };
  if (reference) headings.insert(at(headings), Column{"vs reference [%]", Align::kRight, 1});
  headings.insert(headings.begin(), Column{"rank"});
  Table table(std::move(headings));
  for (size_t i = 0; i < records.size(); ++i) {
    std::vector<std::string> cells = columns.Cells(i);
    cells.insert(cells.end() - 1, MarksOf(records[i]));
    if (reference) cells.insert(at(cells), PairedText(records[i], *reference));
    cells.insert(cells.begin(), absl::StrCat(i + 1));
    table.AddRow(std::move(cells), i == 0 ? Paint::kBold : Paint::kNone);
    const Comparison* comparison = reference ? ComparisonWith(*reference, records[i]) : nullptr;
    if (comparison != nullptr && !comparison->Tied() && comparison->ratio > 1) {
      table.PaintCell(1 + ScheduleColumns::kAfterTime, Paint::kRed);
    }
  }
  return table;
}

std::string RankedText(const std::vector<TuningRecord>& records, const std::optional<Schedule>& reference,
                       const TableStyle& style) {
  std::string marks;
  const auto explain = [&](auto has, std::string_view text) {
    if (!std::any_of(records.begin(), records.end(), has)) return;
    for (const std::string& line : WrapText(text, style.width)) absl::StrAppend(&marks, line, "\n");
  };
  const auto any = [](const TuningRecord&) { return true; };
  if (reference) {
    const bool all_compared = std::all_of(records.begin(), records.end(), [&](const TuningRecord& record) {
      return record.schedule == *reference || ComparisonWith(*reference, record) != nullptr;
    });
    explain(any, absl::StrCat("vs reference: time compared with the row at 0.0; - faster, + slower, = tied (cannot be "
                              "told apart)",
                              all_compared ? "" : ", empty: not compared"));
  }
  explain([](const TuningRecord& record) { return record.measurement.Timed() && IsWide(record.measurement.timing); },
          WideSpreadNote());
  explain(InDoubt, "! timed while the device was in doubt: tune records show says why");
  explain([](const TuningRecord& record) { return !IsVerified(record.measurement.verification); },
          "unverified: timed without verification; tune records show says why");
  if (records.size() > 1) {
    explain(any, "differs in: row 1 has every parameter in which rows differ; the others what is unlike row 1");
  }
  const std::string table = RankedTable(records, reference).Text(style);
  return absl::StrCat(table, marks.empty() ? "" : AsLines(marks, style));
}

}  // namespace mmtune
