// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/measure_lane.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/children/child.h"
#include "worker/children/sample_statistics.h"

namespace mmtune {
namespace {

// With an incumbent, a run may take this many times as long.
constexpr double kIncumbentFactor = 50;
constexpr size_t kMaxTimed = 10'000;
constexpr char kTiming[] = "timing";

Duration RunLimit(const Candidate& candidate, const EvaluationLimits& limits) {
  const bool cuda = candidate.target.kind == DeviceKind::kCuda;
  double seconds = candidate.problem.Flops() / (cuda ? limits.cuda_flops_per_second : limits.simt_flops_per_second);
  if (candidate.incumbent_ns > 0) seconds = std::min(seconds, kIncumbentFactor * candidate.incumbent_ns * 1e-9);
  seconds = std::min(seconds, 24.0 * 3600);
  return limits.run + FromSeconds(seconds);
}

/// The outcome of an error that the measure child reported.
Outcome FailureOutcome(const absl::Status& status) {
  if (absl::IsAborted(status) || absl::IsUnavailable(status)) return Outcome::kCrashed;
  if (absl::IsDataLoss(status)) return Outcome::kWrongResult;
  return Outcome::kLaunchFailed;
}

/// The device is lost, others have its memory, or its driver is too old.
bool IsOfDevice(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) || absl::IsUnimplemented(status);
}

/// Ends an attempt. `provenance` is what the failure is put down to unless it happens again.
void Fail(Measurement& measurement, Outcome outcome, std::string message, Provenance provenance) {
  measurement.outcome = outcome;
  measurement.message = std::move(message);
  measurement.conditions.failed_attempts = {{outcome, measurement.message, provenance}};
}

/// Ends an attempt at `step`: a reply that is not `wanted` becomes the outcome. True when the attempt goes on.
bool Accept(Child& child, bool seasoned, const absl::StatusOr<worker::Reply>& reply, worker::Reply::ReplyCase wanted,
            std::string_view step, Measurement& measurement) {
  if (reply.ok() && reply->reply_case() == wanted) return true;
  absl::Status status = reply.status();
  Outcome outcome = Outcome::kCrashed;
  Provenance provenance = FailedAttempts::UnlessRepeated(seasoned);
  if (!reply.ok()) {
    if (absl::IsDeadlineExceeded(status)) outcome = Outcome::kTimedOut;
    if (absl::IsDataLoss(status)) provenance = Provenance::kWorker;
  } else if (reply->has_failure()) {
    status = FromMessage(reply->failure());
    outcome = FailureOutcome(status);
    if (IsOfDevice(status)) provenance = Provenance::kInfrastructure;
    if (outcome != Outcome::kLaunchFailed) child.Retire();
  } else {
    status = absl::DataLossError("the measure child sent an unexpected reply");
    provenance = Provenance::kWorker;
    child.Retire();
  }
  Fail(measurement, outcome, absl::StrCat(ToAbsl(step), ": ", status.message()), provenance);
  return false;
}

bool RanOutOfTimeTiming(const FailedAttempt& attempt) {
  return attempt.outcome == Outcome::kTimedOut && absl::StartsWith(attempt.message, absl::StrCat(kTiming, ": "));
}

/// A run that was cut short for being slow, or made on a device in doubt, says nothing of another candidate.
bool IsShareable(const Measurement& measurement) {
  return measurement.conditions.health.finding.empty() && measurement.conditions.ended != kEndedSlower &&
         measurement.timing.median_ns > 0;
}

/// Aborted when the child ended or sent nonsense.
absl::StatusOr<worker::Compared> CompareIn(Child child, const worker::Request& request, Duration limit,
                                           const StopToken* stop) {
  absl::StatusOr<worker::Reply> called = child.Call(request, limit, stop);
  if (absl::IsDataLoss(called.status())) return absl::AbortedError(called.status().message());
  ASSIGN_OR_RETURN(worker::Reply reply, std::move(called));
  if (reply.has_failure()) return FromMessage(reply.failure());
  if (!reply.has_compared()) return absl::AbortedError("the measure child sent an unexpected reply");
  return reply.compared();
}

}  // namespace

MeasureLane::MeasureLane(ChildOptions options) : options_(std::move(options)) {
  thread_ = std::thread([this] { Run(); });
}

