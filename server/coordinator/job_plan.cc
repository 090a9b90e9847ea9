// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
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
#include "server/coordinator/job.h"
#include "server/coordinator/model_plan.h"
#include "server/coordinator/result_validator.h"
#include "server/coordinator/worker_registry.h"

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

/// Returns the distance between the sizes of two problems.
double SizeDistance(const MatmulProblem& a, const MatmulProblem& b) {
  return Doublings(a.m, b.m) + Doublings(a.n, b.n) + Doublings(a.k, b.k) + Doublings(a.batch, b.batch);
}

bool SameTypes(const MatmulProblem& a, const MatmulProblem& b) {
  return a.dtype == b.dtype && a.TypeOfC() == b.TypeOfC() && a.math == b.math;
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

/// Returns what a search measures first: the default schedule of the problem, and what families name.
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
  absl::StatusOr<Schedule> best = DefaultSchedule(problem, device, {}, {}, searched);
  if (best.ok()) first.push_back(*std::move(best));
  std::ranges::move(next, std::back_inserter(first));
  return first;
}

}  // namespace

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
      LogWarning("prior observations not read", {{"problem", spec.problem.Text()}, {"why", plan.log_error}});
    }
  }
  ASSIGN_OR_RETURN(plan.strategy, CreateStrategy(spec.strategy, *plan.space, options));
  if (!outside.empty()) plan.strategy = PrependSchedules(std::move(outside), std::move(plan.strategy));
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

namespace {

/// The number of copies of the operands on the SIMT device, for the check and for the timing.
constexpr int64_t kSimtCopies = 3;

std::string Bytes(int64_t bytes) {
  char text[64];
  const double gib = static_cast<double>(bytes) / (1 << 30);
  std::snprintf(text, sizeof(text), gib >= 0.1 ? "%.1f GiB" : "%.3g GiB", gib);
  return text;
}

/// True if the job selects the worker by its labels, and the device by its class.
bool Wanted(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec) {
  return spec.policy.Wants(worker.labels, device.info);
}

bool KindMatches(const RegisteredDevice& device, DeviceKind kind, const DeviceSelector& selector) {
  return device.info.kind == kind && (selector.index < 0 || selector.index == device.index);
}

absl::Status CheckMemory(const MatmulProblem& problem, Regime regime, const DeviceInfo& device) {
  // The memory of the SIMT device is that of the host, which also holds copies. Cold timing needs two sets at least.
  const int64_t copies = (device.kind == DeviceKind::kSimt ? kSimtCopies : 1) + (regime == Regime::kCold ? 1 : 0);
  const int64_t needed = copies * problem.OperandBytes();
  if (device.memory_bytes <= 0 || needed <= device.memory_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the operands of ", problem.Text(), " need ", Bytes(needed),
                                      copies > 1 ? " with the worker's copies" : "", ", but ", device.name, " has ",
                                      Bytes(device.memory_bytes), ": choose a smaller problem or a larger device"));
}

/// Returns the device with the job's architecture, or an error if it can never measure for the job.
absl::StatusOr<DeviceInfo> InfoFor(const RegisteredDevice& device, const JobSpec& spec) {
  ASSIGN_OR_RETURN(DeviceInfo info, TargetFor(device.info, spec.device.arch));
  RETURN_IF_ERROR(CheckMemory(spec.problem, spec.measure.regime, info));
  return info;
}

/// Returns the first device of `kind` that may measure for the job. Sets `failure` to the error of the last device that
/// never can.
std::optional<JobTarget> ChooseOfKind(DeviceKind kind, const JobSpec& spec, const DeviceClassFilter& rule,
                                      const std::vector<const RegisteredWorker*>& workers, absl::Status& failure) {
  for (const RegisteredWorker* worker : workers) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!KindMatches(device, kind, spec.device) || !Wanted(*worker, device, spec)) continue;
      absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
      if (!info.ok()) {
        failure = info.status();
        continue;
      }
      std::string class_key = info->ClassKey();
      if (!rule.required.empty() && class_key != rule.required) continue;
      if (class_key == rule.avoided) continue;
      return JobTarget{*std::move(info), device.toolchain, std::move(class_key)};
    }
  }
  return std::nullopt;
}

std::optional<JobTarget> ChooseOf(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec,
                                  const DeviceClassFilter& rule, absl::Status& failure) {
  const DeviceSelector::Kind kind = spec.device.kind;
  std::optional<JobTarget> target;
  if (kind != DeviceSelector::Kind::kSimt) target = ChooseOfKind(DeviceKind::kCuda, spec, rule, workers, failure);
  if (!target && kind != DeviceSelector::Kind::kCuda) {
    target = ChooseOfKind(DeviceKind::kSimt, spec, rule, workers, failure);
  }
  return target;
}

bool AnyWanted(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec) {
  return std::any_of(workers.begin(), workers.end(), [&spec](const RegisteredWorker* worker) {
    return std::any_of(worker->devices.begin(), worker->devices.end(),
                       [&](const RegisteredDevice& device) { return Wanted(*worker, device, spec); });
  });
}

/// Returns the message of a job whose selectors no serving worker matches. It contains no number of workers, because
/// every change of a job's message is stored.
std::string UnmatchedText(const JobSpec& spec, const WorkerRegistry& workers) {
  if (AnyWanted(workers.All(), spec)) {
    return absl::StrCat("registered workers match ", spec.policy.RequirementsText(),
                        ", but none is at work: see tune workers list");
  }
  return absl::StrCat("no registered worker matches ", spec.policy.RequirementsText(),
                      ": start mmtune-worker with such labels and devices, or correct the job");
}

