// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_plan.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"
#include "search/cost_model/portable_math.h"
#include "search/cost_model/prior_observations.h"

namespace mmtune {
namespace {

absl::StatusOr<std::vector<PriorObservation>> Learn(const JobPlanRequest& request, const SearchSpace& space) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, request.open_log());
  const MeasureOptions& measure = request.spec.measure;
  TimesFilter times;
  times.kind = request.device.kind;
  times.regime = measure.regime;
  times.verified_only = measure.verification;
  times.before_unix_millis = request.created_unix_millis;
  return ReadPriorObservations(*log, {request.spec.problem, request.device, request.toolchain, times}, space);
}

double Doublings(int64_t a, int64_t b) {
  return std::abs(Settled(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b))));
}

/// Returns the key by which sources are sorted, nearest first. No two sources have the same key.
auto Distance(const TimedSource& source, const WarmStartTarget& target) {
  return std::tuple(!(source.problem == target.problem), source.device.ClassKey() != target.device.ClassKey(),
                    !SameTypes(source.problem, target.problem), SizeDistance(source.problem, target.problem),
                    source.problem.CanonicalJson(), source.device.ClassKey());
}

std::vector<TimedSource> NearestFirst(const std::vector<TimedSource>& sources, const WarmStartTarget& target) {
  using Placed = std::pair<decltype(Distance({}, target)), size_t>;
  std::vector<Placed> placed;
  for (size_t i = 0; i < sources.size(); ++i) placed.emplace_back(Distance(sources[i], target), i);
  const size_t asked = std::min(placed.size(), kMostSources);
  std::partial_sort(placed.begin(), placed.begin() + static_cast<int64_t>(asked), placed.end());
  std::vector<TimedSource> nearest;
  for (size_t i = 0; i < asked; ++i) nearest.push_back(sources[placed[i].second]);
  return nearest;
}

bool IsOwn(const TimedSource& source, const WarmStartTarget& target) {
  return source.problem == target.problem && source.device.ClassKey() == target.device.ClassKey();
}

/// The toolchains of prior observations, and when each was last used.
class Toolchains {
 public:
  explicit Toolchains(const Toolchain& own) { last_used_[own.Digest()] = INT64_MAX; }

  /// Notes the toolchain of a time, and returns its digest.
  const std::string& Note(const MeasuredTime& time) {
    if (!(noted_ == time.toolchain) || noted_digest_.empty()) {
      noted_ = time.toolchain;
      noted_digest_ = noted_.Digest();
    }
    int64_t& last = last_used_.try_emplace(noted_digest_, time.unix_millis).first->second;
    last = std::max(last, time.unix_millis);
    return noted_digest_;
  }

  /// Returns the weight of each toolchain by digest, once all are noted.
  std::map<std::string, double> Weights() const {
    std::vector<std::pair<int64_t, std::string>> by_use;
    for (const auto& [digest, last] : last_used_) by_use.emplace_back(last, digest);
    std::sort(by_use.rbegin(), by_use.rend());
    std::map<std::string, double> weights;
    for (const auto& [last, digest] : by_use) weights[digest] = 1.0 / (1.0 + static_cast<double>(weights.size()));
    return weights;
  }

 private:
  std::map<std::string, int64_t> last_used_;  ///< By digest, in Unix milliseconds.
  Toolchain noted_;                           ///< The last one noted, which is often the next one, too.
  std::string noted_digest_;
};

/// Returns what a search measures first: the default schedule of the problem, and if families name further ones, the
/// default of each family and these.
std::vector<Schedule> FirstProposals(const std::vector<const KernelFamily*>& families, const MatmulProblem& problem,
                                     const DeviceInfo& device) {
  std::vector<const FamilyBase*> searched;
  std::vector<Schedule> next;
  for (const KernelFamily* each : families) {
    const absl::StatusOr<const FamilyBase*> family = FindKernelFamily(each->name());
    if (!family.ok()) continue;
    searched.push_back(*family);
    std::ranges::move((*family)->FirstSchedules(problem, device), std::back_inserter(next));
  }
  std::vector<Schedule> first;
  const auto add_default = [&](const std::vector<const FamilyBase*>& of) {
    absl::StatusOr<Schedule> best = DefaultSchedule(problem, device, {}, {}, of);
    if (best.ok() && std::ranges::find(first, *best) == first.end()) first.push_back(*std::move(best));
  };
  add_default(searched);
  // So that a search of few trials compares the families, and does not only measure what one of them names.
  for (const FamilyBase* family : searched) {
    if (!next.empty()) add_default({family});
  }
  std::ranges::move(next, std::back_inserter(first));
  return first;
}