MeasureLane::~MeasureLane() {
  queue_.Close();
  thread_.join();
}

void MeasureLane::Run() {
  auto child = std::make_unique<Child>(options_.command);
  while (EvaluationPtr next = queue_.Pop()) {
    const std::string& arch = next->candidate.target.arch;
    if (child->command().arch != arch) {
      ChildCommand command = options_.command;
      command.arch = arch;
      child = std::make_unique<Child>(std::move(command));
    }
    Measure(*child, std::move(next));
  }
}

void MeasureLane::Measure(Child& child, EvaluationPtr evaluation) {
  if (child.answered() >= options_.limits.calls_per_measure_child) child.Retire();

  absl::StatusOr<Measurement> measurement = MeasureWithRetries(child, *evaluation);
  if (!measurement.ok() || measurement->outcome != Outcome::kOk) {
    absl::string_view why = measurement.ok() ? absl::string_view(measurement->message) : measurement.status().message();
    Log(LogLevel::kWarning, "not_measured", evaluation->candidate.subject, {{"error", ToStd(why)}});
    if (measurement.ok() && measurement->outcome != Outcome::kLaunchFailed) child.Retire();
  }
  evaluation->done(std::move(measurement));
}

absl::StatusOr<Measurement> MeasureLane::MeasureWithRetries(Child& child, const Evaluation& evaluation) {
  FailedAttempts failed;
  for (;;) {
    // The vendor's library may be what failed: further attempts go without it, and so does the lane if it cost a whole
    // limit.
    const bool baseline = failed.empty() && !baseline_hangs_;
    ASSIGN_OR_RETURN(Measurement m, Attempt(child, evaluation, baseline));
    if (m.outcome == Outcome::kOk && !failed.empty()) baseline_hangs_ |= RanOutOfTimeTiming(failed.last());
    if (m.outcome != Outcome::kOk) {
      failed.Add(m.conditions.failed_attempts.front());
      m.conditions.failed_attempts.clear();
    }
    if (m.outcome == Outcome::kOk || failed.Settled()) {
      if (m.outcome != Outcome::kOk && failed.IsDeviceFault()) return Unavailable(failed.last().message);
      const std::vector<FailedAttempt> measuring = failed.Attributed(m.outcome);
      std::vector<FailedAttempt>& all = m.conditions.failed_attempts;
      all.insert(all.begin(), measuring.begin(), measuring.end());
      const std::vector<FailedAttempt>& compiling = evaluation.measurement.conditions.failed_attempts;
      all.insert(all.begin(), compiling.begin(), compiling.end());
      return m;
    }
    // The candidate before may have left the device or the child broken: only what happens again in a fresh child
    // convicts.
    Log(LogLevel::kWarning, "measured_again", evaluation.candidate.subject, {{"first", failed.last().message}});
    child.Retire();
  }
}