std::string WaitText(const JobSpec& spec, const std::string& required_class) {
  std::string text = "no worker with ";
  switch (spec.device.kind) {
    case DeviceSelector::Kind::kAuto:
      absl::StrAppend(&text, "a CUDA or SIMT device");
      break;
    case DeviceSelector::Kind::kCuda:
      absl::StrAppend(&text, spec.device.index < 0 ? "a CUDA device" : absl::StrCat("device cuda:", spec.device.index));
      break;
    case DeviceSelector::Kind::kSimt:
      absl::StrAppend(&text, "a SIMT device");
      break;
  }
  if (!required_class.empty()) absl::StrAppend(&text, " of the class it was measuring on");
  return absl::StrCat(text, " is at work: start mmtune-worker with --server");
}

}  // namespace

DeviceChoice ChooseDevice(const JobSpec& spec, const DeviceClassFilter& rule, const WorkerRegistry& workers) {
  DeviceChoice choice;
  absl::Status failure, other_failure;
  choice.target = ChooseOf(workers.Serving(), spec, rule, failure);
  if (choice.target) return choice;
  // A registered device of a worker that does not serve now may be able to.
  if (!failure.ok() && !ChooseOf(workers.All(), spec, rule, other_failure)) {
    choice.failure = failure;
    return choice;
  }
  choice.unmatched = !spec.policy.RequirementsText().empty() && !AnyWanted(workers.Serving(), spec);
  choice.waits_for = choice.unmatched ? UnmatchedText(spec, workers) : WaitText(spec, rule.required);
  return choice;
}

bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target) {
  if (!KindMatches(device, target.device.kind, spec.device) || !Wanted(worker, device, spec)) return false;
  const absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
  return info.ok() && info->ClassKey() == target.class_key;
}

DeviceChoice DeviceBinding::Choose() const {
  DeviceChoice choice = ChooseDevice(job_.spec(), {required_, left_}, workers_);
  if (choice.target || left_.empty()) return choice;
  return ChooseDevice(job_.spec(), {required_, ""}, workers_);
}

void DeviceBinding::NoteLoss(std::string_view worker) {
  lost_lease_ = true;
  lost_by_.emplace(worker);
}

bool DeviceBinding::Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const {
  const JobTarget& target = *job_.target();
  return DeviceServes(worker, device, job_.spec(), target) && device.toolchain == target.toolchain;
}

int DeviceBinding::DevicesOf(const RegisteredWorker& worker) const {
  return static_cast<int>(std::count_if(worker.devices.begin(), worker.devices.end(),
                                        [&](const RegisteredDevice& device) { return Takes(worker, device); }));
}

int DeviceBinding::Lanes() const {
  int lanes = 0;
  for (const RegisteredWorker* worker : workers_.Serving()) lanes += DevicesOf(*worker);
  return std::max(lanes, 1);
}

int DeviceBinding::CompileLanes() const {
  int lanes = 0;
  for (const RegisteredWorker* worker : workers_.Serving()) {
    // The lanes of a worker are shared equally among its devices.
    lanes += worker->compile_lanes * DevicesOf(*worker) / static_cast<int>(worker->devices.size());
  }
  return lanes / Lanes();
}

bool DeviceBinding::HasOtherWorker(const std::vector<std::string>& trust_domains, std::string_view worker) const {
  if (!job_.target()) return false;
  return workers_.AnyServes([&](const RegisteredWorker& other) {
    if (other.id == worker) return false;
    const auto is_of = [&](const std::string& domain) {
      return SameTrustDomain(domain, TrustDomainName(other.id, other.peer));
    };
    if (std::any_of(trust_domains.begin(), trust_domains.end(), is_of)) return false;
    return std::any_of(other.devices.begin(), other.devices.end(),
                       [&](const RegisteredDevice& device) { return Takes(other, device); });
  });
}

bool DeviceBinding::Watch() {
  const bool served = HasOtherWorker({}) || AdoptToolchain();
  if (served == served_) return false;
  served_ = served;
  job_.set_message(served ? ""
                          : absl::StrCat("no worker with ", job_.target()->device.name, " is connected", HeldWorker()));
  return true;
}

std::string DeviceBinding::HeldWorker() const {
  for (const RegisteredWorker* worker : workers_.All()) {
    if (worker->hold == WorkerHold::kNone) continue;
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      return absl::StrCat(" that gets leases (", worker->id, " is ", ToAbsl(WorkerHoldName(worker->hold)), ")");
    }
  }
  return "";
}

bool DeviceBinding::AdoptToolchain() {
  for (const RegisteredWorker* worker : workers_.Serving()) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      job_.set_toolchain(device.toolchain);
      return true;
    }
  }
  return false;
}

bool DeviceBinding::HasReliableWorker() {
  const Toolchain* another = nullptr;
  for (const RegisteredWorker* worker : workers_.Serving()) {
    if (!worker->has_worked || lost_by_.contains(worker->id)) continue;
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      if (device.toolchain == job_.target()->toolchain) return true;
      another = &device.toolchain;
    }
  }
  if (another != nullptr) job_.set_toolchain(*another);
  return another != nullptr;
}

bool DeviceBinding::ShouldLeave() {
  if (has_result_ || !required_.empty()) return false;
  if (HasReliableWorker()) {
    served_at_ = clock_.Now();
    lost_lease_ = false;
    return false;
  }
  // A restarted worker has the time silence() to return. A worker that lost a lease has had that time already.
  if (!lost_lease_ && clock_.Now() - served_at_ < workers_.silence()) return false;
  return ChooseDevice(job_.spec(), {"", job_.target()->class_key}, workers_).target.has_value();
}

void DeviceBinding::Leave() {
  left_ = job_.target()->class_key;
  served_ = true;
  lost_lease_ = false;
  lost_by_.clear();
  job_.StartOver();
}

}  // namespace mmtune
