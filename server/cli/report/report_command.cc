// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/report/report_command.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "server/cli/format.h"
#include "server/cli/report/report_data.h"
#include "server/cli/report/report_page.h"
#include "server/cli/report/report_plots.h"
#include "server/cli/session.h"

namespace mmtune {
namespace {

/// What a log gives to a page.
struct LogContent {
  std::vector<ReportGroup> groups;
  std::vector<JobRow> jobs;
  size_t records = 0;
};

/// Errors have exit code kLog, or kNoResult where no record passes.
absl::StatusOr<LogContent> ReadLog(const std::string& path, const RecordFilter& filter, const Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<TuningLogReader> log, OpenLogForReading(path));
  DamageNotes notes(*log, console);
  LogContent content;
  std::vector<TuningRecord> records;
  RETURN_IF_ERROR(ForEachRecord(*log, filter, [&](TuningRecord record) { records.push_back(std::move(record)); }));
  if (records.empty()) {
    ASSIGN_OR_RETURN(const std::string name, ResolveLogPath(path, /*create_folder=*/false));
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("nothing to report: no record of ", PlainText(name), " passes the filters"));
  }
  content.records = records.size();
  content.groups = GroupRecords(std::move(records));
  auto jobs = log->Jobs();
  if (!jobs.ok()) return ExitWith(ExitCode::kLog, jobs.status());
  content.jobs = *std::move(jobs);
  return content;
}

absl::StatusOr<std::string> FileName(const std::string& log) {
  ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(log, /*create_folder=*/false));
  return std::filesystem::path(path).filename().string();
}

absl::StatusOr<ReportComparison> CompareWith(const std::string& other, const LogContent& ours,
                                             const RecordFilter& filter, const Console& console) {
  absl::StatusOr<LogContent> theirs = ReadLog(other, filter, console);
  if (!theirs.ok()) return ExitWith(ExitCodeOf(theirs.status()), WithContext(theirs.status(), "--against"));
  ReportComparison comparison;
  ASSIGN_OR_RETURN(comparison.log, FileName(other));
  comparison.groups = CompareGroups(ours.groups, theirs->groups);
  if (comparison.groups.empty()) {
    return ExitWith(ExitCode::kNoResult, absl::StrCat("--against: ", PlainText(other),
                                                      " has no problem, device and regime in common with the log"));
  }
  return comparison;
}

/// The one group that a plot is of. InvalidArgument where there are several.
absl::StatusOr<ReportGroup> OnlyGroup(std::vector<ReportGroup> groups, const std::string& regime) {
  if (!regime.empty()) std::erase_if(groups, [&regime](const ReportGroup& group) { return group.regime != regime; });
  if (groups.size() == 1) return std::move(groups.front());
  if (groups.empty()) {
    return ExitWith(ExitCode::kNoResult,
                    absl::StrCat("nothing to plot: nothing was timed with ", PlainText(regime), " operands"));
  }
  return InvalidArgument(absl::StrCat("a plot is of one problem, device and regime, and there are ", groups.size(),
                                      " of these: give --problem, --device or --regime"));
}

absl::Status CheckOptions(const ReportOptions& options) {
  const bool plot = options.svg || options.csv;
  if (!plot && !options.plot.empty()) return InvalidArgument("--plot needs --svg or --csv: the page has every plot");
  if (!plot && !options.records.regime.empty())
    return InvalidArgument("--regime is for --svg and --csv: the page has both");
  if (plot && !options.against.empty()) return InvalidArgument("--against makes a page: leave out --svg and --csv");
  return absl::OkStatus();
}

std::string Counted(size_t count, const char* what) {
  return absl::StrCat(Grouped(static_cast<int64_t>(count)), " ", what, count == 1 ? "" : "s");
}

/// "against old.db: 2 broken, 3 slower, 40 same, 5 faster, 0 mended".
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

}  // namespace

absl::StatusOr<ExitCode> RunReportCommand(const ReportOptions& options, const Console& console) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(RecordFilter filter, MakeRecordFilter(options.records));
  filter.regime.reset();  // A failure has none: GroupRecords says where it belongs.
  const std::string& output = options.records.output;
  const bool to_file = output != "-";
  // Before anything is read: a place that will not do should not cost the time.
  if (to_file) RETURN_IF_ERROR(CheckOutput(output, options.records.force).status());
  ASSIGN_OR_RETURN(LogContent content, ReadLog(options.records.log, filter, console));
  const auto put = [&](const std::string& text) {
    auto write = [&text](std::ostream& out) {
      out << text << std::flush;
      return out.good() ? absl::OkStatus() : Internal("writing failed");
    };
    return to_file ? WriteOutput(output, options.records.force, write) : write(console.out);
  };
  if (options.svg || options.csv) {
    ASSIGN_OR_RETURN(const ReportGroup group, OnlyGroup(std::move(content.groups), options.records.regime));
    ASSIGN_OR_RETURN(const Plot plot,
                     MakePlot(options.plot.empty() ? "convergence" : options.plot, group, content.jobs));
    RETURN_IF_ERROR(put(options.svg ? PlotSvg(plot) : PlotCsv(plot)));
    if (to_file) console.out << "wrote " << PlainText(output) << ": " << plot.title << "\n";
    return ExitCode::kOk;
  }
  std::optional<ReportComparison> comparison;
  if (!options.against.empty()) {
    ASSIGN_OR_RETURN(comparison, CompareWith(options.against, content, filter, console));
  }
  ASSIGN_OR_RETURN(const std::string name, FileName(options.records.log));
  const std::string page =
      ReportPage(absl::StrCat("mmtune: ", name),
                 ReportData(name, Clock::Real().UnixMillis(), content.groups, content.jobs, comparison));
  RETURN_IF_ERROR(put(page));
  if (!to_file) return ExitCode::kOk;
  console.out << "wrote " << PlainText(output) << ": " << Counted(content.records, "record") << " in "
              << Counted(content.groups.size(), "ranking") << ", " << BytesText(static_cast<int64_t>(page.size()))
              << "\n";
  if (comparison) console.out << ComparisonLine(*comparison);
  return ExitCode::kOk;
}

}  // namespace mmtune
