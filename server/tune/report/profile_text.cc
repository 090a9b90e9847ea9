// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/profile_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

std::string Percent(double share) { return Fixed(100 * share, 1); }
std::string Count(double value) { return Grouped(std::llround(value)); }
std::string Bytes(double value) { return BytesText(std::llround(value)); }

void Line(std::string* text, const std::string& name, const std::string& value) {
  absl::StrAppend(text, "  ", name, std::string(name.size() < 16 ? 16 - name.size() : 1, ' '), PlainText(value), "\n");
}

void Section(std::string* text, const std::string& heading) { absl::StrAppend(text, "\n", heading, "\n"); }

/// The table, two spaces in.
void Append(std::string* text, const Table& table) {
  for (const absl::string_view line : absl::StrSplit(table.Text(), '\n', absl::SkipEmpty())) {
    absl::StrAppend(text, "  ", line, "\n");
  }
}

std::string BoundText(const ProfiledBounds& bounds) {
  return absl::StrCat(bounds.bound, "; ", Percent(bounds.share_of_peak), " % of peak, modelled");
}

std::string ModelText(const ModelledLoop& model) {
  return absl::StrCat(Percent(model.share), " % of peak (", Percent(model.lowest), " to ", Percent(model.highest),
                      " by the order of warps)");
}

std::string LimitsText(const ModelledLoop& model) {
  return absl::StrCat("issue slots ", Percent(model.issue_limit), " %, ALU ", Percent(model.alu_limit),
                      " %, shared memory ", Percent(model.shared_limit), " % of peak");
}

/// The problems that were run; of many the first and the last.
std::string RunText(const std::vector<std::string>& run) {
  constexpr size_t kMany = 3;
  if (run.size() <= kMany) return absl::StrJoin(run, ", ");
  return absl::StrCat(run.size(), " sizes from ", run.front(), " to ", run.back());
}

std::string SlotsText(const ModelledLoop& model) {
  std::string text = absl::StrCat(Percent(model.issued), " % of cycles issue");
  for (const NamedShare& idle : model.idle) {
    if (idle.share >= 0.0005) absl::StrAppend(&text, ", ", idle.name, " ", Percent(idle.share), " %");
  }
  return text;
}

void AddOccupancy(std::string* text, const ProfiledOccupancy& occupancy) {
  Section(text, "Occupancy");
  const std::string spilled = occupancy.spill_bytes < 0 ? "" : absl::StrCat(", ", occupancy.spill_bytes, " B spilled");
  Line(text, "block",
       absl::StrCat(occupancy.threads, " threads, ", occupancy.registers, " registers",
                    occupancy.registers_estimated ? " (estimated)" : "", spilled, ", ",
                    BytesText(occupancy.shared_bytes), " shared"));
  Line(text, "resident",
       absl::StrCat(occupancy.resident_blocks, " blocks, ", Percent(occupancy.warps_share),
                    " % of the warps; limited by ", occupancy.limit));
  Line(text, "waves",
       absl::StrCat(Fixed(occupancy.waves, DecimalsFor(occupancy.waves)), " (", Grouped(occupancy.blocks), " blocks); ",
                    Percent(occupancy.spread), " % of an even spread"));
}

void AddLoop(std::string* text, const ProfiledLoop& loop, bool counted) {
  const double multiplying = static_cast<double>(loop.multiplying) / static_cast<double>(loop.instructions);
  const double bytes = static_cast<double>(loop.shared_read_bytes) / static_cast<double>(loop.multiply_adds);
  Section(text, "Hot loop (machine code, of a warp)");
  Line(text, "instructions",
       absl::StrCat(Grouped(loop.instructions), " in ", BytesText(loop.code_bytes), ", ", Percent(multiplying),
                    " % multiply"));
  const std::string wavefronts =
      counted ? absl::StrCat(Fixed(loop.wavefronts, 1), " wavefronts") : "wavefronts not counted";
  Line(text, "shared memory", absl::StrCat(Fixed(bytes, 3), " B read per multiply-add, ", wavefronts));
  Line(text, "control bits",
       absl::StrCat(Grouped(loop.stalls), " stall cycles, ", loop.yields, " yields, ", loop.scoreboard_waits,
                    " scoreboard waits, ", loop.reused_operands, " operands reused"));
  Line(text, "register banks", absl::StrCat(loop.register_bank_conflicts, " conflicts"));
  if (loop.local_accesses > 0) Line(text, "spills", absl::StrCat(loop.local_accesses, " accesses of local memory"));
  Table table({{"instruction", Align::kLeft}, {"count"}, {"share [%]"}});
  for (const InstructionCount& row : loop.mix) {
    const double share = static_cast<double>(row.count) / static_cast<double>(loop.instructions);
    table.AddRow({row.name, Grouped(row.count), Percent(share)});
  }
  Append(text, table);
}

