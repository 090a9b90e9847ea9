// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/plain_text.h"
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

constexpr int kMaxSchedules = 4096;
constexpr int64_t kMaxTrials = 10'000'000;
constexpr double kMaxSeconds = 30.0 * 24 * 3600;
constexpr double kMaxBaselinePercent = 1000;

/// Checks one limit of the search, which must be between 0 (no limit) and `most`.
absl::Status CheckLimit(std::string_view field, double value, double most) {
  if (value >= 0 && value <= most) return absl::OkStatus();  // NaN fails both
  return InvalidArgument(absl::StrCat(ToAbsl(field), " is ", value, ": give 0 to ", most));
}

absl::StatusOr<const KernelFamily*> FindFamily(std::string_view name, const std::vector<const KernelFamily*>& known) {
  std::vector<absl::string_view> names;
  for (const KernelFamily* family : known) {
    if (family->name() == name) return family;
    names.push_back(ToAbsl(family->name()));
  }
  return InvalidArgument(
      absl::StrCat("unknown kernel family '", ToAbsl(name), "'; known: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<std::vector<const KernelFamily*>> SelectFamilies(const v1::JobSpec& message,
                                                                const MatmulProblem& problem,
                                                                const std::vector<const KernelFamily*>& known) {
  std::vector<const KernelFamily*> selected;
  for (const std::string& name : message.families()) {
    ASSIGN_OR_RETURN(const KernelFamily* family, FindFamily(name, known));
    if (std::find(selected.begin(), selected.end(), family) == selected.end()) selected.push_back(family);
  }
  return selected.empty() ? SearchedFamilies(problem, known) : selected;
}

absl::Status ParseOnly(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known, JobSpec& spec) {
  if (message.only().empty()) return absl::OkStatus();
  if (!message.families().empty())
    return InvalidArgument("spec.only and spec.families exclude each other: give one of them");
  spec.families.clear();
  for (const std::string& text : message.only()) {
    absl::StatusOr<FamilyPart> part = ParseFamilyPart(text);
    if (!part.ok()) return WithContext(part.status(), "spec.only");
    ASSIGN_OR_RETURN(const KernelFamily* family, FindFamily(part->family, known));
    if (std::find(spec.families.begin(), spec.families.end(), family) != spec.families.end()) {
      return InvalidArgument(absl::StrCat("spec.only names family ", ToAbsl(family->name()), " twice"));
    }
    spec.families.push_back(family);
    spec.only.push_back(*std::move(part));
  }
  return absl::OkStatus();
}

absl::Status CheckStrategy(std::string_view name) {
  const std::vector<std::string>& names = StrategyNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("unknown strategy '", ToAbsl(name), "'; known: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<SchedulingPolicy> ParseSchedulingPolicy(const v1::JobSpec& message, const DeviceSelector& device) {
  SchedulingPolicy policy;
  if (message.weight() != 0) policy.weight = message.weight();
  policy.priority = message.priority();
  absl::StatusOr<Labels> select = FromWire(message.select());
  if (!select.ok()) return WithContext(select.status(), "spec.select");
  policy.select = *std::move(select);
  absl::StatusOr<DeviceClass> device_class = ParseDeviceClass(message.device_class());
  if (!device_class.ok()) return WithContext(device_class.status(), "spec.device_class");
  policy.device_class = *std::move(device_class);
  RETURN_IF_ERROR(policy.Validate());
  const std::optional<DeviceKind>& kind = policy.device_class.kind;
  const DeviceSelector::Kind asked = device.kind;
  if ((kind == DeviceKind::kCuda && asked == DeviceSelector::Kind::kSimt) ||
      (kind == DeviceKind::kSimt && asked == DeviceSelector::Kind::kCuda)) {
    return InvalidArgument(absl::StrCat("device ", DeviceSelectorText(device), " and device class ",
                                        policy.device_class.Text(), " exclude each other: give one of them"));
  }
  return policy;
}

absl::StatusOr<StopLimits> ParseLimits(const v1::JobSpec& message) {
  if (message.trials() < 0 || message.trials() > kMaxTrials) {
    return InvalidArgument(absl::StrCat("spec.trials is ", message.trials(), ": give 0 (no limit) to ", kMaxTrials));
  }
  RETURN_IF_ERROR(CheckLimit("spec.seconds", message.seconds(), kMaxSeconds));
  RETURN_IF_ERROR(CheckLimit("spec.plateau_percent", message.plateau_percent(), 100));
  RETURN_IF_ERROR(CheckLimit("spec.baseline_percent", message.baseline_percent(), kMaxBaselinePercent));
  RETURN_IF_ERROR(CheckLimit("spec.bound_percent", message.bound_percent(), 100));
  if (message.plateau_percent() > 0 && (message.schedules_size() > 0 || !PredictsGain(message.strategy()))) {
    return InvalidArgument("spec.plateau_percent needs a strategy that predicts what a trial gains: model");
  }
  return StopLimits{message.trials(), message.seconds(), message.plateau_percent(), message.baseline_percent(),
                    message.bound_percent()};
}

absl::Status ParseModel(const v1::JobSpec& message, JobSpec& spec) {
  if (!message.has_model()) return absl::OkStatus();
  constexpr size_t kMostId = 64;
  constexpr int64_t kMostParts = 4 * kMostModelParts;  // Beyond kMostModelParts they count as more than one job.
  const v1::ModelShare& share = message.model();
  if (share.id().empty() || share.id().size() > kMostId) {
    return InvalidArgument(absl::StrCat("spec.model.id has ", share.id().size(), " bytes: give 1 to ", kMostId));
  }
  const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!is_positive(share.calls()) || !is_positive(share.time_ns())) {
    return InvalidArgument(absl::StrCat("spec.model has calls ", share.calls(), " and time_ns ", share.time_ns(),
                                        ": give positive numbers"));
  }
  if (share.trials() < 0 || share.trials() > kMaxTrials) {
    return InvalidArgument(
        absl::StrCat("spec.model.trials is ", share.trials(), ": give 0 (no limit) to ", kMaxTrials));
  }
  if (share.parts() < 0 || share.parts() > kMostParts) {
    return InvalidArgument(absl::StrCat("spec.model.parts is ", share.parts(), ": give 0 (not known) to ", kMostParts));
  }
  if (!spec.schedules.empty()) return InvalidArgument("spec.model is for searches: leave spec.schedules out");
  ModelPart& part = spec.model.emplace();
  part = {share.id(), share.calls(), share.time_ns(), std::nullopt, share.trials(), share.parts()};
  if (!share.has_present()) return absl::OkStatus();
  absl::StatusOr<Schedule> present = FromWire(share.present());
  if (!present.ok()) return WithContext(present.status(), "spec.model.present");
  part.present = *std::move(present);
  return absl::OkStatus();
}

absl::Status ParseReference(const v1::JobSpec& message, JobSpec& spec) {
  if (!message.has_reference()) return absl::OkStatus();
  absl::StatusOr<Schedule> reference = FromWire(message.reference());
  if (!reference.ok()) return WithContext(reference.status(), "spec.reference");
  if (spec.schedules.empty()) return InvalidArgument("spec.reference needs spec.schedules to compare with it");
  spec.reference = *std::move(reference);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message) {
  absl::StatusOr<MeasureOptions> measure = FromWire(message.measure());
  return measure.ok() ? measure : WithContext(measure.status(), "spec.measure");
}

bool WantsVerification(const v1::JobSpec& message) {
  const absl::StatusOr<MeasureOptions> measure = MeasureOf(message);
  return !measure.ok() || measure->verification;
}

absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known) {
  JobSpec spec;
  if (!message.has_problem()) return InvalidArgument("spec.problem is missing: give the problem to tune");
  if (!message.trace_id().empty() && !IsTraceId(message.trace_id())) {
    return InvalidArgument(absl::StrCat("spec.trace_id '", Shortened(message.trace_id(), 64),
                                        "' is not a trace id: give 32 hexadecimal digits, lower case, not all 0"));
  }
  absl::StatusOr<MatmulProblem> problem = FromWire(message.problem());
  if (!problem.ok()) return WithContext(problem.status(), "spec.problem");
  spec.problem = *problem;
  absl::StatusOr<DeviceSelector> device = FromWire(message.device());
  if (!device.ok()) return WithContext(device.status(), "spec.device");
  spec.device = *device;
  ASSIGN_OR_RETURN(spec.policy, ParseSchedulingPolicy(message, spec.device));

  ASSIGN_OR_RETURN(spec.limits, ParseLimits(message));
  if (message.schedules_size() > kMaxSchedules) {
    return InvalidArgument(
        absl::StrCat("spec.schedules holds ", message.schedules_size(), ": give at most ", kMaxSchedules));
  }
  for (int i = 0; i < message.schedules_size(); ++i) {
    absl::StatusOr<Schedule> schedule = FromWire(message.schedules(i));
    if (!schedule.ok()) return WithContext(schedule.status(), absl::StrCat("spec.schedules[", i, "]"));
    if (std::find(spec.schedules.begin(), spec.schedules.end(), *schedule) == spec.schedules.end()) {
      spec.schedules.push_back(*std::move(schedule));
    }
  }
  if (spec.schedules.empty()) RETURN_IF_ERROR(CheckStrategy(message.strategy()));
  spec.strategy = message.strategy();
  spec.seed = message.seed();
  spec.remeasure = message.remeasure();
  spec.cold_start = message.cold_start();
  spec.no_skip = message.no_skip();
  spec.no_compile_ahead = message.no_compile_ahead();
  ASSIGN_OR_RETURN(spec.measure, MeasureOf(message));
  if (spec.limits.baseline_percent > 0 && !spec.measure.baseline) {
    return InvalidArgument("spec.baseline_percent needs a baseline: leave spec.measure.baseline on");
  }
  RETURN_IF_ERROR(ParseReference(message, spec));
  RETURN_IF_ERROR(ParseModel(message, spec));
  ASSIGN_OR_RETURN(spec.families, SelectFamilies(message, spec.problem, known));
  RETURN_IF_ERROR(ParseOnly(message, known, spec));
  absl::StatusOr<Numerics> numerics = Numerics::Parse(message.numerics());
  if (!numerics.ok()) return WithContext(numerics.status(), "spec.numerics");
  spec.numerics = *std::move(numerics);
  return spec;
}

void ClearLimits(v1::JobSpec& message) {
  message.clear_trials();
  message.clear_seconds();
  message.clear_plateau_percent();
  message.clear_baseline_percent();
  message.clear_bound_percent();
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
  if (measurement.Ranks(!spec_.measure.verification) && (!best_ || ns < best_ns_)) {
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
