// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/model_tuning.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job_spec.h"
#include "server/tune/commands/export_commands.h"
#include "server/tune/commands/model_spec.h"
#include "server/tune/commands/row_tables.h"
#include "server/tune/report/progress.h"
#include "server/tune/session/tuning_run.h"

namespace mmtune {
namespace {

/// The trials of each matmul if --trials is absent.
constexpr int64_t kTrialsEach = 64;
/// The measurements in near buckets are submitted in portions of this number of jobs, for the sake of the quotas.
constexpr size_t kPortion = 64;

}  // namespace

absl::StatusOr<ModelRunResult> ModelTuning::Run(Session& session) {
  RETURN_IF_ERROR(Prepare(session));
  if (options_.job.format == OutputFormat::kTable && !std::exchange(printed_, true)) {
    console_.out << MatmulsText(rows_, console_.tables) << std::flush;
  }
  ASSIGN_OR_RETURN(ModelRunResult run, RunJobs(session));
  if (run.coordinator_gone && session.joined()) return run;
  RETURN_IF_ERROR(TakeResults(session, run));
  if (inputs_.dimension && run.status.ok() && !run.interrupted) {
    // The trials before are not lost if this fails: the tables are made of what is known then.
    absl::Status measured = MeasureNeighbours(session, run);
    if (measured.ok() && !run.coordinator_gone) measured = TakeResults(session, run);
    run.coordinator_gone |= absl::IsUnavailable(measured);
    if (run.coordinator_gone && session.joined()) {
      run.status = measured;  // The caller's error if no other session goes on.
      return run;
    }
    if (!measured.ok()) {
      Note(absl::StrCat("the best schedules are not measured in all buckets near theirs: ",
                        std::string(measured.message())));
    }
    tables_ = MakeTables(rows_, measured_, device_, spec_, [this](std::string_view line) { Note(line); });
  }
  return run;
}

absl::Status ModelTuning::Prepare(Session& session) {
  const auto note = [this](std::string_view line) { Note(line); };
  ASSIGN_OR_RETURN(device_, AwaitDevice(session, job_));
  ASSIGN_OR_RETURN(TuningSpec present, SpecOfOwnLog());
  const ModelBuild build(options_, device_, folder_);
  ASSIGN_OR_RETURN(ModelMatmuls found, build.FindMatmuls(present, console_.err));
  const Toolchain own = found.toolchain;
  const bool is_first = rows_.empty();
  ASSIGN_OR_RETURN(rows_, RowsOfModel(std::move(found), inputs_, present, options_, device_, note));
  if (!options_.output.empty() && is_first) RETURN_IF_ERROR(CheckLibrary(session, build, own));
  if (is_first) present_ = std::move(present);
  ASSIGN_OR_RETURN(asked_, Numerics::Parse(job_.numerics()));
  const auto parts_for = [this](const MatmulResult& row) { return PartsFor(row); };
  absl::StatusOr<std::vector<Numerics>> chosen = NumericsOfRows(asked_, rows_, parts_for, device_, note);
  if (!chosen.ok()) return ExitWith(ExitCode::kUsage, std::string(chosen.status().message()));
  numerics_ = *std::move(chosen);
  return absl::OkStatus();
}

absl::Status ModelTuning::CheckLibrary(Session& session, const ModelBuild& build, const Toolchain& own) const {
  if (options_.VerifiedOnly()) {
    ASSIGN_OR_RETURN(const DeviceSelector selector, FromWire(job_.device()));
    ASSIGN_OR_RETURN(const v1::ServerInfo info, session.client().Info());
    if (const v1::Toolchain* found = MatchingToolchain(info, selector)) {
      ASSIGN_OR_RETURN(const Toolchain workers, FromWire(*found));
      RETURN_IF_ERROR(CheckToolchain(workers, own, options_.output));
    }
  }
  return build.CheckLibrary(console_.err);
}

absl::StatusOr<ModelRunTimes> ModelTuning::TimeRuns() const {
  const ModelBuild build(options_, device_, folder_);
  ModelRunTimes times;
  times.function = options_.run.function;
  times.calls = std::max(1, options_.run.repeat - 1);
  ASSIGN_OR_RETURN(times.before_ns, build.TimeRuns(present_, console_.err));
  ASSIGN_OR_RETURN(times.after_ns, build.TimeRuns(spec_, console_.err));
  return times;
}

absl::StatusOr<TuningSpec> ModelTuning::SpecOfOwnLog() const {
  TuningSpec spec;
  if (!options_.job.server.empty()) return spec;
  ASSIGN_OR_RETURN(const std::string path, ResolveLogPath(options_.job.log, /*create_folder=*/false));
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, OpenLogForReading(path));
  RecordFilter filter;
  filter.verified_only = options_.VerifiedOnly();
  ASSIGN_OR_RETURN(LogSpec found, SpecOfLog(*log, filter, device_.arch));
  for (TuningSpecEntry& entry : found.spec.entries) {
    if (entry.device.ClassKey() == device_.ClassKey()) spec.entries.push_back(std::move(entry));
  }
  return spec;
}