/// Of a kernel without shared memory, wavefronts are L1's.
void AddTimes(std::string* text, const ProfiledBounds& bounds, bool has_shared_memory) {
  Section(text, absl::StrCat("Times (modelled: ", Fixed(bounds.board_multiprocessors, 0), " multiprocessors at ",
                             Fixed(bounds.board_hertz / 1e9, 2), " GHz, DRAM ", Fixed(bounds.board_dram_rate / 1e9, 0),
                             " GB/s, L2 ", Fixed(bounds.board_l2_rate / 1e9, 0), " GB/s)"));
  Table table({{"part", Align::kLeft}, {"time [us]"}, {"of total [%]"}, {"", Align::kLeft}});
  auto row = [&](const char* name, double seconds, const std::string& note) {
    table.AddRow({name, Fixed(1e6 * seconds, 2), Percent(bounds.total > 0 ? seconds / bounds.total : 0), note});
  };
  row("products at peak", bounds.multiply, "");
  row("issue slots", bounds.issue, "");
  row(has_shared_memory ? "shared memory" : "L1", bounds.shared, "");
  row("L2", bounds.l2, absl::StrCat(Bytes(bounds.l2_bytes), " read and written"));
  row("DRAM", bounds.dram, absl::StrCat(Bytes(bounds.dram_bytes), ", by waves of tiles"));
  row("multiprocessors", bounds.multiprocessors,
      bounds.from_loop ? "the loop's model, by rounds of blocks" : "the family's formulas");
  row("of that, tail", bounds.tail, "");
  row("launches", bounds.others, "what clears and sums a workspace included");
  row("total", bounds.total, "");
  Append(text, table);
}

std::string WidthText(const ProfiledPoint& point) {
  return point.lane_bytes > 0 ? absl::StrCat(point.lane_bytes) : "-";
}

/// Those of one memory, in `unit`s.
void AddMemory(std::string* text, const ProfiledCounters& counters, const std::string& memory,
               const std::string& unit) {
  Table table({{"program point", Align::kLeft},
               {"access", Align::kLeft},
               {"B per lane"},
               {"accesses"},
               {absl::StrCat(unit, " each")},
               {"ideal"},
               {"excess [%]"},
               {"bytes"}});
  for (const ProfiledPoint& point : counters.points) {
    if (!absl::StartsWith(point.kind, memory)) continue;
    const double each = point.executions > 0 ? point.units / point.executions : 0;
    const double ideal = point.executions > 0 ? point.ideal / point.executions : 0;
    const bool has_units = point.lane_bytes > 0;
    table.AddRow({point.location, point.kind.substr(memory.size() + 1), WidthText(point), Count(point.executions),
                  has_units ? Fixed(each, 2) : "-", has_units ? Fixed(ideal, 2) : "-",
                  has_units && ideal > 0 ? Fixed(100 * (each / ideal - 1), 1) : "-", Bytes(point.bytes)});
  }
  if (table.empty()) return;
  Section(text, absl::StrCat(memory == "shared" ? "Shared" : "Global", " memory (counted, of warps)"));
  Append(text, table);
}

void AddControl(std::string* text, const ProfiledCounters& counters) {
  Table table({{"program point", Align::kLeft}, {"", Align::kLeft}, {"executions"}, {"divergent [%]"}});
  for (const ProfiledPoint& point : counters.points) {
    if (point.kind != "barrier" && point.kind != "branch") continue;
    const bool branch = point.kind == "branch";
    table.AddRow({point.location, point.kind, Count(point.executions),
                  branch && point.executions > 0 ? Percent(point.divergent / point.executions) : "-"});
  }
  if (table.empty()) return;
  Section(text, "Barriers and branches (counted, of warps)");
  Append(text, table);
}

}  // namespace

std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile) {
  std::string text =
      absl::StrCat(ProblemText(request.problem), ", ", profile.arch, "\n", PlainText(request.schedule.Text()), "\n\n");
  Line(&text, "bound", BoundText(profile.bounds));
  if (profile.model) {
    Line(&text, "hot loop", ModelText(*profile.model));
    Line(&text, "limits", LimitsText(*profile.model));
    Line(&text, "issue slots", SlotsText(*profile.model));
  }
  for (const std::string& missing : profile.missing) Line(&text, "missing", missing);
  AddOccupancy(&text, profile.occupancy);
  AddTimes(&text, profile.bounds, profile.occupancy.shared_bytes > 0);
  if (profile.loop) AddLoop(&text, *profile.loop, profile.counters.has_value());
  if (profile.counters) {
    AddMemory(&text, *profile.counters, "shared", "wavefronts");
    AddMemory(&text, *profile.counters, "global", "sectors");
    AddControl(&text, *profile.counters);
    absl::StrAppend(&text, "\ncounted on the SIMT device at ", RunText(profile.counters->run),
                    profile.counters->extrapolated ? ", and from these at the size of the problem\n" : "\n",
                    profile.counters->whole_tiles
                        ? "counted with whole tiles in place of stream-k's shares: partial sums are not among the "
                          "counters\n"
                        : "");
  } else {
    absl::StrAppend(&text, "\n");
  }
  absl::StrAppend(&text,
                  "no GPU has run this: times and shares of peak are a model's, good to some points "
                  "(docs/profile.md)\n");
  return text;
}

std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile) {
  nlohmann::json json = ToJson(profile);
  json["problem"] = ToJson(request.problem);
  json["schedule"] = ToJson(request.schedule);
  return Dump(json);
}

}  // namespace mmtune