absl::StatusOr<Measurement> MeasureLane::Attempt(Child& child, const Evaluation& evaluation, bool baseline) {
  const Candidate& candidate = evaluation.candidate;
  const StopToken* stop = evaluation.stop.get();
  Measurement m;
  m.verification = evaluation.measurement.verification;
  m.code_digest = evaluation.kernel.code_digest();
  ASSIGN_OR_RETURN(m.resources, FromWire(evaluation.kernel.resources()));
  ASSIGN_OR_RETURN(m.phases, FromWire(evaluation.kernel.phases()));
  m.phases.verify_ms = evaluation.measurement.phases.verify_ms;
  // The message of a kernel that is measured, so that its record tells why it may be slow.
  if (evaluation.kernel.warnings_size() > 0) {
    m.message = OneLine(absl::StrCat("ptxas: ", absl::StrJoin(evaluation.kernel.warnings(), "; ")));
  }
  const Duration run_limit = RunLimit(candidate, options_.limits);
  const bool seasoned = child.answered() > 0;

  ASSIGN_OR_RETURN(TimingGate::Pass pass, EnterShared(options_.gate, evaluation));
  worker::Request load = RequestAbout(candidate), check = RequestAbout(candidate);
  *load.mutable_load()->mutable_problem() = ToWire(candidate.problem);
  *load.mutable_load()->mutable_kernel() = evaluation.kernel;
  absl::StatusOr<worker::Reply> reply = child.Call(load, WithinLease(options_.limits.load, candidate), stop);
  if (IsWorkerFailure(reply.status())) return reply.status();
  if (!Accept(child, seasoned, reply, worker::Reply::kLoaded, "loading", m)) return m;
  m.phases.load_ms = reply->elapsed_ms();

  check.mutable_check();
  reply = child.Call(check, WithinLease(run_limit, candidate), stop);
  if (IsWorkerFailure(reply.status())) return reply.status();
  if (!Accept(child, seasoned, reply, worker::Reply::kCheck, "checking", m)) return m;
  m.phases.check_ms = reply->elapsed_ms();
  ASSIGN_OR_RETURN(m.check, FromWire(reply->check()));
  if (!m.check.passed) {
    Fail(m, Outcome::kWrongResult, m.check.detail, FailedAttempts::UnlessRepeated(seasoned));
    return m;
  }

  pass = {};
  m.timing.regime = std::string(RegimeName(candidate.measure.regime));  // of a failure, too
  m.timing_key = TimingKey(candidate, evaluation.kernel);
  if (std::optional<TimedRun> shared = FindShared(candidate, m)) {
    m.timing = std::move(shared->timing);
    m.conditions = std::move(shared->conditions);
    m.conditions.shared = true;
    m.conditions.comparison.reset();
    m.conditions.failed_attempts.clear();
    return m;
  }
  const Duration budget = FromSeconds(candidate.measure.budget_seconds);
  reply = CallTime(child, evaluation, baseline, 2 * run_limit + budget);
  if (IsWorkerFailure(reply.status())) return reply.status();
  if (!Accept(child, seasoned, reply, worker::Reply::kTimed, kTiming, m)) return m;
  m.phases.timing_ms = reply->elapsed_ms();
  absl::StatusOr<Timing> timing = FromWire(reply->timed().timing());
  if (!timing.ok() || !(timing->median_ns > 0)) {
    Fail(m, Outcome::kCrashed, "timing: the measure child reported no valid time", Provenance::kWorker);
    return m;
  }
  m.timing = *std::move(timing);
  ASSIGN_OR_RETURN(m.conditions, FromWire(reply->timed().conditions()));
  if (candidate.measure.baseline && !baseline && candidate.target.kind == DeviceKind::kCuda) {
    m.conditions.baseline.reason = "left out: an earlier attempt with a baseline failed";
  }
  if (!m.conditions.health.finding.empty()) {
    RETURN_IF_ERROR(TimeAgain(child, evaluation, 2 * run_limit + budget, m));
    if (m.outcome != Outcome::kOk) return m;
  }
  if (timed_.size() >= kMaxTimed) timed_.clear();
  if (IsShareable(m)) {
    timed_[m.timing_key] = {m.timing, m.conditions};
  } else {
    m.timing_key.clear();  // so that nobody finds it
  }
  RETURN_IF_ERROR(CompareWithReference(child, evaluation, run_limit, m));
  return m;
}

absl::StatusOr<worker::Reply> MeasureLane::CallTime(Child& child, const Evaluation& evaluation, bool baseline,
                                                    Duration limit) const {
  worker::Request time = RequestAbout(evaluation.candidate);
  TimeOptions options{evaluation.candidate.measure, evaluation.candidate.incumbent_ns};
  options.measure.baseline &= baseline;
  *time.mutable_time() = ToMessage(options);
  ASSIGN_OR_RETURN(const TimingGate::Pass pass, EnterTiming(options_.gate, evaluation));
  return child.Call(time, WithinLease(limit, evaluation.candidate), evaluation.stop.get());
}

