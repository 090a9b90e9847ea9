// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune report`: what a log says, as one page for a browser, or one plot of it.
#include "server/tune/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "proto/command_line/suggestion.h"
#include "server/tune/commands/options.h"
#include "server/tune/commands/records_source.h"
#include "server/tune/report/format.h"
#include "server/tune/report/report_page.h"
#include "server/tune/report/report_plots.h"
#include "server/tune/report/report_records.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

struct ReportOptions {
  RecordsOptions records;  ///< Which records, where the page goes ("-" is standard output), and whether it may replace.
  std::string against;     ///< Another log to compare with; empty: none.
  /// The plot to write in place of the page (report_plots.h), as a drawing or a table; "" is the first one.
  std::string plot;
  bool svg = false;
  bool csv = false;
};

/// The largest number of records of a page: they make some 10 MB.
constexpr size_t kMostRecords = 10'000;

/// The content of a log.
struct LogContent {
  ChosenRecords records;
  std::vector<JobRow> jobs;  ///< The jobs of the records.
};

/// Returns those jobs of the records that the log has. Keeps only the first of the schedules that a job names.
absl::StatusOr<std::vector<JobRow>> ReadJobs(TuningLogReader& log, const ChosenRecords& records) {
  std::set<std::string> uuids;
  for (const ReportGroup& group : records.groups) {
    for (const TuningRecord& record : group.records) uuids.insert(record.job_uuid);
  }
  std::vector<JobRow> jobs;
  for (const std::string& uuid : uuids) {
    ASSIGN_OR_RETURN(std::optional<JobRow> job, log.FindJob(uuid));
    if (!job) continue;
    v1::JobSpec spec;
    if (spec.ParseFromString(job->spec) && spec.schedules_size() > 1) {
      spec.mutable_schedules()->DeleteSubrange(1, spec.schedules_size() - 1);
      job->spec = spec.SerializeAsString();
    }
    jobs.push_back(*std::move(job));
  }
  return jobs;
}

/// Errors have exit code kLog, or kNoResult if no record passes.
absl::StatusOr<LogContent> ReadLog(const std::string& path, const RecordFilter& filter, const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(path));
  DamageNotes notes(*log, console);
  auto records = ChooseRecords(*log, filter, kMostRecords);
  if (!records.ok()) return ExitWith(ExitCode::kLog, records.status());
  if (records->groups.empty()) {
    ASSIGN_OR_RETURN(const std::string name, ResolveLogPath(path, /*create_folder=*/false));
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("nothing to report: no record of ", PlainText(name), " passes the filters"));
  }
  auto jobs = ReadJobs(*log, *records);
  if (!jobs.ok()) return ExitWith(ExitCode::kLog, jobs.status());
  return LogContent{*std::move(records), *std::move(jobs)};
}

/// Returns the name of the log's file or database.
absl::StatusOr<std::string> FileName(const std::string& log) {
  ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(log, /*create_folder=*/false));
  return std::filesystem::path(path.substr(0, IsLogUrl(path) ? path.find('?') : path.size())).filename().string();
}

/// Returns the record of a schedule that CompareGroups() would use.
absl::StatusOr<std::optional<TuningRecord>> NewestOf(TuningLogReader& log, const ReportGroup& group,
                                                     const Schedule& schedule) {
  constexpr int kAtOnce = 16;
  RecordFilter filter;
  filter.problem = group.problem;
  filter.schedule_digest = schedule.Digest();
  for (int64_t before = INT64_MAX;;) {
    ASSIGN_OR_RETURN(std::vector<TuningRecord> newest, log.Newest(filter, before, kAtOnce));
    for (TuningRecord& record : newest) {
      const std::string& regime = record.measurement.timing.regime;
      before = record.id;
      if (record.measurement.outcome != Outcome::kSkipped && record.device.ClassKey() == group.device.ClassKey() &&
          (regime.empty() || regime == group.regime)) {
        return std::move(record);
      }
    }
    if (newest.empty()) return std::nullopt;
  }
}

