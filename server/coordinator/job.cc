// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/types/compilation.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"
#include "proto/wire/convert.h"
#include "search/space/search_space.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {
namespace {

constexpr std::pair<JobState, v1::JobState> kStates[] = {
    {JobState::kWaiting, v1::JOB_STATE_WAITING}, {JobState::kRunning, v1::JOB_STATE_RUNNING},
    {JobState::kDone, v1::JOB_STATE_DONE},       {JobState::kCancelled, v1::JOB_STATE_CANCELLED},
    {JobState::kFailed, v1::JOB_STATE_FAILED},   {JobState::kInterrupted, v1::JOB_STATE_INTERRUPTED}};

std::optional<JobState> KnownState(v1::JobState state) {
  for (const auto& [own, wire] : kStates) {
    if (wire == state) return own;
  }
  return std::nullopt;
}

}  // namespace

v1::JobState ToWire(JobState state) {
  for (const auto& [own, wire] : kStates) {
    if (own == state) return wire;
  }
  return v1::JOB_STATE_UNSPECIFIED;
}

std::string_view JobStateName(v1::JobState state) {
  const std::optional<JobState> known = KnownState(state);
  return known ? JobStateName(*known) : "unknown";
}

bool IsFinal(v1::JobState state) {
  const std::optional<JobState> known = KnownState(state);
  return known && IsFinal(*known);
}

namespace {

/// The number of skipped schedules per trial that do not count as trials. More count, because compiling takes time.
constexpr int64_t kSkippedPerTrial = 4;

}  // namespace

TuningJob::TuningJob(JobRow row, v1::JobSpec message, JobSpec spec, const Clock& clock)
    : row_(std::move(row)), message_(std::move(message)), spec_(std::move(spec)), clock_(clock) {}

void TuningJob::SetState(JobState state, std::string message) {
  row_.state = state;
  row_.message = std::move(message);
  if (!IsFinal(state)) return;
  ended_ = clock_.Now();
  plan_.strategy.reset();
  plan_.space.reset();
  plan_number_ = 0;
}

void TuningJob::Start(JobPlan plan) {
  plan_ = std::move(plan);
  space_size_ = plan_.space_size;
  prior_observations_ = static_cast<int64_t>(plan_.prior_observations);
  log_error_ = plan_.log_error;
  started_ = clock_.Now();
}

void TuningJob::StartOver() {
  target_.reset();
  plan_.strategy.reset();
  plan_ = {};
  plan_number_ = 0;
  stalled_ = false;
  started_.reset();
  space_size_ = {};
  prior_observations_ = proposed_ = done_ = from_log_ = skipped_ = unchosen_ = compiling_ = 0;
  trial_ms_ = 0;
  end_reason_.clear();
  log_error_.clear();
  unmeasured_in_a_row_ = 0;
  outcomes_.clear();
  best_ns_ = best_gflops_ = 0;
  best_.reset();
  timed_.clear();
  learned_ = 0;
  best_by_worker_.clear();
  baseline_percent_ = bound_percent_ = std::nullopt;
}

std::vector<Schedule> TuningJob::Propose(int n) {
  if (!started() || stalled_ || ProposalsExhausted()) return {};
  if (spec_.limits.trials > 0) n = static_cast<int>(std::min<int64_t>(n, spec_.limits.trials + Free() - proposed_));
  std::vector<Schedule> schedules = plan_.strategy->Propose(n);
  proposed_ += static_cast<int64_t>(schedules.size());
  stalled_ = schedules.empty();
  return schedules;
}

bool TuningJob::ProposalsExhausted() const {
  return !end_reason_.empty() || spec_.limits.Reached(State()).has_value() || plan_.strategy->Exhausted();
}

bool TuningJob::ProposingDone() const { return started() && ((stalled_ && compiling_ == 0) || ProposalsExhausted()); }

