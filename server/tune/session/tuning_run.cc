// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_run.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job_spec.h"
#include "server/tune/report/format.h"
#include "server/tune/report/progress.h"
#include "server/tune/session/job_watch.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {
namespace {

constexpr Duration kPoll = std::chrono::milliseconds(100);

ProgressOptions MakeProgressOptions(const JobRunOptions& options, const Console& console) {
  ProgressOptions progress;
  progress.live = console.live;
  progress.json = console.json_progress;
  progress.width = console.width;
  progress.color = console.color;
  progress.quiet = options.quiet;
  progress.seconds_limit = options.spec.seconds();
  progress.began = options.began;
  // A comparison has no best schedule of its own.
  if (const auto problem = FromWire(options.spec.problem()); problem.ok() && !options.spec.has_reference()) {
    progress.problem = *problem;
  }
  return progress;
}

/// Estimates the time of `count` comparisons with a reference: 8 processes each, which start, warm up and spend half of
/// the budget of a timing.
double ComparisonSeconds(int64_t count, const v1::Job& job) {
  constexpr double kProcesses = 8, kStartSeconds = 0.7;
  const double given = job.spec().measure().budget_seconds();
  const DeviceKind kind =
      job.device().kind() == DeviceKindName(DeviceKind::kCuda) ? DeviceKind::kCuda : DeviceKind::kSimt;
  const double budget = given > 0 ? given : DefaultBudgetSeconds(kind);
  return static_cast<double>(count) * kProcesses * (kStartSeconds + budget / 2);
}

/// One run of RunJob(). Not thread-safe.
class JobRun : public JobWatch {
 public:
  JobRun(Session& session, const JobRunOptions& options, const Console& console)
      : JobWatch(session),
        options_(options),
        progress_(console.err, Clock::Real(), MakeProgressOptions(options, console)) {}

  absl::StatusOr<JobRunResult> Run() {
    RETURN_IF_ERROR(Submit(options_.spec));
    JobRunResult result;
    static_cast<JobsEnd&>(result) = Watch();
    progress_.Finish();
    result.job = jobs()[0];
    const int64_t ok = OutcomeCount(result.job.progress(), OutcomeName(Outcome::kOk));
    result.missed_events = missed_events_ || ok_seen_ < ok;
    return result;
  }

 private:
  void OnEvent(size_t, const v1::JobEvent& event) override {
    missed_events_ |= last_seq_ != 0 && event.seq() != last_seq_ + 1;
    last_seq_ = event.seq();
    if (event.has_record()) HandleRecord(event.record());
    if (event.state() == v1::JOB_STATE_WAITING) {
      announced_ = false;
    } else if (event.state() == v1::JOB_STATE_RUNNING && !announced_) {
      Announce();
    }
    const v1::Job& job = jobs()[0];
    const bool begun = announced_ && job.state() == v1::JOB_STATE_RUNNING;
    if (begun || job.progress().done() > 0) progress_.Update(job.progress());
  }

  void OnWaiting(const std::string& text) override { progress_.Waiting(text); }
  void OnNote(const std::string& text) override {
    text.starts_with(kWaitNote) ? progress_.Waiting(text) : progress_.Note(text);
  }
  void OnTick() override { progress_.Tick(); }

  void HandleRecord(const v1::TuningRecord& message) {
    const auto record = FromWire(message);
    if (!record.ok() || !records_seen_.insert(record->uuid).second) return;
    if (record->measurement.outcome == Outcome::kOk) ++ok_seen_;
    if (options_.on_record) options_.on_record(*record);
  }

  void Announce() {
    announced_ = true;
    v1::Job& known = jobs()[0];
    auto job = session().client().Get(known.uuid());
    if (!job.ok()) return;
    // Keeps the counts of the events seen, which those of `job` are ahead of.
    *job->mutable_progress() = known.progress();
    job->set_state(known.state());
    known = *job;
    if (options_.spec.has_reference()) progress_.Expect(ComparisonSeconds(options_.spec.schedules_size(), *job));
    if (options_.comparisons_after > 0) progress_.ExpectAfter(ComparisonSeconds(options_.comparisons_after, *job));
    if (!options_.title.empty()) return progress_.Note(options_.title);
    std::string text = absl::StrCat("tuning ", ProblemText(job->spec().problem()), " on ", job->device().name(), ", ",
                                    job->device().arch());
    if (job->space_size() > 0) {
      absl::StrAppend(&text, ", ", SpaceText({job->space_size(), job->space_size_estimated()}));
    }
    if (job->prior_observations() > 0) {
      absl::StrAppend(&text, ", with ", Grouped(job->prior_observations()), " prior observations of the log");
    }
    progress_.Note(text);
    if (!job->log_error().empty()) {
      progress_.Note(absl::StrCat("no prior observations: the log could not be read: ", PlainText(job->log_error())));
    }
  }

