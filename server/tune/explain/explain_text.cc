// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "server/tune/explain/explain_output.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

std::string TimeText(double ns) {
  if (ns <= 0) return "-";
  const TimeUnit unit = TimeUnitFor(ns);
  return absl::StrCat(Fixed(ns / unit.nanoseconds, DecimalsFor(ns / unit.nanoseconds)), " ", ToAbsl(unit.name));
}

std::string Line(std::string_view name, std::string_view value) {
  return absl::StrFormat("%-12s%s\n", ToAbsl(name), PlainText(value));
}

/// "+4.1 %".
std::string CostText(double ratio) { return ratio > 0 ? absl::StrFormat("%+.1f %%", 100 * (ratio - 1)) : "-"; }

std::string HeadText(const ProblemExplanation& all) {
  std::string text = absl::StrCat(
      ProblemText(all.problem), " on ",
      all.device_of_log ? DeviceText(all.device) : absl::StrCat("a GPU of ", all.device.arch, " (none in the log)"),
      "\n\n");
  absl::StrAppend(&text, Line("space", SpaceText(all.space_size)));
  const std::string outcomes = absl::StrJoin(all.outcomes, ", ", [](std::string* out, const auto& outcome) {
    absl::StrAppend(out, outcome.second, " ", ToAbsl(OutcomeName(outcome.first)));
  });
  absl::StrAppend(&text, Line("in the log", outcomes.empty() ? "none" : outcomes));
  if (const std::string bounds = SkippedBoundsText(all.skipped); !bounds.empty()) {
    absl::StrAppend(&text, Line("skipped", absl::StrCat(bounds, ": no run could be as fast as the best of the job")));
  }
  if (const std::string more = NotChosenText(all.skipped); !more.empty()) {
    absl::StrAppend(&text, Line("compiled", more));
  }
  if (!all.cannot_win.empty()) {
    const std::string units = absl::StrJoin(all.cannot_win, ", ", [](std::string* out, const auto& unit) {
      absl::StrAppend(out, unit.second, " by ", unit.first);
    });
    absl::StrAppend(&text, Line("cannot win", absl::StrCat(units, ", of ", Grouped(all.sampled),
                                                           " drawn: by the formula, that unit alone takes longer than "
                                                           "the best time")));
  }
  if (all.device.kind == DeviceKind::kSimt) {
    absl::StrAppend(
        &text, Line("note", absl::StrCat(std::string(SimtNote()), "; predictions are of a GPU of ", all.device.arch)));
  }
  return text;
}

/// What the formula adds up, each with its share of the total.
std::string PartsText(const PredictedTime& time, size_t width) {
  Table table({{"part", Align::kLeft}, {"time"}, {"of total [%]"}, {"", Align::kLeft, 1}});
  const auto row = [&](const char* name, double seconds, const char* note) {
    table.AddRow({name, TimeText(1e9 * seconds), Fixed(time.total > 0 ? 100 * seconds / time.total : 0, 1), note});
  };
  row("multiply", time.multiply, "the products of the tiles at peak, padding too");
  row("issue", time.issue, "every instruction of the loop");
  row("shared memory", time.shared, "its wavefronts");
  row("L2", time.l2, "bytes that blocks read");
  row("DRAM", time.dram, "bytes that reach device memory");
  row("latency", time.latency, "that no other work hides; added");
  row("tail", time.tail, absl::StrCat("of ", Fixed(time.waves, 2), " waves; added").c_str());
  row("others", time.others, "launches, and sums of a workspace; added");
  row("total", time.total, "units run at once, and disturb one another");
  return table.Text(width);
}

std::string SpillText(int64_t bytes) {
  return bytes < 0 ? "spills unknown" : bytes == 0 ? "no spills" : absl::StrCat(Grouped(bytes), " B of spills");
}

