// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/explain/explain_output.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr size_t kIndent = 12;

/// "+4.1 %".
std::string CostText(double ratio) { return ratio > 0 ? absl::StrFormat("%+.1f %%", 100 * (ratio - 1)) : "-"; }

std::string HeadText(const ProblemExplanation& all, const TableStyle& style) {
  LabelledLines lines(kIndent, style.width);
  lines.Add("space", SpaceText(all.space_size));
  const std::string outcomes = absl::StrJoin(all.outcomes, ", ", [](std::string* out, const auto& outcome) {
    absl::StrAppend(out, outcome.second, " ", ToAbsl(OutcomeName(outcome.first)));
  });
  lines.Add("in the log", outcomes.empty() ? "none" : outcomes);
  if (const std::string bounds = SkippedBoundsText(all.skipped); !bounds.empty()) {
    lines.Add("skipped", absl::StrCat(bounds, ": no run could be as fast as the best of the job"));
  }
  if (const std::string more = NotChosenText(all.skipped); !more.empty()) lines.Add("compiled", more);
  if (!all.cannot_win.empty()) {
    const std::string units = absl::StrJoin(all.cannot_win, ", ", [](std::string* out, const auto& unit) {
      absl::StrAppend(out, unit.second, " by ", unit.first);
    });
    lines.Add("cannot win", absl::StrCat(units, ", of ", Grouped(all.sampled),
                                         " drawn: by the formula, that unit alone takes longer than the best time"));
  }
  if (all.device.kind == DeviceKind::kSimt) {
    lines.Add("note",
              absl::StrCat(std::string(SimtNote()), "; predictions are of a GPU of ", PlainText(all.device.arch)));
  }
  const std::string device =
      all.device_of_log ? DeviceText(all.device) : absl::StrCat("a GPU of ", all.device.arch, " (none in the log)");
  return absl::StrCat(AroundTables(absl::StrCat(ProblemText(all.problem), " on ", device, "\n\n"), style),
                      AsLines(lines.text(), style), AroundTables("\n", style));
}

/// Returns " on a GPU of sm_80" where the schedule was timed on the SIMT device, of which nothing is predicted; else
/// "".
std::string PredictedDevice(const ProblemExplanation& all) {
  return all.device.kind == DeviceKind::kSimt ? absl::StrCat(" on a GPU of ", PlainText(all.device.arch)) : "";
}

/// Returns the parts of a predicted time, each with its share of the total.
std::string PartsText(const PredictedTime& time, const TableStyle& style) {
  Table table({{"part", Align::kLeft}, {"time"}, {"of total [%]"}, {"", Align::kLeft}});
  const auto row = [&](const char* name, double seconds, const char* note) {
    table.AddRow({name, TimeText(1e9 * seconds), Fixed(time.total > 0 ? 100 * seconds / time.total : 0, 1), note});
  };
  row("multiply", time.multiply, "the FMAs of the tiles at peak, with padding");
  row("issue", time.issue, "every instruction of the loop");
  row("shared memory", time.shared, "its wavefronts");
  row("L2", time.l2, "bytes that blocks read");
  row("DRAM", time.dram, "bytes that reach device memory");
  row("latency", time.latency, "that no other work hides; added");
  row("tail", time.tail, absl::StrCat("of ", Fixed(time.waves, 2), " waves; added").c_str());
  row("others", time.others, "launches, and sums of a workspace; added");
  row("total", time.total, "units run at once, and disturb one another");
  return table.Text(style);
}

std::string SpillText(int64_t bytes) {
  return bytes < 0 ? "spills unknown" : bytes == 0 ? "no spills" : absl::StrCat(Grouped(bytes), " B of spills");
}

