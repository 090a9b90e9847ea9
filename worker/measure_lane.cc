#include "worker/measure_lane.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/child_messages.h"
#include "worker/comparison.h"
#include "worker/failure_text.h"
#include "worker/timing_key.h"

namespace mmtune {
namespace {

// A child loads and checks a candidate at a limit of its own; with an incumbent, a run is cut at this factor over it.
constexpr double kIncumbentFactor = 50;
constexpr size_t kMostTimed = 10'000;

Duration RunLimit(const Candidate& candidate, const EvaluationLimits& limits) {
  const bool cuda = candidate.target.kind == DeviceKind::kCuda;
  double seconds = candidate.problem.Flops() / (cuda ? limits.cuda_flops_per_second : limits.simt_flops_per_second);
  if (candidate.incumbent_ns > 0) seconds = std::min(seconds, kIncumbentFactor * candidate.incumbent_ns * 1e-9);
  seconds = std::min(seconds, 24.0 * 3600);
  return limits.run + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

/// The outcome of an error that the measure child reported.
Outcome FailureOutcome(const absl::Status& status) {
  if (absl::IsAborted(status)) return Outcome::kCrashed;
  if (absl::IsDataLoss(status)) return Outcome::kWrongResult;
  return Outcome::kLaunchFailed;
}

/// Ends an attempt at `step`: a reply that is not `wanted` becomes the outcome. True when the attempt goes on.
bool Accept(Child& child, const absl::StatusOr<worker::Reply>& reply, worker::Reply::ReplyCase wanted,
            std::string_view step, Measurement& measurement) {
  if (reply.ok() && reply->reply_case() == wanted) return true;
  absl::Status status = reply.status();
  if (!reply.ok()) {
    measurement.outcome = absl::IsDeadlineExceeded(status) ? Outcome::kTimedOut : Outcome::kCrashed;
  } else if (reply->has_failure()) {
    status = FromMessage(reply->failure());
    measurement.outcome = FailureOutcome(status);
    if (measurement.outcome != Outcome::kLaunchFailed) child.Retire();
  } else {
    status = absl::DataLossError("the measure child answered something else");
    measurement.outcome = Outcome::kCrashed;
    child.Retire();
  }
  measurement.message = absl::StrCat(ToAbsl(step), ": ", status.message());
  return false;
}

TimeOptions OptionsOf(const Candidate& candidate) {
  TimeOptions options;
  options.budget_seconds = candidate.measure_seconds;
  options.incumbent_ns = candidate.incumbent_ns;
  options.regime = candidate.regime;
  options.precision = candidate.precision;
  options.baseline = candidate.baseline;
  return options;
}

/// A run that was cut short for being slow, or made on a device in doubt, says nothing of another candidate.
bool IsShareable(const Measurement& measurement) {
  return measurement.conditions.health.finding.empty() && measurement.conditions.ended != kSlowerThanIncumbent &&
         measurement.timing.median_ns > 0;
}

/// Not the candidate's doing: goes up as it is.
bool IsOurs(const absl::Status& status) { return absl::IsCancelled(status) || absl::IsUnavailable(status); }

}  // namespace

MeasureLane::MeasureLane(MeasureLaneOptions options) : options_(std::move(options)) {
  thread_ = std::thread([this] { Run(); });
}

MeasureLane::~MeasureLane() {
  queue_.Close();
  thread_.join();
}

void MeasureLane::Run() {
  auto child = std::make_unique<Child>(options_.command);
  while (std::optional<EvaluationPtr> next = queue_.Pop()) {
    const std::string& arch = (*next)->candidate.target.arch;
    if (child->command().arch != arch) {
      ChildCommand command = options_.command;
      command.arch = arch;
      child = std::make_unique<Child>(std::move(command));
    }
    Measure(*child, *std::move(next));
  }
}

void MeasureLane::Measure(Child& child, EvaluationPtr evaluation) {
  if (evaluation->stop->unless_measuring()) return evaluation->done(absl::CancelledError("stopped before measuring"));
  if (LeaseClosed(evaluation->candidate)) {
    return evaluation->done(absl::CancelledError("the lease closed before measuring"));
  }
  if (child.answered() >= options_.limits.calls_per_measure_child) child.Retire();

  const bool seasoned = child.answered() > 0;
  absl::StatusOr<Measurement> measurement = Attempt(child, *evaluation);
  const bool suspect =
      measurement.ok() && measurement->outcome != Outcome::kOk && measurement->outcome != Outcome::kTimedOut;
  if (suspect && seasoned) {
    // The one before may have left the device or the child broken: only a fresh child convicts.
    LogWarning("measured_again", {{"lease", evaluation->candidate.lease}, {"first", measurement->message}});
    child.Retire();
    evaluation->candidate.baseline = false;  // it may be the vendor's library that failed
    measurement = Attempt(child, *evaluation);
  }
  if (!measurement.ok() || measurement->outcome != Outcome::kOk) {
    absl::string_view why = measurement.ok() ? absl::string_view(measurement->message) : measurement.status().message();
    LogWarning("not_measured", {{"lease", evaluation->candidate.lease}, {"error", ToStd(why)}});
    if (measurement.ok() && measurement->outcome != Outcome::kLaunchFailed) child.Retire();
  }
  evaluation->done(std::move(measurement));
}

absl::StatusOr<Measurement> MeasureLane::Attempt(Child& child, const Evaluation& evaluation) {
  const Candidate& candidate = evaluation.candidate;
  const StopToken* stop = evaluation.stop.get();
  Measurement m;
  m.proof = evaluation.measurement.proof;
  m.code_digest = evaluation.kernel.code_digest();
  ASSIGN_OR_RETURN(m.resources, FromWire(evaluation.kernel.resources()));
  ASSIGN_OR_RETURN(m.phases, FromWire(evaluation.kernel.phases()));
  const Duration run_limit = RunLimit(candidate, options_.limits);

  worker::Request load, check, time;
  *load.mutable_load()->mutable_problem() = ToWire(candidate.problem);
  *load.mutable_load()->mutable_kernel() = evaluation.kernel;
  absl::StatusOr<worker::Reply> reply = child.Call(load, WithinLease(options_.limits.load, candidate), stop);
  if (IsOurs(reply.status())) return reply.status();
  if (!Accept(child, reply, worker::Reply::kLoaded, "loading", m)) return m;
  m.phases.load_ms = reply->elapsed_ms();

  check.mutable_check();
  reply = child.Call(check, WithinLease(run_limit, candidate), stop);
  if (IsOurs(reply.status())) return reply.status();
  if (!Accept(child, reply, worker::Reply::kCheck, "checking", m)) return m;
  m.phases.check_ms = reply->elapsed_ms();
  ASSIGN_OR_RETURN(m.check, FromWire(reply->check()));
  if (!m.check.passed) {
    m.outcome = Outcome::kWrongResult;
    m.message = m.check.detail;
    return m;
  }

  m.timing_key = TimingKey(candidate, evaluation.kernel);
  if (std::optional<TimedRun> shared = FindShared(candidate, m)) {
    m.timing = std::move(shared->timing);
    m.conditions = std::move(shared->conditions);
    m.conditions.shared = true;
    m.conditions.comparison.reset();
    m.conditions.failed_attempts.clear();
    return m;
  }
  *time.mutable_time() = ToMessage(OptionsOf(candidate));
  auto budget = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(std::clamp(candidate.measure_seconds, 0.0, 3600.0)));
  {
    TimingGate::Pass pass;
    if (options_.gate != nullptr) pass = options_.gate->EnterTiming(stop);
    reply = child.Call(time, WithinLease(2 * run_limit + budget, candidate), stop);
  }
  if (IsOurs(reply.status())) return reply.status();
  if (!Accept(child, reply, worker::Reply::kTimed, "timing", m)) return m;
  m.phases.timing_ms = reply->elapsed_ms();
  absl::StatusOr<Timing> timing = FromWire(reply->timed().timing());
  if (!timing.ok() || !(timing->median_ns > 0)) {
    m.outcome = Outcome::kCrashed;
    m.message = "timing: the measure child reported no valid time";
    return m;
  }
  m.timing = *std::move(timing);
  ASSIGN_OR_RETURN(m.conditions, FromWire(reply->timed().conditions()));
  if (!m.conditions.health.finding.empty()) {
    RETURN_IF_ERROR(TimeAgain(child, evaluation, 2 * run_limit + budget, m));
    if (m.outcome != Outcome::kOk) return m;
  }
  if (timed_.size() >= kMostTimed) timed_.clear();
  if (IsShareable(m)) timed_[m.timing_key] = {m.timing, m.conditions};
  RETURN_IF_ERROR(CompareWithRival(child, evaluation, run_limit, m));
  return m;
}

absl::Status MeasureLane::TimeAgain(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) {
  const Candidate& candidate = evaluation.candidate;
  const StopToken* stop = evaluation.stop.get();
  LogWarning("timed_again", {{"lease", candidate.lease}, {"finding", m.conditions.health.finding}});
  const TimePoint until = Clock::Real().Now() + options_.limits.unhealthy_pause;
  while (Clock::Real().Now() < until && !stop->now()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  TimeOptions options = OptionsOf(candidate);
  options.baseline = false;
  worker::Request time;
  *time.mutable_time() = ToMessage(options);
  absl::StatusOr<worker::Reply> reply;
  {
    TimingGate::Pass pass;
    if (options_.gate != nullptr) pass = options_.gate->EnterTiming(stop);
    reply = child.Call(time, WithinLease(limit, candidate), stop);
  }
  if (IsOurs(reply.status())) return reply.status();
  if (absl::IsDeadlineExceeded(reply.status())) return absl::OkStatus();  // the first run was in time
  if (!Accept(child, reply, worker::Reply::kTimed, "timing again", m)) return absl::OkStatus();
  m.phases.timing_ms += reply->elapsed_ms();
  ASSIGN_OR_RETURN(Timing timing, FromWire(reply->timed().timing()));
  ASSIGN_OR_RETURN(Conditions conditions, FromWire(reply->timed().conditions()));
  if (!conditions.health.finding.empty() || !(timing.median_ns > 0)) return absl::OkStatus();
  conditions.baseline = std::move(m.conditions.baseline);
  m.timing = std::move(timing);
  m.conditions = std::move(conditions);
  return absl::OkStatus();
}

absl::Status MeasureLane::CompareWithRival(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) {
  if (evaluation.rival_kernel.image().empty()) return absl::OkStatus();
  child.Retire();  // it holds memory of the device
  TimingGate::Pass pass;
  if (options_.gate != nullptr) pass = options_.gate->EnterTiming(evaluation.stop.get());
  absl::StatusOr<Comparison> comparison = Compare(child.command(), evaluation, 4 * limit);
  if (IsOurs(comparison.status())) return comparison.status();
  if (comparison.ok()) {
    m.conditions.comparison = *std::move(comparison);
  } else {
    const std::string why = absl::StrCat("comparing: ", comparison.status().message());
    LogWarning("not_compared", {{"lease", evaluation.candidate.lease}, {"error", why}});
    m.conditions.failed_attempts.push_back({Outcome::kCrashed, OneLine(why), Provenance::kWorker});
  }
  return absl::OkStatus();
}

std::optional<TimedRun> MeasureLane::FindShared(const Candidate& candidate, const Measurement& measurement) {
  if (candidate.remeasure) return std::nullopt;
  if (auto at = timed_.find(measurement.timing_key); at != timed_.end()) return at->second;
  if (candidate.find_measured == nullptr) return std::nullopt;
  absl::StatusOr<std::optional<Measurement>> found = candidate.find_measured(measurement.timing_key);
  if (!found.ok()) {
    LogWarning("not_looked_up", {{"lease", candidate.lease}, {"error", ToStd(found.status().message())}});
    return std::nullopt;
  }
  if (!*found || !IsShareable(**found)) return std::nullopt;
  return TimedRun{(*found)->timing, (*found)->conditions};
}

}  // namespace mmtune