/// Completes `groups` for a comparison with `others`: adds to each group that is not whole the newest records of the
/// schedules that it lacks.
absl::Status AddMissing(const std::string& path, std::vector<ReportGroup>& groups,
                        const std::vector<ReportGroup>& others) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(path));
  for (ReportGroup& group : groups) {
    if (group.IsWhole()) continue;
    std::map<std::string, Schedule> schedules;
    for (const ReportGroup& other : others) {
      if (!group.IsComparable(other)) continue;
      for (const TuningRecord& record : other.records) schedules.emplace(record.schedule.Text(), record.schedule);
    }
    for (const TuningRecord& record : group.records) schedules.erase(record.schedule.Text());
    for (const auto& [text, schedule] : schedules) {
      auto newest = NewestOf(*log, group, schedule);
      if (!newest.ok()) return ExitWith(ExitCode::kLog, newest.status());
      if (*newest && !group.facts.contains((*newest)->id)) group.Add(**std::move(newest), {});
    }
    std::sort(group.records.begin(), group.records.end(),
              [](const TuningRecord& a, const TuningRecord& b) { return a.id < b.id; });
  }
  return absl::OkStatus();
}

absl::StatusOr<ReportComparison> CompareWith(const std::string& log, const std::string& other, const LogContent& ours,
                                             const RecordFilter& filter, const Console& console) {
  absl::StatusOr<LogContent> theirs = ReadLog(other, filter, console);
  if (!theirs.ok()) return ExitWith(ExitCodeOf(theirs.status()), WithContext(theirs.status(), "--against"));
  ReportComparison comparison;
  ASSIGN_OR_RETURN(comparison.log, FileName(other));
  RETURN_IF_ERROR(AddMissing(other, theirs->records.groups, ours.records.groups));
  std::vector<ReportGroup> own = ours.records.groups;
  RETURN_IF_ERROR(AddMissing(log, own, theirs->records.groups));
  comparison.groups = CompareGroups(own, theirs->records.groups);
  if (comparison.groups.empty()) {
    return ExitWith(
        ExitCode::kNoResult,
        absl::StrCat("--against: ", PlainText(other),
                     " has no problem, class of devices and regime (warm or cold caches) in common with the log"));
  }
  return comparison;
}

/// Returns the only group, which a plot shows, or InvalidArgument if there are several.
absl::StatusOr<ReportGroup> OnlyGroup(std::vector<ReportGroup> groups, const std::string& regime) {
  if (!regime.empty()) std::erase_if(groups, [&regime](const ReportGroup& group) { return group.regime != regime; });
  if (groups.size() == 1) return std::move(groups.front());
  if (groups.empty()) {
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("nothing to plot: nothing was timed with ", PlainText(regime), " operands"));
  }
  return InvalidArgument(absl::StrCat("a plot is of one problem, device and regime, and there are ", groups.size(),
                                      " of these: give --problem, --device-name or --regime"));
}

absl::Status CheckOptions(const ReportOptions& options) {
  const bool plot = options.svg || options.csv;
  if (!plot && !options.plot.empty()) return InvalidArgument("--plot needs --svg or --csv: the page has every plot");
  if (!plot && !options.records.regime.empty())
    return InvalidArgument("--regime is for --svg and --csv: the page has both regimes");
  if (plot && !options.against.empty())
    return InvalidArgument("--against writes an HTML page: leave out --svg and --csv");
  return absl::OkStatus();
}

std::string Counted(size_t count, const char* what) {
  return absl::StrCat(Grouped(static_cast<int64_t>(count)), " ", what, count == 1 ? "" : "s");
}

/// Returns "against old.db: 2 broken, 3 slower, 40 same, 5 faster, 0 mended".
std::string ComparisonLine(const ReportComparison& comparison) {
  std::string text = absl::StrCat("against ", PlainText(comparison.log));
  std::string_view gap = ": ";
  for (const Change change : {Change::kBroken, Change::kSlower, Change::kSame, Change::kFaster, Change::kMended}) {
    size_t count = 0;
    for (const GroupComparison& group : comparison.groups) count += group.Count(change);
    absl::StrAppend(&text, ToAbsl(std::exchange(gap, ", ")), count, " ", ToAbsl(ChangeName(change)));
  }
  return text + "\n";
}