absl::Status MeasureLane::TimeAgain(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) {
  const StopToken* stop = evaluation.stop.get();
  Log(LogLevel::kWarning, "timed_again", evaluation.candidate.subject, {{"finding", m.conditions.health.finding}});
  const TimePoint until = Clock::Real().Now() + options_.limits.unhealthy_pause;
  while (Clock::Real().Now() < until && !stop->now()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const absl::StatusOr<worker::Reply> reply = CallTime(child, evaluation, /*baseline=*/false, limit);
  if (IsWorkerFailure(reply.status())) return reply.status();
  if (absl::IsDeadlineExceeded(reply.status())) return absl::OkStatus();  // the first run was in time
  if (!Accept(child, /*seasoned=*/true, reply, worker::Reply::kTimed, "timing again", m)) return absl::OkStatus();
  m.phases.timing_ms += reply->elapsed_ms();
  ASSIGN_OR_RETURN(Timing timing, FromWire(reply->timed().timing()));
  ASSIGN_OR_RETURN(Conditions conditions, FromWire(reply->timed().conditions()));
  if (!conditions.health.finding.empty() || !(timing.median_ns > 0)) return absl::OkStatus();
  conditions.baseline = std::move(m.conditions.baseline);
  m.timing = std::move(timing);
  m.conditions = std::move(conditions);
  return absl::OkStatus();
}

absl::Status MeasureLane::CompareWithReference(Child& child, const Evaluation& evaluation, Duration limit,
                                               Measurement& m) const {
  if (evaluation.reference_kernel.image().empty()) return absl::OkStatus();
  child.Retire();  // it holds memory of the device
  absl::StatusOr<Comparison> comparison = Compare(child.command(), evaluation, 4 * limit, options_.gate);
  if (IsWorkerFailure(comparison.status())) return comparison.status();
  if (comparison.ok()) {
    m.conditions.comparison = *std::move(comparison);
  } else {
    const std::string why = absl::StrCat(ToAbsl(kComparing), comparison.status().message());
    Log(LogLevel::kWarning, "not_compared", evaluation.candidate.subject, {{"error", why}});
    const bool late = absl::IsDeadlineExceeded(comparison.status());
    m.conditions.failed_attempts.push_back(
        {late ? Outcome::kTimedOut : FailureOutcome(comparison.status()), OneLine(why), Provenance::kWorker});
  }
  return absl::OkStatus();
}

std::optional<TimedRun> MeasureLane::FindShared(const Candidate& candidate, const Measurement& measurement) {
  if (candidate.remeasure) return std::nullopt;
  const auto suffices = [&](const Conditions& conditions) { return conditions.SufficeFor(candidate.measure); };
  auto at = timed_.find(measurement.timing_key);
  if (at != timed_.end() && suffices(at->second.conditions)) return at->second;
  if (candidate.find_measured == nullptr) return std::nullopt;
  absl::StatusOr<std::optional<Measurement>> found = candidate.find_measured(measurement.timing_key);
  if (!found.ok()) {
    Log(LogLevel::kWarning, "not_looked_up", candidate.subject,
        {{"error", ToStd(found.status().message())},
         {"effect", "the candidate is timed even if there is an earlier time"}});
    return std::nullopt;
  }
  if (!*found || !IsShareable(**found) || !suffices((*found)->conditions)) return std::nullopt;
  return TimedRun{(*found)->timing, (*found)->conditions};
}

absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate) {
  const Candidate& candidate = evaluation.candidate;
  worker::Request request = RequestAbout(candidate);
  worker::CompareRequest& compare = *request.mutable_compare();
  *compare.mutable_problem() = ToWire(candidate.problem);
  *compare.mutable_kernel() = evaluation.kernel;
  *compare.mutable_reference() = evaluation.reference_kernel;
  *compare.mutable_measure() = ToWire(candidate.measure);

  Comparison comparison;
  comparison.reference = *candidate.reference;
  for (int process = 0; process < kComparedProcesses; ++process) {
    compare.set_reference_first(process % 2 == 1);
    ASSIGN_OR_RETURN(const TimingGate::Pass pass, EnterTiming(gate, evaluation));
    worker::Compared compared;
    for (int run = 0; run == 0 || (run == 1 && !compared.finding().empty()); ++run) {  // in doubt: once more
      ASSIGN_OR_RETURN(compared,
                       CompareIn(Child(command), request, WithinLease(limit, candidate), evaluation.stop.get()));
    }
    if (comparison.finding.empty()) comparison.finding = compared.finding();
    comparison.ratios.push_back(compared.ratio());
    comparison.medians_ns.push_back(compared.median_ns());
    comparison.reference_medians_ns.push_back(compared.reference_median_ns());
  }
  const MedianInterval interval = MedianOf(comparison.ratios);
  comparison.ratio = interval.median;
  comparison.low = interval.low;
  comparison.high = interval.high;
  RETURN_IF_ERROR(comparison.Validate());
  RETURN_IF_ERROR(comparison.CheckConsistency());
  return comparison;
}

}  // namespace mmtune