/// Returns what is known and predicted of the schedule, before the table of the parts of its time.
std::string ScheduleLines(const ProblemExplanation& all, const TableStyle& style) {
  const ScheduleExplanation& one = all.schedule;
  LabelledLines lines(kIndent, style.width);
  lines.Add(all.of_best ? "best" : "schedule", one.schedule.Text());
  lines.Add("status",
            absl::StrCat(std::string(ScheduleStatusName(one.status)),
                         all.of_best && !one.record ? "; nothing was measured: the fastest that is predicted" : ""));
  for (const std::string& reason : one.reasons) lines.Add("", reason);
  if (one.status == ScheduleStatus::kMeasured) {
    lines.Add("measured", absl::StrCat(TimeText(one.record->measurement.timing.median_ns), ", record ", one.record->id,
                                       IsVerified(one.record->measurement.verification) ? "" : ", not verified"));
  }
  if (!one.roles.empty()) lines.Add("roles", one.roles);
  if (!one.sums.empty()) lines.Add("sums", one.sums);
  if (!one.predicted) return lines.text();
  if (one.of_compiled) {
    const KernelResources& real = one.record->measurement.resources;
    lines.Add("compiled", absl::StrCat(real.registers, " registers, ", Grouped(real.shared_bytes), " B shared, ",
                                       SpillText(real.spill_bytes), ": what is predicted is of these"));
  }
  const std::string device = PredictedDevice(all);
  lines.Add("predicted", absl::StrCat(TimeText(1e9 * one.predicted->total), device,
                                      device.empty() ? "" : "; bound, at least and order are predicted for it, too"));
  if (!one.bound.empty()) lines.Add("bound", one.bound);
  lines.Add("at least", absl::StrCat(TimeText(one.least_ns), ", by ", one.unit));
  if (one.slower_than >= 0) {
    lines.Add(
        "order",
        absl::StrCat(Fixed(100 * one.slower_than, 1), " % of ", Grouped(all.sampled),
                     " schedules drawn at random are predicted to be faster; a search begins with the first 10 %"));
  }
  return lines.text();
}

std::string ScheduleText(const ProblemExplanation& all, const TableStyle& style) {
  const std::string lines = AsLines(ScheduleLines(all, style), style);
  if (!all.schedule.predicted) return lines;
  const std::string device = PredictedDevice(all);
  return absl::StrCat(lines, AroundTables(absl::StrCat("\nPredicted", device, " (docs/search.md)\n"), style),
                      PartsText(*all.schedule.predicted, style));
}

std::string NeighboursText(const ProblemExplanation& all, const TableStyle& style) {
  if (all.neighbours.empty()) return "";
  Table table({{"change", Align::kLeft}, {"cost"}, {"from", Align::kLeft}, {"time"}, {"why", Align::kLeft}});
  for (const Neighbour& neighbour : all.neighbours) {
    const ScheduleExplanation& other = neighbour.explanation;
    const bool timed = other.status == ScheduleStatus::kMeasured;
    const std::string why = timed ? absl::StrCat("record ", other.record->id)
                                  : absl::StrCat(std::string(ScheduleStatusName(other.status)),
                                                 other.reasons.empty() ? "" : ": ", absl::StrJoin(other.reasons, "; "));
    table.AddRow({neighbour.change, CostText(neighbour.ratio),
                  neighbour.ratio <= 0 ? "-"
                  : neighbour.measured ? "measured"
                                       : "predicted",
                  timed ? TimeText(other.record->measurement.timing.median_ns) : "-", why});
  }
  constexpr char kHeading[] = "\nNeighbours (one parameter, one step; cost: time over that of the schedule above)\n";
  return absl::StrCat(BetweenTables(kHeading, style), table.Text(style));
}

std::string FamiliesText(const std::vector<FamilyExplanation>& families, const TableStyle& style) {
  if (families.empty()) return "";
  Table table({{"family", Align::kLeft}, {"of drawn [%]"}, {"", Align::kLeft}});
  for (const FamilyExplanation& family : families) {
    const auto percent = [&family](int64_t count) {
      return family.drawn > 0 ? Fixed(100 * static_cast<double>(count) / static_cast<double>(family.drawn), 1) : "-";
    };
    table.AddRow({family.name, percent(family.valid),
                  absl::StrCat("valid, of ", Number(family.combinations, 0), " combinations",
                               family.searched ? "" : "; searched only by jobs that name the family")});
    for (const auto& [rule, count] : family.refused) table.AddRow({"", percent(count), absl::StrCat("breaks: ", rule)});
  }
  constexpr char kHeading[] = "\nRules (combinations of the axes' values, by the first rule that each breaks)\n";
  return absl::StrCat(BetweenTables(kHeading, style), table.Text(style));
}

using Json = nlohmann::ordered_json;