std::vector<std::string> ModelTuning::PartsFor(const MatmulResult& row) const {
  if (job_.only().empty()) return PartsForRows(row.matmul.problem, device_);
  return {job_.only().begin(), job_.only().end()};
}

int64_t ModelTuning::Limit() const {
  if (options_.job.trials) return *options_.job.trials;
  return options_.job.seconds > 0 ? 0 : kTrialsEach * static_cast<int64_t>(rows_.size());
}

std::vector<v1::JobSpec> ModelTuning::Requests() const {
  const std::string id = RandomToken();
  std::vector<v1::JobSpec> specs;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const MatmulResult& row = rows_[i];
    v1::JobSpec& spec = specs.emplace_back(job_);
    *spec.mutable_problem() = ToWire(row.matmul.problem);
    spec.set_trials(Limit());
    v1::ModelShare& share = *spec.mutable_model();
    share.set_id(id);
    share.set_calls(row.Calls());
    share.set_time_ns(row.before_ns);
    *share.mutable_present() = ToWire(row.matmul.schedule);
    share.set_trials(Limit());
    share.set_parts(static_cast<int64_t>(rows_.size()));
    if (numerics_[i].contract != Numerics::Contract::kAny) spec.set_numerics(numerics_[i].Text());
    if ((!row.rows && row.matmul.batch_step == 0) || !job_.only().empty()) continue;
    for (const std::string& part : PartsFor(row)) spec.add_only(part);
  }
  return specs;
}

absl::StatusOr<ModelRunResult> ModelTuning::RunJobs(Session& session) {
  const std::vector<v1::JobSpec> specs = Requests();
  std::string shown;
  TimePoint shown_at;
  const auto show = [&](const ModelRunResult& run) {
    TakeProgress(run);
    const bool json = console_.json_progress;
    const std::string text = json ? ProgressJson(ModelProgress(rows_, Limit())) : ModelProgressText(rows_, Limit());
    const TimePoint now = Clock::Real().Now();
    if (options_.job.quiet || text == shown) return;
    if (!json && !console_.live && now - shown_at < std::chrono::seconds(5) && !shown.empty()) return;
    shown = text;
    shown_at = now;
    if (console_.live) {
      console_.err << "\r\x1b[2K" << text << std::flush;
    } else {
      console_.err << text << std::endl;
    }
  };
  const auto note = [&](std::string_view line) { Note(line); };
  absl::StatusOr<ModelRunResult> run = RunModelJobs(session, specs, show, note);
  if (console_.live && !shown.empty()) console_.err << std::endl;
  return run;
}