std::string ScheduleText(const ProblemExplanation& all, size_t width) {
  const ScheduleExplanation& one = all.schedule;
  std::string text = Line(all.of_best ? "best" : "schedule", one.schedule.Text());
  absl::StrAppend(&text, Line("fate", absl::StrCat(std::string(FateName(one.fate)),
                                                   all.of_best && !one.record
                                                       ? "; nothing was measured: the fastest that is predicted"
                                                       : "")));
  for (const std::string& reason : one.reasons) absl::StrAppend(&text, Line("", reason));
  if (one.fate == Fate::kMeasured) {
    absl::StrAppend(&text, Line("measured", absl::StrCat(TimeText(one.record->measurement.timing.median_ns),
                                                         ", record ", one.record->id,
                                                         IsVerified(one.record->measurement.proof) ? "" : ", not proven")));
  }
  if (!one.predicted) return text;
  if (one.of_compiled) {
    const KernelResources& real = one.record->measurement.resources;
    absl::StrAppend(
        &text, Line("compiled", absl::StrCat(real.registers, " registers, ", Grouped(real.shared_bytes), " B shared, ",
                                             SpillText(real.spill_bytes), ": what is predicted is of these")));
  }
  absl::StrAppend(&text, Line("predicted", TimeText(1e9 * one.predicted->total)));
  if (!one.bound.empty()) absl::StrAppend(&text, Line("bound", one.bound));
  absl::StrAppend(&text, Line("at least", absl::StrCat(TimeText(one.least_ns), ", by ", one.unit)));
  if (one.slower_than >= 0) {
    absl::StrAppend(&text, Line("order", absl::StrCat(Fixed(100 * one.slower_than, 1), " % of ", Grouped(all.sampled),
                                                      " drawn should be faster; a search begins with the first 10 %")));
  }
  return absl::StrCat(text, "\nPredicted (docs/search.md)\n", PartsText(*one.predicted, width));
}

std::string NeighboursText(const ProblemExplanation& all, size_t width) {
  if (all.neighbours.empty()) return "";
  Table table({{"change", Align::kLeft}, {"cost"}, {"from", Align::kLeft}, {"time"}, {"why", Align::kLeft}});
  for (const Neighbour& neighbour : all.neighbours) {
    const ScheduleExplanation& other = neighbour.explanation;
    const bool timed = other.fate == Fate::kMeasured;
    const std::string why = timed ? absl::StrCat("record ", other.record->id)
                                  : absl::StrCat(std::string(FateName(other.fate)), other.reasons.empty() ? "" : ": ",
                                                 absl::StrJoin(other.reasons, "; "));
    table.AddRow({neighbour.change, CostText(neighbour.ratio),
                  neighbour.ratio <= 0 ? "-"
                  : neighbour.measured ? "measured"
                                       : "predicted",
                  timed ? TimeText(other.record->measurement.timing.median_ns) : "-", why});
  }
  return absl::StrCat("\nNeighbours (one parameter, one step; cost: time over that of the schedule above)\n",
                      table.Text(width));
}

std::string FamiliesText(const std::vector<FamilyExplanation>& families, size_t width) {
  if (families.empty()) return "";
  Table table({{"family", Align::kLeft}, {"of drawn [%]"}, {"", Align::kLeft}});
  for (const FamilyExplanation& family : families) {
    const auto percent = [&family](int64_t count) {
      return family.drawn > 0 ? Fixed(100 * static_cast<double>(count) / static_cast<double>(family.drawn), 1) : "-";
    };
    table.AddRow({family.name, percent(family.valid),
                  absl::StrCat("valid, of ", absl::StrFormat("%.3g", family.combinations), " combinations",
                               family.searched ? "" : "; searched only by jobs that name the family")});
    for (const auto& [rule, count] : family.refused) table.AddRow({"", percent(count), absl::StrCat("breaks: ", rule)});
  }
  return absl::StrCat("\nRules (combinations of the axes' values, by the first rule that each breaks)\n",
                      table.Text(width));
}

}  // namespace

std::string ExplanationText(const ProblemExplanation& explanation, size_t width) {
  return absl::StrCat(HeadText(explanation), "\n", ScheduleText(explanation, width), NeighboursText(explanation, width),
                      FamiliesText(explanation.families, width));
}

}  // namespace mmtune
