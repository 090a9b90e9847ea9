// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/commands.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"
#include "kernels/families/common/registry.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "search/space/search_space.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/worker_registry.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/best_records.h"
#include "server/tune/report/format.h"
#include "server/tune/report/schedule_table.h"
#include "server/tune/report/text_layout.h"
#include "server/tune/session/session.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {
namespace {

using Rung = std::pair<std::string, Schedule>;

constexpr int kBestLooked = 1000;

struct RungResult {
  std::string name;
  std::optional<TuningRecord> record;
};

class Ladder {
 public:
  Ladder(Session& session, const JobOptions& options, const Console& console, v1::JobSpec spec)
      : session_(session), options_(options), console_(console), spec_(std::move(spec)) {}

  absl::StatusOr<ExitCode> Run() {
    ASSIGN_OR_RETURN(problem_, FromWire(spec_.problem()));
    ASSIGN_OR_RETURN(device_, AwaitDevice(session_, spec_));
    // A problem with an empty search space has no ladder, even if naive rungs would run.
    RETURN_IF_ERROR(SearchSpace::Create(problem_, device_, SearchedFamilies(problem_, KernelFamilies())).status());
    std::vector<Rung> rungs = LadderSchedules(problem_, device_);
    if (rungs.empty()) {
      return InvalidArgument(
          absl::StrCat("no kernel family has a schedule of the ladder for ", problem_.Text(), " on ", device_.arch));
    }
    auto tuned = Tuned(rungs);
    if (!tuned.ok()) return tuned.status();
    if (InterruptGuard::Requested()) return ExitCode::kInterrupted;
    if (tuned->has_value()) rungs.emplace_back("tuned", **std::move(tuned));
    return Measure(rungs);
  }

 private:
  /// Returns the best schedule of the log if that has results of a search, not only rungs.
  absl::StatusOr<std::optional<Schedule>> BestOfLog(const std::vector<Rung>& rungs) {
    v1::RecordFilter filter;
    *filter.mutable_problem() = ToWire(problem_);
    filter.set_device(device_.name);
    filter.set_regime(spec_.measure().regime());
    filter.set_verified_only(!AllowUnverified());
    ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, session_.client().Best(filter, kBestLooked));
    std::erase_if(ranked, [this](const RankedRecord& entry) {
      return entry.record.device.ClassKey() != device_.ClassKey() ||
             !ValidateSchedule(problem_, entry.record.schedule, device_).ok();
    });
    const bool tuned = std::any_of(ranked.begin(), ranked.end(), [&rungs](const RankedRecord& entry) {
      return std::none_of(rungs.begin(), rungs.end(),
                          [&entry](const Rung& rung) { return rung.second == entry.record.schedule; });
    });
    if (!tuned) return std::nullopt;
    return ranked.front().record.schedule;
  }

  /// Returns the last rung: the best schedule of the log, or of a search in all families with the rungs.
  absl::StatusOr<std::optional<Schedule>> Tuned(const std::vector<Rung>& rungs) {
    BestRecords found(AllowUnverified());
    RETURN_IF_ERROR(Search(RungSpec(rungs), /*quiet=*/true, found));
    ASSIGN_OR_RETURN(std::optional<Schedule> best, BestOfLog(rungs));
    if (best || InterruptGuard::Requested()) return best;
    v1::JobSpec spec = spec_;
    for (const KernelFamily* family : KernelFamilies()) spec.add_families(std::string(family->name()));
    RETURN_IF_ERROR(Search(spec, options_.quiet, found));
    const std::vector<TuningRecord> top = found.Top(1);
    if (top.empty()) return std::nullopt;
    return top.front().schedule;
  }

  absl::Status Search(const v1::JobSpec& spec, bool quiet, BestRecords& found) {
    JobRunOptions run;
    run.spec = spec;
    run.quiet = quiet;
    run.on_record = [&](const TuningRecord& record) {
      if (OnDevice(record)) found.Add(record);
    };
    ASSIGN_OR_RETURN(JobRunResult result, RunJob(session_, run, console_));
    RETURN_IF_ERROR(result.status);
    AddMissedRecords(session_.client(), result, found);
    return absl::OkStatus();
  }

  v1::JobSpec RungSpec(const std::vector<Rung>& rungs) const {
    v1::JobSpec spec = spec_;
    spec.clear_strategy();
    ClearLimits(spec);
    for (const Rung& rung : rungs) *spec.add_schedules() = ToWire(rung.second);
    return spec;
  }