  const JobRunOptions& options_;
  ProgressPrinter progress_;
  bool announced_ = false;
  bool missed_events_ = false;
  int64_t last_seq_ = 0;
  int64_t ok_seen_ = 0;
  std::set<std::string> records_seen_;  // by uuid: a coordinator that was restarted tells of them again
};

constexpr int kLooked = 1000;
/// The relative rounding error of GFLOP/s.
constexpr double kRounding = 1e-9;

/// True if the job's search has the schedule of the record.
bool Searched(const v1::JobSpec& spec, const TuningRecord& record) {
  const Schedule& schedule = record.schedule;
  if (spec.schedules_size() > 0) {
    return std::any_of(spec.schedules().begin(), spec.schedules().end(), [&schedule](const v1::Schedule& wanted) {
      const auto own = FromWire(wanted);
      return own.ok() && *own == schedule;
    });
  }
  const absl::StatusOr<Numerics> numerics = Numerics::Parse(spec.numerics());
  if (!numerics.ok() || !HasNumerics(record.problem, schedule, record.device, *numerics)) return false;
  if (spec.families().empty()) {
    const auto family = FindKernelFamily(schedule.family);
    return !family.ok() || (*family)->SearchedByDefault(record.problem);
  }
  return std::any_of(spec.families().begin(), spec.families().end(),
                     [&schedule](const std::string& name) { return name == schedule.family; });
}

absl::Status AddFromLog(TuningClient& client, const v1::Job& job, BestRecords& best) {
  ASSIGN_OR_RETURN(DeviceInfo device, FromWire(job.device()));
  v1::RecordFilter filter;
  *filter.mutable_problem() = job.spec().problem();
  filter.set_device(device.name);
  filter.set_regime(job.spec().measure().regime());
  filter.set_verified_only(!best.allow_unverified());
  filter.set_toolchain(best.toolchain());
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked, client.Best(filter, kLooked));
  // The job's best is verified.
  const double fastest = best.allow_unverified() ? std::numeric_limits<double>::infinity()
                                                 : job.progress().best_gflops() * (1 + kRounding);
  for (const RankedRecord& entry : ranked) {
    const TuningRecord& record = entry.record;
    if (record.device.ClassKey() != device.ClassKey() || record.Gflops() > fastest) continue;
    if (Searched(job.spec(), record)) best.Add(record);
  }
  return absl::OkStatus();
}

absl::Status TakeRankingFrom(TuningClient& client, const v1::JobSpec& spec, const DeviceInfo& device,
                             BestRecords& best) {
  v1::RecordFilter filter;
  *filter.mutable_problem() = spec.problem();
  filter.set_device(device.name);
  filter.set_regime(spec.measure().regime());
  filter.set_verified_only(!best.allow_unverified());
  filter.set_toolchain(best.toolchain());
  for (const Schedule& schedule : best.schedules()) *filter.add_schedules() = ToWire(schedule);
  ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, client.Best(filter, kLooked));
  std::erase_if(ranked, [&](const RankedRecord& entry) { return entry.record.device.ClassKey() != device.ClassKey(); });
  best.SetRanking(std::move(ranked));
  return absl::OkStatus();
}

/// Ranks the job's schedules as every reader of the log does, or without an answer by its own records alone.
void TakeRanking(TuningClient& client, const v1::JobSpec& spec, BestRecords& best) {
  const std::vector<TuningRecord> top = best.Top(1);
  if (top.empty()) return;
  const absl::Status status = TakeRankingFrom(client, spec, top.front().device, best);
  if (!status.ok())
    LogWarning("the table lacks earlier records, because the log could not be read", {{"why", status.message()}});
}

}  // namespace

std::string ProblemText(const v1::MatmulProblem& problem) {
  const auto own = FromWire(problem);
  return own.ok() ? ProblemText(*own) : "a malformed problem";
}

absl::StatusOr<DeviceInfo> AwaitDevice(Session& session, const v1::JobSpec& spec) {
  constexpr Duration kDevicePatience = std::chrono::seconds(15);
  ASSIGN_OR_RETURN(const DeviceSelector selector, FromWire(spec.device()));
  const TimePoint give_up = Clock::Real().Now() + kDevicePatience;
  for (;;) {
    ASSIGN_OR_RETURN(const v1::ServerInfo info, session.client().Info());
    if (const v1::DeviceInfo* device = MatchingDevice(info, selector)) {
      ASSIGN_OR_RETURN(const DeviceInfo own, FromWire(*device));
      return TargetFor(own, selector.arch);
    }
    RETURN_IF_ERROR(session.CheckWorker());
    if (InterruptGuard::Requested()) return ExitWith(ExitCode::kInterrupted, "interrupted");
    if (Clock::Real().Now() > give_up) {
      return ExitWith(ExitCode::kDevice, absl::StrCat("no worker with device ", DeviceSelectorText(selector),
                                                      " has registered: start mmtune-worker with --server ",
                                                      session.client().given_address()));
    }
    session.Pause(kPoll);
  }
}

