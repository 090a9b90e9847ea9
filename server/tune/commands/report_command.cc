// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/report_command.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/output_file.h"
#include "proto/base/status.h"
#include "server/tune/report/format.h"
#include "server/tune/report/report_choice.h"
#include "server/tune/report/report_data.h"
#include "server/tune/report/report_page.h"
#include "server/tune/report/report_plots.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

/// The most records of a page: a browser shows some 10 MB of them.
constexpr size_t kMostRecords = 10'000;

/// What a log gives to a page.
struct LogContent {
  ChosenRecords records;
  std::vector<JobRow> jobs;  ///< Of the records.
};

/// The jobs of the records, as far as the log has them. Of named schedules, only the first is kept.
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

/// Errors have exit code kLog, or kNoResult where no record passes.
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

absl::StatusOr<std::string> FileName(const std::string& log) {
  ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(log, /*create_folder=*/false));
  return std::filesystem::path(path).filename().string();
}

/// The record of the group that a comparison takes of a schedule.
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

/// Adds to each of `groups` that is not whole the newest records of the schedules that it lacks of the group of
/// `others` that it is compared with.
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
  const std::string left_out = content.records.LeftOutText();
  const auto put = [&](const std::string& text) {
    auto write = [&text](std::ostream& out) {
      out << text << std::flush;
      return out.good() ? absl::OkStatus() : Internal("writing failed");
    };
    return to_file ? WriteOutput(output, options.records.force, write) : write(console.out);
  };
  if (options.svg || options.csv) {
    ASSIGN_OR_RETURN(const ReportGroup group, OnlyGroup(std::move(content.records.groups), options.records.regime));
    ASSIGN_OR_RETURN(const Plot plot,
                     MakePlot(options.plot.empty() ? "convergence" : options.plot, group, content.jobs));
    RETURN_IF_ERROR(put(options.svg ? PlotSvg(plot) : PlotCsv(plot)));
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
  RETURN_IF_ERROR(put(page));
  if (!to_file) return ExitCode::kOk;
  console.out << "wrote " << PlainText(output) << ": " << Counted(content.records.shown(), "record") << " in "
              << Counted(content.records.groups.size(), "ranking") << ", "
              << BytesText(static_cast<int64_t>(page.size())) << "\n";
  if (!left_out.empty()) console.out << left_out << "\n";
  if (comparison) console.out << ComparisonLine(*comparison);
  return ExitCode::kOk;
}

}  // namespace mmtune