/// The number of records that are read at once.
constexpr int kPage = 512;
/// The most schedules that are read; a search does not use more.
constexpr size_t kMostFirst = 4096;

/// A strategy that proposes `first`, and then what `rest` proposes. The schedules of `first` are outside of the search
/// space of `rest`, which ignores their results.
class FirstThenRest final : public Strategy {
 public:
  FirstThenRest(std::vector<Schedule> first, std::unique_ptr<Strategy> rest)
      : first_(CreateListStrategy(first)), rest_(std::move(rest)) {}

  std::string_view name() const override { return rest_->name(); }
  std::vector<Schedule> Propose(int n) override {
    std::vector<Schedule> proposals = first_->Propose(n);
    return proposals.empty() ? rest_->Propose(n) : proposals;
  }
  void Observe(const std::vector<Observation>& observations) override { rest_->Observe(observations); }
  std::vector<Schedule> ToCompile() override { return rest_->ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override { rest_->Compiled(facts); }
  void Learn(const std::vector<PriorObservation>& observations) override { rest_->Learn(observations); }
  void Suggest(const Schedule& schedule) override { rest_->Suggest(schedule); }
  bool Exhausted() const override { return first_->Exhausted() && rest_->Exhausted(); }
  std::optional<double> ExpectedGain() const override { return rest_->ExpectedGain(); }

 private:
  const std::unique_ptr<Strategy> first_, rest_;
};

/// Returns what the search for one problem of a model proposes first, in this order: the schedule that the model uses
/// now; those of `request.initial`; and those that the log has results of, for the request's problem, device and
/// toolchain, the oldest first. When the latter are proposed, their results are taken from the log. So a later job for
/// the same model continues where an earlier one has ended. Records with the outcome skipped or suspect are left out.
/// Returns the errors of the log.
absl::StatusOr<std::vector<Schedule>> FirstOfModel(const JobPlanRequest& request) {
  std::vector<Schedule> first = request.initial;
  if (request.spec.model->present) first.insert(first.begin(), *request.spec.model->present);
  if (!request.open_log || request.spec.remeasure) return first;
  std::set<std::string> present;
  for (const Schedule& schedule : first) present.insert(schedule.Digest());
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, request.open_log());
  RecordFilter filter;
  filter.problem = request.spec.problem;
  const std::string class_key = request.device.ClassKey();
  for (int64_t after = 0; first.size() < kMostFirst;) {
    ASSIGN_OR_RETURN(const std::vector<TuningRecord> page, log->Query(filter, after, kPage));
    for (const TuningRecord& record : page) {
      after = record.id;
      const Outcome outcome = record.measurement.outcome;
      if (outcome == Outcome::kSkipped || outcome == Outcome::kSuspect) continue;
      if (record.unix_millis >= request.created_unix_millis || !(record.toolchain == request.toolchain)) continue;
      if (record.device.ClassKey() != class_key || !present.insert(record.schedule.Digest()).second) continue;
      first.push_back(record.schedule);
    }
    if (page.size() < kPage) break;
  }
  return first;
}

}  // namespace

bool SameTypes(const MatmulProblem& a, const MatmulProblem& b) {
  return a.dtype == b.dtype && a.TypeOfC() == b.TypeOfC() && a.math == b.math;
}

double SizeDistance(const MatmulProblem& a, const MatmulProblem& b) {
  return Doublings(a.m, b.m) + Doublings(a.n, b.n) + Doublings(a.k, b.k) + Doublings(a.batch, b.batch);
}

absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request) {
  const JobSpec& spec = request.spec;
  if (spec.limits.bound_percent > 0 && PeakGflops(request.device, spec.problem.dtype, spec.problem.math) <= 0) {
    return InvalidArgument(absl::StrCat("--until-bound cannot end a search on ", PlainText(request.device.name),
                                        ", because its peak throughput for ", spec.problem.Text(),
                                        " is not known: leave it out"));
  }
  JobPlan plan;
  if (!spec.schedules.empty()) {
    plan.strategy = CreateListStrategy(spec.schedules);
    return plan;
  }
  std::vector<const KernelFamily*> families = spec.families;
  const bool has_rule = spec.numerics.contract != Numerics::Contract::kAny;
  for (size_t i = 0; i < families.size() && (has_rule || !spec.only.empty()); ++i) {
    std::optional<ScheduleConstraint> rule;
    if (has_rule) {
      ASSIGN_OR_RETURN(rule, SummationRule(families[i]->name(), spec.problem, request.device, spec.numerics));
    }
    const FamilyPart part = spec.only.empty() ? FamilyPart{std::string(families[i]->name()), {}} : spec.only[i];
    ASSIGN_OR_RETURN(plan.restricted.emplace_back(),
                     RestrictedFamily::Create(*families[i], part, spec.problem, request.device, std::move(rule)));
    families[i] = plan.restricted.back().get();
  }
  ASSIGN_OR_RETURN(plan.space, SearchSpace::Create(spec.problem, request.device, families));
  // These strategies need the exact number. Counting may take long, which this thread may.
  const bool counts = spec.strategy == kExhaustive || spec.strategy == "random";
  plan.space_size = counts ? SpaceSize{plan.space->Count(), false} : plan.space->Size();
  StrategyOptions options;
  options.seed = spec.seed;
  std::vector<Schedule> outside;  // what a model measures first, and the search would not
  if (spec.model) {
    absl::StatusOr<std::vector<Schedule>> first = FirstOfModel(request);
    if (!first.ok()) plan.log_error = std::string(first.status().message());
    if (first.ok()) request.initial = *std::move(first);
    std::copy_if(request.initial.begin(), request.initial.end(), std::back_inserter(outside),
                 [&](const Schedule& schedule) {
                   return !plan.space->Contains(schedule) &&
                          (schedule == spec.model->present ||
                           HasNumerics(spec.problem, schedule, request.device, spec.numerics));
                 });
  }
  if (spec.model) plan.repeated = static_cast<int64_t>(request.initial.size());
  options.initial = std::move(request.initial);
  if (UsesPriorObservations(spec.strategy)) {
    std::ranges::move(FirstProposals(families, spec.problem, request.device), std::back_inserter(options.initial));
  }
  options.lanes = request.lanes;
  options.compile_lanes = request.compile_lanes;
  if (request.open_log && !spec.cold_start && UsesPriorObservations(spec.strategy)) {
    absl::StatusOr<std::vector<PriorObservation>> learned = Learn(request, *plan.space);
    if (learned.ok()) {
      options.prior_observations = *std::move(learned);
      plan.prior_observations = options.prior_observations.size();
    } else {
      plan.log_error = std::string(learned.status().message());
      LogWarning(
          "prior observations not read",
          {{"problem", spec.problem.Text()}, {"why", plan.log_error}, {"effect", "the search begins without them"}});
    }
  }
  ASSIGN_OR_RETURN(plan.strategy, CreateStrategy(spec.strategy, *plan.space, options));
  if (!outside.empty()) {
    plan.strategy = std::make_unique<FirstThenRest>(std::move(outside), std::move(plan.strategy));
  }
  return plan;
}

absl::StatusOr<std::vector<PriorObservation>> ReadPriorObservations(TuningLogReader& log, const WarmStartTarget& target,
                                                                    const SearchSpace& space) {
  TimesFilter enough = target.times;
  enough.at_least = static_cast<int>(kFewestOfSource);
  ASSIGN_OR_RETURN(const std::vector<TimedSource> sources, log.TimedSources(enough));
  Toolchains toolchains(target.toolchain);
  std::vector<PriorObservation> prior_observations;
  std::vector<std::string> made_by;  // the toolchain of each
  size_t read = 0;
  for (const TimedSource& source : NearestFirst(sources, target)) {
    const size_t room = kMaxPriorObservations - prior_observations.size();
    if (room < kFewestOfSource || read >= kMostRead) break;
    TimesFilter filter = target.times;
    if (IsOwn(source, target)) filter.without_toolchain = target.toolchain.Digest();
    ASSIGN_OR_RETURN(
        const std::vector<MeasuredTime> times,
        log.TimesOf(source.problem, source.device, filter, static_cast<int>(std::min(room, kMostOfSource))));
    read += times.size();
    std::vector<TimedSchedule> measured;
    std::vector<std::string> measured_by;
    for (const MeasuredTime& time : times) {
      measured.push_back({time.schedule, time.median_ns});
      measured_by.push_back(toolchains.Note(time));
    }
    std::vector<std::optional<PriorObservation>> found =
        ObservationsFrom(space, source.problem, source.device, measured);
    if (found.size() - static_cast<size_t>(std::count(found.begin(), found.end(), std::nullopt)) < kFewestOfSource) {
      continue;
    }
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      prior_observations.push_back(*std::move(found[i]));
      made_by.push_back(std::move(measured_by[i]));
    }
  }
  if (prior_observations.size() < kMinPriorObservations) return std::vector<PriorObservation>();
  const std::map<std::string, double> weights = toolchains.Weights();
  for (size_t i = 0; i < prior_observations.size(); ++i) prior_observations[i].weight = weights.at(made_by[i]);
  return prior_observations;
}

}  // namespace mmtune