/// Times in nanoseconds, as everywhere in records.
Json PredictedJson(const PredictedTime& time) {
  return {{"total_ns", 1e9 * time.total},     {"multiply_ns", 1e9 * time.multiply},
          {"issue_ns", 1e9 * time.issue},     {"shared_ns", 1e9 * time.shared},
          {"l2_ns", 1e9 * time.l2},           {"dram_ns", 1e9 * time.dram},
          {"latency_ns", 1e9 * time.latency}, {"tail_ns", 1e9 * time.tail},
          {"others_ns", 1e9 * time.others},   {"waves", time.waves}};
}

Json ScheduleJson(const ScheduleExplanation& one) {
  Json json = {{"schedule", one.schedule.Text()}, {"status", ScheduleStatusName(one.status)}, {"reasons", one.reasons}};
  if (one.record) {
    json["record"] = one.record->id;
    json["outcome"] = OutcomeName(one.record->measurement.outcome);
  }
  if (one.status == ScheduleStatus::kMeasured) {
    json["median_ns"] = one.record->measurement.timing.median_ns;
    json["verified"] = IsVerified(one.record->measurement.verification);
  }
  if (one.status == ScheduleStatus::kSkipped && one.record->measurement.timing.low_ns > 0) {
    json["skipped_least_ns"] = one.record->measurement.timing.low_ns;
  }
  if (!one.roles.empty()) json["roles"] = one.roles;
  if (!one.sums.empty()) json["sums"] = one.sums;
  if (!one.predicted) return json;
  json["predicted"] = PredictedJson(*one.predicted);
  if (one.of_compiled) {
    const KernelResources& real = one.record->measurement.resources;
    json["compiled"] = {
        {"registers", real.registers}, {"spill_bytes", real.spill_bytes}, {"shared_bytes", real.shared_bytes}};
  }
  json["bound"] = one.bound;
  json["least_ns"] = one.least_ns;
  json["least_unit"] = one.unit;
  if (one.slower_than >= 0) json["predicted_slower_than"] = one.slower_than;
  return json;
}

Json NeighbourJson(const Neighbour& neighbour) {
  Json json = {{"change", neighbour.change}};
  json["ratio"] = neighbour.ratio > 0 ? Json(neighbour.ratio) : Json();
  json["from"] = neighbour.ratio <= 0 ? Json() : Json(neighbour.measured ? "measured" : "predicted");
  json.update(ScheduleJson(neighbour.explanation));
  return json;
}

Json FamilyJson(const FamilyExplanation& family) {
  Json refused = Json::array();
  for (const auto& [rule, count] : family.refused) refused.push_back({{"rule", rule}, {"count", count}});
  return {{"family", family.name}, {"searched", family.searched}, {"combinations", family.combinations},
          {"drawn", family.drawn}, {"valid", family.valid},       {"refused", std::move(refused)}};
}

}  // namespace

std::string ExplanationText(const ProblemExplanation& explanation, const TableStyle& style) {
  const std::string text = absl::StrCat(HeadText(explanation, style), ScheduleText(explanation, style),
                                        NeighboursText(explanation, style), FamiliesText(explanation.families, style));
  return style.csv && text.starts_with('\n') ? text.substr(1) : text;  // Empty lines are between tables only.
}

std::string ExplanationJson(const ProblemExplanation& all) {
  Json outcomes = Json::object();
  for (const auto& [outcome, count] : all.outcomes) outcomes[std::string(OutcomeName(outcome))] = count;
  Json neighbours = Json::array(), families = Json::array();
  for (const Neighbour& neighbour : all.neighbours) neighbours.push_back(NeighbourJson(neighbour));
  for (const FamilyExplanation& family : all.families) families.push_back(FamilyJson(family));
  const Json json = {{"problem", ProblemText(all.problem)},
                     {"device",
                      {{"kind", DeviceKindName(all.device.kind)},
                       {"name", all.device.name},
                       {"arch", all.device.arch},
                       {"of_log", all.device_of_log}}},
                     {"space_size", all.space_size.schedules},
                     {"space_size_estimated", all.space_size.estimated},
                     {"outcomes", std::move(outcomes)},
                     {"skipped_by", all.skipped},
                     {"sampled", all.sampled},
                     {"cannot_win", all.cannot_win},
                     {"of_best", all.of_best},
                     {"schedule", ScheduleJson(all.schedule)},
                     {"neighbours", std::move(neighbours)},
                     {"families", std::move(families)}};
  return JsonText(json);
}

}  // namespace mmtune