absl::StatusOr<JobRunResult> RunJob(Session& session, const JobRunOptions& options, const Console& console) {
  return JobRun(session, options, console).Run();
}

void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best) {
  const v1::JobProgress& progress = run.job.progress();
  if (!run.missed_events) {
    if (!progress.has_best_schedule()) return;
    const auto schedule = FromWire(progress.best_schedule());
    if (schedule.ok() && best.Holds(*schedule)) return;
  }
  if (!progress.has_best_schedule() && !best.allow_unverified()) return;
  const absl::Status status = AddFromLog(client, run.job, best);
  if (!status.ok())
    LogWarning("the table may lack records of this job, because the log could not be read",
               {{"why", status.message()}});
}

void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result) {
  std::vector<RankedRecord> top = result.best.Ranked();
  // Comparing changes the order. A job that measured nothing has the finalists that the log has compared already.
  const v1::JobProgress& progress = result.run.job.progress();
  if (!top.empty() && progress.done() > 0 && progress.from_log() == progress.done()) {
    const Schedule known = KnownReference(top);
    std::stable_partition(top.begin(), top.end(), [&](const RankedRecord& entry) {
      return entry.record.schedule == known || (entry.comparison && entry.comparison->reference == known);
    });
  }
  if (top.size() > count) top.resize(count);
  if (top.size() < 2) return;
  const Schedule reference = KnownReference(top);
  const std::string device_class = top.front().record.device.ClassKey();
  result.best.SetReference(reference);
  result.finalists = top.size();

  JobRunOptions options;
  options.spec = spec;
  options.spec.clear_strategy();
  ClearLimits(options.spec);
  *options.spec.mutable_reference() = ToWire(reference);
  for (const RankedRecord& entry : top) {
    if (entry.record.schedule == reference || (entry.comparison && entry.comparison->reference == reference)) continue;
    *options.spec.add_schedules() = ToWire(entry.record.schedule);
  }
  if (options.spec.schedules_size() == 0) return;
  options.quiet = quiet;
  options.title = absl::StrCat("comparing the ", top.size(), " fastest in fresh processes");
  options.began = result.began;
  options.on_record = [&](const TuningRecord& record) {
    if (record.device.ClassKey() == device_class) result.best.Add(record);
  };
  absl::StatusOr<JobRunResult> run = RunJob(session, options, console);
  if (!run.ok()) {
    result.run.status = run.status();
    return;
  }
  TakeRanking(session.client(), spec, result.best);
  result.finals_seconds = run->job.progress().elapsed_seconds();
  result.run.interrupted |= run->interrupted;
  result.run.status = run->status;
}

absl::StatusOr<TuningResult> RunTuning(const SessionOptions& session_options, const v1::JobSpec& spec,
                                       int64_t finalists, bool quiet, const Console& console, bool allow_unverified) {
  TuningResult result;
  result.best = BestRecords(allow_unverified || !WantsVerification(spec));
  if (session_options.server.empty()) result.load = ReadHostLoad();
  const auto tune = [&](Session& session) -> absl::StatusOr<bool> {
    result.skipped.clear();  // the next job skips for itself: the log answers with times, and not with these
    JobRunOptions options;
    options.spec = spec;
    options.quiet = quiet;
    options.began = result.began;
    if (finalists > 1) options.comparisons_after = finalists - 1;
    options.on_record = [&result](const TuningRecord& record) {
      result.best.Add(record);
      CountSkipped(record, result.skipped);
    };
    absl::StatusOr<JobRunResult> run = RunJob(session, options, console);
    if (!run.ok()) {
      RETURN_IF_ERROR(session.CheckLog());  // the cause, where it is lost
      return run.status();
    }
    result.run = *std::move(run);
    result.log_text = session.log_text();
    if (result.run.coordinator_gone) return true;
    AddMissedRecords(session.client(), result.run, result.best);
    TakeRanking(session.client(), spec, result.best);
    if (finalists > 1 && result.run.status.ok() && !result.run.interrupted) {
      RunFinals(session, spec, static_cast<size_t>(finalists), quiet, console, result);
    }
    return false;
  };
  RETURN_IF_ERROR(RunInSession(session_options, tune, [&](std::string_view note) {
    if (!quiet) console.err << (console.json_progress ? NoteJson(note) : std::string(note)) << std::endl;
  }));
  return result;
}

}  // namespace mmtune