std::vector<Schedule> TuningJob::ToCompile() {
  if (!started() || ProposalsExhausted()) return {};
  std::vector<Schedule> schedules = plan_.strategy->ToCompile();
  compiling_ += static_cast<int64_t>(schedules.size());
  return schedules;
}

void TuningJob::TakeCompiled(const CompiledFacts& facts) {
  if (!started()) return;
  --compiling_;
  stalled_ = false;
  plan_.strategy->Compiled({facts});
}

std::string TuningJob::StopReason() const {
  if (!started() || !spec_.schedules.empty()) return "";
  if (!end_reason_.empty()) return end_reason_;
  if (std::optional<std::string> reached = spec_.limits.Reached(State())) return *std::move(reached);
  return plan_.strategy->Exhausted() ? "every valid schedule was tried" : "";
}

bool TuningJob::ReachedHardLimit() const {
  return started() && (!end_reason_.empty() || spec_.limits.ReachedHardLimit(State()));
}

MatmulProgress TuningJob::ToMatmulProgress(int64_t running) const {
  const ModelPart& part = *spec_.model;
  MatmulProgress progress;
  progress.weight = part.calls;
  progress.time_ns = best_ns_ > 0 ? best_ns_ : part.time_ns;
  progress.trials = Trials();
  if (const auto ok = outcomes_.find(std::string(OutcomeName(Outcome::kOk))); ok != outcomes_.end()) {
    progress.ran = ok->second;
  }
  progress.running = running;
  if (started()) progress.expected_gain = plan_.strategy->ExpectedGain();
  if (done_ > 0) progress.trial_seconds = trial_ms_ / 1e3 / static_cast<double>(done_);
  progress.exhausted = IsFinal(row_.state) || (started() && plan_.strategy->Exhausted());
  return progress;
}

SearchState TuningJob::State() const {
  SearchState state{proposed_ - Free(), ElapsedSeconds(), std::nullopt, baseline_percent_, bound_percent_};
  if (const std::optional<double> gain = plan_.strategy->ExpectedGain()) state.gain_percent = 100 * *gain;
  return state;
}

bool TuningJob::OutOfTime() const {
  return started() && spec_.limits.seconds > 0 && ElapsedSeconds() >= spec_.limits.seconds;
}

std::optional<TimePoint> TuningJob::TimeLimit() const {
  if (!started() || spec_.limits.seconds <= 0) return std::nullopt;
  auto limit = FromSeconds(spec_.limits.seconds);
  return *started_ + limit;
}

void TuningJob::Observe(const TuningRecord& record, bool from_log) {
  const Measurement& measurement = record.measurement;
  ++done_;
  if (from_log) ++from_log_;
  if (!from_log) unmeasured_in_a_row_ = 0;
  ++outcomes_[std::string(OutcomeName(measurement.outcome))];
  const bool skipped = measurement.outcome == Outcome::kSkipped;
  if (skipped) ++skipped_;
  trial_ms_ += TrialMs(measurement.phases);
  const double ns = measurement.timing.median_ns;
  if (Comparable(measurement)) {
    double& best = best_by_worker_.try_emplace(record.worker, ns).first->second;
    best = std::min(best, ns);
  }
  const bool ranks = measurement.Ranks(!spec_.measure.verification);
  if (ranks && spec_.model) timed_.push_back({record.schedule, ns});
  if (ranks && (!best_ || ns < best_ns_)) {
    best_ns_ = ns;
    best_gflops_ = record.Gflops();
    best_ = std::make_shared<const Schedule>(record.schedule);
    // Not every record has a baseline. The percentage of an earlier, slower record is a correct lower bound.
    if (const auto percent = PercentOfBaseline(record)) baseline_percent_ = percent;
    bound_percent_ = PercentOfPeak(record);
  }
  stalled_ = false;
  if (started()) {
    plan_.strategy->Observe({{record.schedule, measurement.outcome, skipped ? measurement.timing.low_ns : ns,
                              CompileMs(measurement.phases), DeviceMs(measurement.phases)}});
  }
}