absl::StatusOr<ExitCode> RunReportCommand(const ReportOptions& options, const Console& console) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options.records));
  filter.regime.reset();  // A failure has none: GroupRecords says where it belongs.
  const std::string& output = options.records.output;
  const bool to_file = output != "-";
  // Checked before anything is read, so that an unusable place costs no time.
  if (to_file) RETURN_IF_ERROR(CheckOutput(output, options.records.force).status());
  ASSIGN_OR_RETURN(LogContent content, ReadLog(options.records.log, filter, console));
  const std::string left_out = content.records.LeftOutText();
  if (options.svg || options.csv) {
    ASSIGN_OR_RETURN(const ReportGroup group, OnlyGroup(std::move(content.records.groups), options.records.regime));
    ASSIGN_OR_RETURN(const Plot plot,
                     MakePlot(options.plot.empty() ? "convergence" : options.plot, group, content.jobs));
    RETURN_IF_ERROR(WriteText(output, options.records.force, options.svg ? PlotSvg(plot) : PlotCsv(plot), console));
    if (to_file) console.out << "wrote " << PlainText(output) << ": " << plot.title << "\n";
    if (!left_out.empty()) console.err << "tune: note: " << left_out << std::endl;
    return ExitCode::kOk;
  }
  std::optional<ReportComparison> comparison;
  if (!options.against.empty()) {
    ASSIGN_OR_RETURN(comparison, CompareWith(options.records.log, options.against, content, filter, console));
  }
  ASSIGN_OR_RETURN(const std::string name, FileName(options.records.log));
  const std::string page = ReportPage(
      absl::StrCat("mmtune: ", name),
      ReportData(name, Clock::Real().UnixMillis(), content.records.groups, content.jobs, comparison, left_out));
  RETURN_IF_ERROR(WriteText(output, options.records.force, page, console));
  if (!to_file) return ExitCode::kOk;
  console.out << "wrote " << PlainText(output) << ": " << Counted(content.records.shown(), "record") << " in "
              << Counted(content.records.groups.size(), "ranking") << ", "
              << BytesText(static_cast<int64_t>(page.size())) << "\n";
  if (!left_out.empty()) console.out << left_out << "\n";
  if (comparison) console.out << ComparisonLine(*comparison);
  return ExitCode::kOk;
}

const std::vector<std::string>& PlotKinds() {
  static const std::vector<std::string> kKinds = {"convergence", "landscape", "roofline", "samples", "phases"};
  return kKinds;
}

/// Returns what is wrong with a value of --plot; empty if its kind is one that exists.
std::string CheckPlot(std::string& name) {
  const std::vector<std::string>& kinds = PlotKinds();
  const std::string kind = name.substr(0, name.find(':'));
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return "";
  return absl::StrCat("there is no plot '", PlainText(name), "'; give one of ", kPlotNames, DidYouMean(kind, kinds));
}

}  // namespace

void AddReportCommand(Commands& commands, CLI::App& app) {
  ReportOptions& options = commands.Keep<ReportOptions>();
  CLI::App& command =
      commands.Add(app, "report", "Write what the log says as one page for a browser", RunReportCommand, options);
  command.footer(
      "The page needs no network and no other file: it can be mailed, and opened from a disk. It has every record that "
      "passes the filters; of more than 10,000, those of the fastest schedules and of a sample of the others.\n\n"
      "Examples:\n"
      "  tune report --log tuning.db -o report.html\n"
      "  tune report --log new.db --against old.db -o regressions.html\n"
      "  tune report --problem 4096x4096x4096 --svg --plot landscape:bm,bn -o l.svg\n");
  RecordsOptions& records = options.records;
  AddOutput(command, records.output, "Where the page, or the plot, goes; - is standard output")
      ->required()
      ->default_str("");
  AddLog(command, records.log);
  AddText(command, "--against", options.against, "FILE",
          "Compare with this log, schedule by schedule: what is slower, faster, or runs no longer");
  AddForce(command, records.force);
  AddRecordFilters(command, records, "Only this problem");
  InGroup(command, kOutputGroup);
  auto* svg = command.add_flag("--svg", options.svg, "One plot instead of the page, as a drawing (SVG)");
  command.add_flag("--csv", options.csv, "One plot instead of the page, as a table: a row for each point")
      ->excludes(svg);
  AddText(command, "--plot", options.plot, "NAME", absl::StrCat("Which one: ", kPlotNames))
      ->check(SuggestValues(PlotKinds()))
      ->check(CLI::Validator(CheckPlot, ""));
  AddRegime(command, records.regime, "For a plot: what was timed with warm, or with cold operands");
}

}  // namespace mmtune
