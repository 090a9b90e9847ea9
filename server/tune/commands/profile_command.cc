// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/profile_command.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "server/tune/commands/commands.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"
#include "server/tune/session/local_worker.h"

namespace mmtune {
namespace {

std::string Percent(double share) { return Fixed(100 * share, 1); }
std::string Count(double value) { return Grouped(std::llround(value)); }
std::string Bytes(double value) { return BytesText(std::llround(value)); }

/// The text of a profile, in a style.
struct Page {
  TableStyle style;
  std::string text;
};

void Line(Page* page, const std::string& name, const std::string& value) {
  constexpr size_t kIndent = 18;
  LabelledLines line(kIndent, page->style.markdown ? 0 : page->style.width);
  line.Add(absl::StrCat(page->style.markdown ? "- " : "  ", name), value);
  absl::StrAppend(&page->text, AroundTables(line.text(), page->style));
}

void Section(Page* page, const std::string& heading) {
  absl::StrAppend(&page->text, AroundTables(absl::StrCat("\n", heading, "\n"), page->style));
}

/// Appends the table, indented by two spaces where it is aligned text.
void Append(Page* page, const Table& table) {
  TableStyle style = page->style;
  if (style.csv) {
    absl::StrAppend(&page->text, page->text.empty() ? "" : "\n", table.Text(style));
    return;
  }
  if (style.markdown) {
    absl::StrAppend(&page->text, table.Text(style));
    return;
  }
  style.width -= std::min<size_t>(style.width, 2);
  for (const absl::string_view line : absl::StrSplit(table.Text(style), '\n', absl::SkipEmpty())) {
    absl::StrAppend(&page->text, "  ", line, "\n");
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

/// Returns the problems that were run: all, or the first and the last of many.
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

void AddOccupancy(Page* page, const ProfiledOccupancy& occupancy) {
  Section(page, "Occupancy");
  const std::string spilled = occupancy.spill_bytes < 0 ? "" : absl::StrCat(", ", occupancy.spill_bytes, " B spilled");
  Line(page, "block",
       absl::StrCat(occupancy.threads, " threads, ", occupancy.registers, " registers",
                    occupancy.registers_estimated ? " (estimated)" : "", spilled, ", ",
                    BytesText(occupancy.shared_bytes), " shared"));
  Line(page, "resident",
       absl::StrCat(occupancy.resident_blocks, " blocks, ", Percent(occupancy.warps_share),
                    " % of the warps; limited by ", occupancy.limit));
  Line(page, "waves",
       absl::StrCat(Fixed(occupancy.waves, DecimalsFor(occupancy.waves)), " (", Grouped(occupancy.blocks), " blocks); ",
                    Percent(occupancy.spread), " % of an even spread"));
}

void AddLoop(Page* page, const ProfiledLoop& loop, bool counted) {
  const double multiplying = static_cast<double>(loop.multiplying) / static_cast<double>(loop.instructions);
  const double bytes = static_cast<double>(loop.shared_read_bytes) / static_cast<double>(loop.multiply_adds);
  Section(page, "Hot loop (machine code, of a warp)");
  Line(page, "instructions",
       absl::StrCat(Grouped(loop.instructions), " in ", BytesText(loop.code_bytes), ", ", Percent(multiplying),
                    " % multiply"));
  const std::string wavefronts =
      counted ? absl::StrCat(Fixed(loop.wavefronts, 1), " wavefronts") : "wavefronts not counted";
  Line(page, "shared memory", absl::StrCat(Fixed(bytes, 3), " B read per multiply-add, ", wavefronts));
  Line(page, "control bits",
       absl::StrCat(Grouped(loop.stalls), " stall cycles, ", loop.yields, " yields, ", loop.scoreboard_waits,
                    " scoreboard waits, ", loop.reused_operands, " operands reused"));
  Line(page, "register banks", absl::StrCat(loop.register_bank_conflicts, " conflicts"));
  if (loop.local_accesses > 0) Line(page, "spills", absl::StrCat(loop.local_accesses, " accesses of local memory"));
  Table table({{"instruction", Align::kLeft}, {"count"}, {"share [%]"}});
  for (const InstructionCount& row : loop.mix) {
    const double share = static_cast<double>(row.count) / static_cast<double>(loop.instructions);
    table.AddRow({row.name, Grouped(row.count), Percent(share)});
  }
  Append(page, table);
}

/// The wavefronts of a kernel without shared memory are those of L1.
void AddTimes(Page* page, const ProfiledBounds& bounds, bool has_shared_memory) {
  Section(page, absl::StrCat("Times (modelled: ", Fixed(bounds.board_multiprocessors, 0), " multiprocessors at ",
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
  Append(page, table);
}

std::string WidthText(const ProfiledPoint& point) {
  return point.lane_bytes > 0 ? absl::StrCat(point.lane_bytes) : "-";
}

/// Appends the accesses to one memory, in `unit`s.
void AddMemory(Page* page, const ProfiledCounters& counters, const std::string& memory, const std::string& unit) {
  const std::vector<Column> columns = {{"program point", Align::kLeft},
                                       {"access", Align::kLeft},
                                       {"B per lane"},
                                       {"accesses"},
                                       {absl::StrCat(unit, " each")},
                                       {"ideal"},
                                       {"excess [%]"},
                                       {"bytes"}};
  Table table(columns);
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
  Section(page, absl::StrCat(memory == "shared" ? "Shared" : "Global", " memory (counted, of warps)"));
  Append(page, table);
}

void AddControl(Page* page, const ProfiledCounters& counters) {
  Table table({{"program point", Align::kLeft}, {"", Align::kLeft}, {"executions"}, {"divergent [%]"}});
  for (const ProfiledPoint& point : counters.points) {
    if (point.kind != "barrier" && point.kind != "branch") continue;
    const bool branch = point.kind == "branch";
    table.AddRow({point.location, point.kind, Count(point.executions),
                  branch && point.executions > 0 ? Percent(point.divergent / point.executions) : "-"});
  }
  if (table.empty()) return;
  Section(page, "Barriers and branches (counted, of warps)");
  Append(page, table);
}

/// Returns the request: the model is of the GPU of the record, or else of a typical board of the architecture.
absl::StatusOr<ProfileRequest> Choose(const ProfileOptions& options) {
  ASSIGN_OR_RETURN(const ChosenSchedule chosen, ChooseSchedule(options, /*required=*/false, /*prefer_simt=*/false));
  const std::optional<TuningRecord>& record = chosen.record;
  ProfileRequest request;
  request.problem = chosen.problem;
  const std::string arch = !options.arch.empty() ? options.arch : record ? record->device.arch : kDefaultProfileArch;
  if (record && record->device.kind == DeviceKind::kCuda && record->device.arch == arch) {
    request.device = record->device;
  } else {
    ASSIGN_OR_RETURN(request.device, ArchitectureLimits(arch));
    request.device.kind = DeviceKind::kCuda;
    request.device.multiprocessors = static_cast<int64_t>(RatesOf(request.device).multiprocessors);
  }
  if (chosen.schedule) {
    request.schedule = *chosen.schedule;
  } else {
    ASSIGN_OR_RETURN(request.schedule, DefaultSchedule(request.problem, request.device));
  }
  absl::Status valid = ValidateSchedule(request.problem, request.schedule, request.device);
  if (!valid.ok()) return valid;
  return request;
}

}  // namespace

std::string ProfileText(const ProfileRequest& request, const KernelProfile& profile, const TableStyle& style) {
  const std::string head =
      absl::StrCat(ProblemText(request.problem), ", ", profile.arch, "\n", PlainText(request.schedule.Text()), "\n\n");
  Page page = {style, AroundTables(head, style)};
  Line(&page, "bound", BoundText(profile.bounds));
  if (profile.model) {
    Line(&page, "hot loop", ModelText(*profile.model));
    Line(&page, "limits", LimitsText(*profile.model));
    Line(&page, "issue slots", SlotsText(*profile.model));
  }
  for (const std::string& missing : profile.missing) Line(&page, "missing", missing);
  for (const std::string& warning : profile.warnings) Line(&page, "ptxas", warning);
  AddOccupancy(&page, profile.occupancy);
  AddTimes(&page, profile.bounds, profile.occupancy.shared_bytes > 0);
  if (profile.loop) AddLoop(&page, *profile.loop, profile.counters.has_value());
  if (profile.counters) {
    AddMemory(&page, *profile.counters, "shared", "wavefronts");
    AddMemory(&page, *profile.counters, "global", "sectors");
    AddControl(&page, *profile.counters);
  }
  if (style.csv) return page.text;
  if (profile.counters) {
    absl::StrAppend(&page.text, "\ncounted on the SIMT device at ", RunText(profile.counters->run),
                    profile.counters->extrapolated ? ", and from these at the size of the problem\n" : "\n",
                    profile.counters->whole_tiles
                        ? "counted with whole tiles in place of stream-k's shares: partial sums are not among the "
                          "counters\n"
                        : "");
  } else {
    absl::StrAppend(&page.text, "\n");
  }
  absl::StrAppend(&page.text,
                  "no GPU has run this: times and shares of peak are a model's, good to some points "
                  "(docs/profile.md)\n");
  return page.text;
}

std::string ProfileJson(const ProfileRequest& request, const KernelProfile& profile) {
  nlohmann::json json = ToJson(profile);
  json["problem"] = ToJson(request.problem);
  json["schedule"] = ToJson(request.schedule);
  return Dump(json);
}

absl::StatusOr<ExitCode> RunProfileCommand(const ProfileOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const ProfileRequest request, Choose(options));
  ASSIGN_OR_RETURN(const std::optional<std::string> text,
                   AskWorker({"--profile-request", ProfileRequestToJson(request)}, console));
  if (!text) return ExitCode::kInterrupted;
  ASSIGN_OR_RETURN(const KernelProfile profile, KernelProfileFromJson(*text));
  const bool json = options.format == OutputFormat::kJson;
  console.out << (json ? PrintableJson(ProfileJson(request, profile)) + "\n"
                       : ProfileText(request, profile, console.tables))
              << std::flush;
  return ExitCode::kOk;
}

void AddProfileCommand(Commands& commands, CLI::App& app) {
  ProfileOptions& options = commands.Keep<ProfileOptions>();
  CLI::App& profile =
      commands.AddParent(app, "profile", "Say what holds one schedule back, as a profiler would, without a GPU");
  CLI::App& command =
      commands.Add(profile, "matmul", "Profile a schedule of a matrix multiplication", RunProfileCommand, options);
  command.footer(
      "Counts are of the SIMT device, instructions of the machine code (with ptxas and nvdisasm), times and shares "
      "of peak those of a model.\n\n"
      "Examples:\n"
      "  tune profile matmul 4096x4096x4096 --arch sm_90\n"
      "  tune profile matmul 4096x4096x4096 --arch sm_90 --best --log tuning.db --json\n");
  AddArch(command, options.arch, absl::StrCat("that of the record, else ", kDefaultProfileArch));
  commands.AddFormats(command, options.format, kSeveralTables);
  AddScheduleOptions(command, options, "the default one");
}

}  // namespace mmtune
