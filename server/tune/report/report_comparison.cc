// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_comparison.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/ranked_record.h"

namespace mmtune {
namespace {

constexpr double kOfNoMatter = 0.01;

using BySchedule = std::map<std::string, const TuningRecord*>;

/// The newest canonical record of each schedule; that it was skipped says nothing of whether it runs.
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
  if (ratio > 1 + kOfNoMatter && now.low_ns > then.high_ns) return Change::kSlower;
  if (ratio < 1 / (1 + kOfNoMatter) && now.high_ns < then.low_ns) return Change::kFaster;
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

}  // namespace

std::string_view ChangeName(Change change) {
  switch (change) {
    case Change::kBroken:
      return "broken";
    case Change::kSlower:
      return "slower";
    case Change::kSame:
      return "same";
    case Change::kFaster:
      return "faster";
    case Change::kMended:
      return "mended";
  }
  return "";
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

}  // namespace mmtune