  absl::StatusOr<ExitCode> Measure(const std::vector<Rung>& rungs) {
    JobRunOptions run;
    run.spec = RungSpec(rungs);
    run.spec.set_remeasure(true);
    std::vector<RungResult> results;
    for (const Rung& rung : rungs) results.push_back({rung.first, std::nullopt});
    run.quiet = options_.quiet;
    std::string elsewhere;
    run.on_record = [&](const TuningRecord& record) {
      if (!OnDevice(record)) elsewhere = record.device.name;
      if (!OnDevice(record)) return;
      for (size_t i = 0; i < rungs.size(); ++i) {
        if (rungs[i].second == record.schedule) results[i].record = record;
      }
    };
    ASSIGN_OR_RETURN(JobRunResult result, RunJob(session_, run, console_));
    console_.out << (options_.format == OutputFormat::kJson ? Json(results) : Report(results)) << std::flush;
    if (result.interrupted) return ExitCode::kInterrupted;
    RETURN_IF_ERROR(result.status);
    const bool any = std::any_of(results.begin(), results.end(),
                                 [](const RungResult& rung) { return rung.record && rung.record->Gflops() > 0; });
    if (!any && !elsewhere.empty()) {
      return ExitWith(ExitCode::kDevice, absl::StrCat("the ladder was measured on ", elsewhere, ", not on ",
                                                      device_.name, ", which no longer serves: run it again"));
    }
    return any ? ExitCode::kOk : ExitCode::kNoResult;
  }

  bool AllowUnverified() const { return options_.allow_unverified || !options_.measure.verification; }

  /// False if the job went on with another device than the one it began with.
  bool OnDevice(const TuningRecord& record) const { return record.device.ClassKey() == device_.ClassKey(); }

  static double FirstGflops(const std::vector<RungResult>& results) {
    return results.empty() || !results.front().record ? 0 : results.front().record->Gflops();
  }

  std::string Report(const std::vector<RungResult>& results) const {
    std::vector<TuningRecord> records;
    for (const RungResult& rung : results) {
      if (rung.record) records.push_back(*rung.record);
    }
    const ScheduleColumns columns(records);
    std::vector<Column> headings = columns.Headings();
    headings.insert(headings.begin(), {"schedule", Align::kLeft});
    headings.insert(headings.begin() + 1 + ScheduleColumns::kAfterSpeed,
                    Column{absl::StrCat("x ", results.front().name), Align::kRight, 1});
    Table table(std::move(headings));
    const double first = FirstGflops(results);
    size_t measured = 0;
    for (const RungResult& rung : results) {
      std::vector<std::string> cells = rung.record ? columns.Cells(measured++) : std::vector<std::string>{"-"};
      const double factor = rung.record && first > 0 ? rung.record->Gflops() / first : 0;
      cells.insert(cells.begin(), rung.name);
      cells.insert(cells.begin() + 1 + ScheduleColumns::kAfterSpeed, factor > 0 ? Number(factor, 2) : "-");
      table.AddRow(std::move(cells));
    }
    const std::string title = absl::StrCat("\n", ProblemText(problem_), ": the ladder, measured side by side\n\n");
    const std::string text = absl::StrCat(AroundTables(title, console_.tables), table.Text(console_.tables));
    LabelledLines lines(/*indent=*/10, console_.tables.width);
    lines.Add("device", DeviceText(device_));
    if (device_.kind == DeviceKind::kSimt) lines.Add("", SimtNote());
    lines.Add("log", session_.log_text());
    return absl::StrCat(text, AroundTables("\n", console_.tables), AsLines(lines.text(), console_.tables));
  }

  static std::string Json(const std::vector<RungResult>& results) {
    nlohmann::ordered_json rungs = nlohmann::ordered_json::array();
    const double first = FirstGflops(results);
    for (const RungResult& rung : results) {
      nlohmann::ordered_json entry = {{"name", rung.name}};
      if (rung.record) {
        entry["gflops"] = rung.record->Gflops();
        entry["factor"] = first > 0 ? rung.record->Gflops() / first : 0;
        entry["record"] = nlohmann::ordered_json::parse(RecordToJson(*rung.record), nullptr, false);
      }
      rungs.push_back(std::move(entry));
    }
    return JsonText({{"ladder", std::move(rungs)}}) + "\n";
  }

  Session& session_;
  const JobOptions& options_;
  const Console& console_;
  const v1::JobSpec spec_;
  MatmulProblem problem_;
  DeviceInfo device_;
};

}  // namespace

absl::StatusOr<ExitCode> RunLadderCommand(const JobOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(v1::JobSpec spec, MakeJobSpec(options));
  ASSIGN_OR_RETURN(SessionOptions session_options, MakeSessionOptions(options));
  InterruptGuard interrupt;
  ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Open(session_options));
  return Ladder(*session, options, console, std::move(spec)).Run();
}

void AddLadderCommand(Commands& commands, CLI::App& app) {
  JobOptions& options = commands.Keep<JobOptions>();
  CLI::App& command =
      commands.Add(app, "ladder", "Measure naive, register-blocked, shared-memory and tuned schedules side by side",
                   RunLadderCommand, options);
  command.footer(
      "The tuned schedule is the best one of the log; when the log has none, it is searched for first.\n\n"
      "Example: tune ladder 1024x1024x1024\n");
  AddJobOptions(command, options);
  commands.AddFormats(command, options.format);
}

}  // namespace mmtune
