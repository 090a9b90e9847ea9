// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/tuning_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/coordinator/job_spec.h"
#include "server/tune/session/interrupt.h"

namespace mmtune {
namespace {

// How often a lost coordinator is replaced before the loss is an error.
constexpr int kTakeovers = 10;

constexpr int kLooked = 1000;
// GFLOPS travel as doubles and are compared as such; this much is rounding.
constexpr double kRounding = 1e-9;

bool Searched(const v1::JobSpec& spec, const MatmulProblem& problem, const Schedule& schedule) {
  if (spec.schedules_size() > 0) {
    return std::any_of(spec.schedules().begin(), spec.schedules().end(), [&schedule](const v1::Schedule& wanted) {
      const auto own = FromWire(wanted);
      return own.ok() && *own == schedule;
    });
  }
  if (spec.families().empty()) {
    const auto family = FindKernelFamily(schedule.family);
    return !family.ok() || (*family)->SearchedByDefault(problem);
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
  filter.set_proven_only(!best.allow_unproven());
  filter.set_toolchain(best.toolchain());
  ASSIGN_OR_RETURN(const std::vector<RankedRecord> ranked, client.Best(filter, kLooked));
  // The job's best is a proven one.
  const double fastest =
      best.allow_unproven() ? std::numeric_limits<double>::infinity() : job.progress().best_gflops() * (1 + kRounding);
  for (const RankedRecord& entry : ranked) {
    const TuningRecord& record = entry.record;
    if (record.device.ClassKey() != device.ClassKey() || record.Gflops() > fastest) continue;
    if (Searched(job.spec(), record.problem, record.schedule)) best.Add(record);
  }
  return absl::OkStatus();
}

absl::Status TakeRankingFrom(TuningClient& client, const v1::JobSpec& spec, const DeviceInfo& device,
                             BestRecords& best) {
  v1::RecordFilter filter;
  *filter.mutable_problem() = spec.problem();
  filter.set_device(device.name);
  filter.set_regime(spec.measure().regime());
  filter.set_proven_only(!best.allow_unproven());
  filter.set_toolchain(best.toolchain());
  for (const Schedule& schedule : best.schedules()) *filter.add_schedules() = ToWire(schedule);
  ASSIGN_OR_RETURN(std::vector<RankedRecord> ranked, client.Best(filter, kLooked));
  std::erase_if(ranked, [&](const RankedRecord& entry) { return entry.record.device.ClassKey() != device.ClassKey(); });
  best.SetRanking(std::move(ranked));
  return absl::OkStatus();
}

/// Ranks what the job found as every reader of the log does. Without an answer its own records are ranked.
void TakeRanking(TuningClient& client, const v1::JobSpec& spec, BestRecords& best) {
  const std::vector<TuningRecord> top = best.Top(1);
  if (top.empty()) return;
  const absl::Status status = TakeRankingFrom(client, spec, top.front().device, best);
  if (!status.ok()) LogWarning("the table lacks what the log knows", {{"why", status.message()}});
}

}  // namespace

void AddMissedRecords(TuningClient& client, const JobRunResult& run, BestRecords& best) {
  const v1::JobProgress& progress = run.job.progress();
  if (!run.missed_events) {
    if (!progress.has_best_schedule()) return;
    const auto schedule = FromWire(progress.best_schedule());
    if (schedule.ok() && best.Holds(*schedule)) return;
  }
  if (!progress.has_best_schedule() && !best.allow_unproven()) return;
  const absl::Status status = AddFromLog(client, run.job, best);
  if (!status.ok()) LogWarning("the table may lack rows", {{"why", status.message()}});
}

void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result) {
  std::vector<RankedRecord> top = result.best.Ranked();
  if (top.size() > count) top.resize(count);
  if (top.size() < 2) return;
  const Schedule rival = KnownRival(top);
  const std::string device_class = top.front().record.device.ClassKey();
  result.best.SetRival(rival);
  result.finalists = top.size();

  JobRunOptions options;
  options.spec = spec;
  options.spec.clear_strategy();
  ClearLimits(options.spec);
  *options.spec.mutable_rival() = ToWire(rival);
  for (const RankedRecord& entry : top) {
    if (entry.record.schedule == rival || (entry.comparison && entry.comparison->rival == rival)) continue;
    *options.spec.add_schedules() = ToWire(entry.record.schedule);
  }
  if (options.spec.schedules_size() == 0) return;
  options.quiet = quiet;
  options.title = absl::StrCat("comparing the ", top.size(), " fastest in fresh processes");
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
                                       int64_t finalists, bool quiet, const Console& console, bool allow_unproven) {
  TuningResult result;
  result.best = BestRecords(allow_unproven || !WantsProofs(spec));
  for (int attempt = 0;; ++attempt) {
    ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::Open(session_options));
    result.skipped.clear();  // the next job skips for itself: the log answers with times, and not with these
    JobRunOptions options;
    options.spec = spec;
    options.quiet = quiet;
    options.on_record = [&result](const TuningRecord& record) {
      result.best.Add(record);
      CountSkipped(record, result.skipped);
    };
    auto run = RunJob(*session, options, console);
    const bool lost = run.ok() ? run->coordinator_gone : absl::IsUnavailable(run.status());
    if (session->joined() && lost && !InterruptGuard::Requested() && attempt < kTakeovers) {
      if (!quiet) console.err << "the coordinator joined was lost: going on with the log" << std::endl;
      continue;
    }
    if (!run.ok()) {
      RETURN_IF_ERROR(session->CheckLog());  // the cause, where it is lost
      return run.status();
    }
    result.run = *std::move(run);
    if (!lost) {
      AddMissedRecords(session->client(), result.run, result.best);
      TakeRanking(session->client(), spec, result.best);
    }
    result.log_text = session->log_text();
    if (finalists > 1 && !lost && result.run.status.ok() && !result.run.interrupted) {
      RunFinals(*session, spec, static_cast<size_t>(finalists), quiet, console, result);
    }
    return result;
  }
}

}  // namespace mmtune