absl::Status ModelTuning::MeasureNeighbours(Session& session, JobsEnd& run) {
  const std::vector<v1::JobSpec> specs = NeighbourJobs(rows_, measured_, device_, job_);
  if (specs.empty()) return absl::OkStatus();
  int schedules = 0;
  for (const v1::JobSpec& spec : specs) schedules += spec.schedules_size();
  Note(absl::StrCat("measuring the best schedules in the buckets near theirs, too: ", schedules, " measurements"));
  for (size_t done = 0; done < specs.size(); done += kPortion) {
    const auto first = specs.begin() + static_cast<std::ptrdiff_t>(done);
    const std::vector<v1::JobSpec> portion(
        first, first + static_cast<std::ptrdiff_t>(std::min(kPortion, specs.size() - done)));
    const absl::StatusOr<ModelRunResult> measured =
        RunModelJobs(session, portion, [](const ModelRunResult&) {}, [&](std::string_view line) { Note(line); });
    run.coordinator_gone = measured.ok() ? measured->coordinator_gone : absl::IsUnavailable(measured.status());
    RETURN_IF_ERROR(measured.status());
    run.interrupted = measured->interrupted;
    if (run.interrupted) return absl::OkStatus();
    RETURN_IF_ERROR(measured->status);
  }
  return absl::OkStatus();
}

void ModelTuning::TakeProgress(const ModelRunResult& run) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    MatmulResult& row = rows_[i];
    const v1::JobProgress& progress = run.jobs[i].progress();
    row.trials = progress.done() - OutcomeCount(progress, "skipped");
    row.failed = row.trials - OutcomeCount(progress, "ok");
    if (progress.best_gflops() > 0) row.after_ns = row.matmul.problem.Flops() / progress.best_gflops();
    if (run.present_ns[i] <= 0 || row.before_measured) continue;
    row.before_ns = run.present_ns[i];
    row.before_measured = true;
  }
}

absl::Status ModelTuning::TakeResults(Session& session, const ModelRunResult& run) {
  TakeProgress(run);
  TuningSpec spec;
  std::vector<std::vector<RankedRecord>> measured(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    MatmulResult& row = rows_[i];
    v1::RecordFilter filter;
    *filter.mutable_problem() = ToWire(row.matmul.problem);
    filter.set_device(device_.name);
    filter.set_regime(job_.measure().regime());
    filter.set_verified_only(options_.VerifiedOnly());
    filter.set_toolchain(run.toolchain);  // The compiler refuses entries of others.
    constexpr int kLooked = 100, kLookedFarther = 1000;
    const Numerics& numerics = numerics_[i];
    const bool batch = row.matmul.batch_step > 0;
    const bool farther = row.rows || batch || numerics.contract != Numerics::Contract::kAny;
    absl::StatusOr<std::vector<RankedRecord>> best = session.client().Best(filter, farther ? kLookedFarther : kLooked);
    if (!best.ok()) return run.status.ok() ? best.status() : run.status;
    std::erase_if(*best, [&](const RankedRecord& ranked) {
      const auto& [problem, schedule] = std::tie(ranked.record.problem, ranked.record.schedule);
      return !HasNumerics(problem, schedule, ranked.record.device, numerics) ||
             !WhyRunTimeSizesUnsupported(problem, schedule, {.batch = batch}).empty();
    });
    if (row.rows) {
      std::erase_if(
          *best, [this](const RankedRecord& ranked) { return ranked.record.device.ClassKey() != device_.ClassKey(); });
      const std::optional<size_t> fastest = FastestForRows(*best);
      if (fastest) row.after_ns = (*best)[*fastest].ranked_ns;
      if (fastest) row.best = (*best)[*fastest].record.schedule;
      measured[i] = *std::move(best);
      continue;  // Its entries are the lines of the dispatch table.
    }
    const auto own = std::find_if(best->begin(), best->end(), [this](const RankedRecord& ranked) {
      return ranked.record.device.ClassKey() == device_.ClassKey();
    });
    if (own == best->end()) continue;
    row.after_ns = own->ranked_ns;
    row.best = own->record.schedule;
    spec.entries.push_back(SpecEntryOf(*own));
  }
  spec_ = std::move(spec);
  measured_ = std::move(measured);
  return absl::OkStatus();
}

}  // namespace mmtune