void TuningJob::ObserveUnmeasured(const Schedule& schedule) {
  ++done_;
  ++unmeasured_in_a_row_;
  ++outcomes_["not_measured"];
  stalled_ = false;
  // The strategy must neither wait for it nor learn from it.
  if (started()) plan_.strategy->Observe({{schedule, Outcome::kUnstable, 0}});
}

void TuningJob::ObserveUnchosen() {
  ++proposed_;
  ++done_;
  ++unchosen_;
  ++outcomes_[std::string(OutcomeName(Outcome::kSkipped))];
}

bool TuningJob::MayCompileAhead() const {
  return !spec_.no_compile_ahead && !spec_.reference && target_->device.kind != DeviceKind::kSimt;
}

bool TuningJob::MaySkip() const {
  return !spec_.no_skip && !spec_.remeasure && !spec_.reference && spec_.schedules.empty() &&
         spec_.strategy != kExhaustive;
}

double TuningJob::skip_above_ns() const { return MaySkip() ? kSkipMargin * best_ns_ : 0; }

int64_t TuningJob::Trials() const {
  const int64_t measured = done_ - skipped_ - unchosen_;
  return measured + std::max<int64_t>(0, skipped_ - kSkippedPerTrial * measured);
}

int64_t TuningJob::Free() const { return std::min(skipped_, kSkippedPerTrial * spec_.limits.trials) + unchosen_; }

double TuningJob::BestOf(absl::FunctionRef<bool(const std::string& worker)> matches) const {
  double best = 0;
  for (const auto& [worker, ns] : best_by_worker_) {
    if ((best == 0 || ns < best) && matches(worker)) best = ns;
  }
  return best;
}

double TuningJob::ElapsedSeconds() const {
  if (!started_) return 0;
  return Seconds(ended_.value_or(clock_.Now()) - *started_);
}

int64_t TuningJob::Planned() const {
  int64_t most = spec_.schedules.empty() ? space_size_.schedules : static_cast<int64_t>(spec_.schedules.size());
  if (spec_.limits.trials == 0) return most;
  const int64_t trials = spec_.limits.trials + Free();
  return most == 0 ? trials : std::min(trials, most);
}

v1::JobProgress TuningJob::Progress() const {
  v1::JobProgress progress = Figures();
  if (best_) *progress.mutable_best_schedule() = mmtune::ToWire(*best_);
  return progress;
}

v1::JobProgress TuningJob::Figures() const {
  v1::JobProgress progress;
  progress.set_proposed(proposed_);
  progress.set_done(done_);
  progress.set_planned(Planned());
  progress.set_from_log(from_log_);
  for (const auto& [name, count] : outcomes_) (*progress.mutable_outcomes())[name] = count;
  progress.set_best_gflops(best_gflops_);
  progress.set_elapsed_seconds(ElapsedSeconds());
  return progress;
}

v1::Job TuningJob::ToWire() const {
  v1::Job job;
  job.set_uuid(row_.uuid);
  *job.mutable_spec() = message_;
  job.set_state(mmtune::ToWire(row_.state));
  job.set_message(row_.message);
  if (target_) *job.mutable_device() = mmtune::ToWire(target_->device);
  *job.mutable_progress() = Progress();
  job.set_created_unix_millis(row_.created_unix_millis);
  job.set_space_size(space_size_.schedules);
  job.set_space_size_estimated(space_size_.estimated);
  job.set_prior_observations(prior_observations_);
  job.set_log_error(log_error_);
  return job;
}

EventDraft TuningJob::ToEvent() const {
  v1::JobEvent event;
  event.set_state(mmtune::ToWire(row_.state));
  event.set_message(row_.message);
  *event.mutable_progress() = Figures();
  EventDraft draft(std::move(event));
  draft.best = best_;
  return draft;
}

}  // namespace mmtune
