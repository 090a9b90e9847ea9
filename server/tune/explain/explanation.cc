// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/explain/explanation.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/perf_model/profile/kernel_bounds.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/types/ranked_record.h"
#include "search/space/rng.h"

namespace mmtune {
namespace {

constexpr int64_t kDrawn = 4096;    // Combinations of a family's axes.
constexpr int64_t kSampled = 2048;  // Schedules of the space: as many as the strategy `model` begins with.
constexpr uint64_t kSeed = 1;

/// Returns the unit that is busy for longest if the work is spread evenly, and its seconds.
std::pair<std::string, double> LongestUnit(const PredictedTime& time) {
  const std::pair<std::string, double> units[] = {{"multiply", time.multiply},
                                                  {"issue", time.issue},
                                                  {"shared memory", time.shared},
                                                  {"L2", time.l2},
                                                  {"DRAM", time.dram}};
  return *std::max_element(std::begin(units), std::end(units),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// True if rules, which divide by values and multiply them, can be evaluated for the value.
bool IsOrdinary(const ScheduleParameter& axis, int64_t value) {
  constexpr int64_t kLargest = 4096;
  return (value >= 1 && value <= kLargest) || std::binary_search(axis.values.begin(), axis.values.end(), value);
}

/// Returns every rule that `schedule` breaks; none if it has values that are not IsOrdinary().
std::vector<std::string> BrokenRules(const FamilyBase& family, const MatmulProblem& problem, const Schedule& schedule,
                                     const DeviceInfo& device) {
  std::vector<int64_t> values;
  for (const ScheduleParameter& parameter : family.Parameters(problem, device)) {
    const std::optional<int64_t> value = parameter.ValueIn(schedule);
    if (!value || !IsOrdinary(parameter, *value)) return {};
    values.push_back(*value);
  }
  std::vector<std::string> broken;
  for (const ScheduleConstraint& rule : family.Constraints(problem, device)) {
    if (rule.ready <= values.size() && !rule.holds(values.data())) broken.push_back(rule.name);
  }
  return broken;
}

std::vector<std::string> OffAxis(const FamilyBase& family, const MatmulProblem& problem, const Schedule& schedule,
                                 const DeviceInfo& device) {
  std::vector<std::string> lines;
  for (const ScheduleParameter& axis : family.Parameters(problem, device)) {
    const std::optional<int64_t> value = axis.ValueIn(schedule);
    if (value && !std::binary_search(axis.values.begin(), axis.values.end(), *value)) {
      lines.push_back(absl::StrCat(axis.name, "=", *value, ": a search tries ", absl::StrJoin(axis.values, ", ")));
    }
  }
  return lines;
}

FamilyExplanation ExplainFamily(const FamilyBase& family, const MatmulProblem& problem, const DeviceInfo& device) {
  FamilyExplanation result;
  result.name = std::string(family.name());
  result.searched = family.SearchedByDefault(problem);
  const std::vector<ScheduleParameter> axes = family.Parameters(problem, device);
  result.combinations = 1;
  for (const ScheduleParameter& axis : axes) result.combinations *= static_cast<double>(axis.values.size());
  if (result.combinations == 0) return result;
  const std::vector<ScheduleConstraint> rules = family.Constraints(problem, device);
  std::map<std::string, int64_t> refused;
  SearchRng rng = MakeStream(kSeed, 0);
  std::vector<int64_t> values(axes.size());
  for (; result.drawn < kDrawn; ++result.drawn) {
    for (size_t i = 0; i < axes.size(); ++i) values[i] = axes[i].values[UniformBelow(rng, axes[i].values.size())];
    const auto broken = std::find_if(rules.begin(), rules.end(),
                                     [&values](const ScheduleConstraint& rule) { return !rule.holds(values.data()); });
    if (broken == rules.end()) {
      ++result.valid;
    } else {
      ++refused[broken->name];
    }
  }
  result.refused.assign(refused.begin(), refused.end());
  std::stable_sort(result.refused.begin(), result.refused.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

bool IsOk(const TuningRecord& record) { return record.measurement.Timed(); }

/// Ranks records of a schedule by information: a time, then a failure, then that it was skipped.
int InformationRank(const TuningRecord& record) {
  return IsOk(record) ? 2 : record.measurement.outcome == Outcome::kSkipped ? 0 : 1;
}

}  // namespace

std::string_view ScheduleStatusName(ScheduleStatus status) {
  constexpr std::string_view kNames[] = {"measured",      "failed",       "skipped",
                                         "breaks a rule", "off the axes", "family not searched",
                                         "cannot win",    "not proposed"};
  return kNames[static_cast<size_t>(status)];
}

std::vector<FamilyExplanation> ExplainFamilies(const MatmulProblem& problem, const DeviceInfo& device) {
  std::vector<FamilyExplanation> families;
  for (const FamilyBase* family : AllFamilies()) families.push_back(ExplainFamily(*family, problem, device));
  return families;
}

absl::StatusOr<std::unique_ptr<Explainer>> Explainer::Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                             const std::vector<TuningRecord>& records) {
  std::unique_ptr<Explainer> explainer(new Explainer(problem, device));
  ASSIGN_OR_RETURN(explainer->space_,
                   SearchSpace::Create(problem, device, SearchedFamilies(problem, KernelFamilies())));
  explainer->TakeRecords(records);
  explainer->SampleSpace();
  return explainer;
}

void Explainer::TakeRecords(const std::vector<TuningRecord>& records) {
  for (const TuningRecord& record : records) {
    const auto [kept, is_new] = records_.try_emplace(record.schedule.Text(), record);
    if (!is_new && InformationRank(record) >= InformationRank(kept->second)) kept->second = record;
  }
  for (RankedRecord& ranked :
       RankRecords(records, {.allow_unverified = true, .any_toolchain = true, .toolchain = ""})) {
    records_.insert_or_assign(ranked.record.schedule.Text(), std::move(ranked.record));
  }
  const std::vector<RankedRecord> ranking = RankVerifiedOrAll(records);
  if (ranking.empty()) return;
  best_ = ranking.front().record.schedule;
  best_ns_ = ranking.front().ranked_ns;
}

std::map<Outcome, int64_t> Explainer::Outcomes() const {
  std::map<Outcome, int64_t> outcomes;
  for (const auto& [text, record] : records_) ++outcomes[record.measurement.outcome];
  return outcomes;
}

SkippedBounds Explainer::skipped() const {
  SkippedBounds bounds;
  for (const auto& [text, record] : records_) CountSkipped(record, bounds);
  return bounds;
}

void Explainer::SampleSpace() {
  SearchRng rng = MakeStream(kSeed, 1);
  double fastest = 0;
  for (int64_t i = 0; i < kSampled; ++i) {
    const Schedule schedule = space_->Sample(rng);
    const std::optional<PredictedTime> time = space_->Predict(schedule);
    if (!time) continue;
    sample_seconds_.push_back(time->total);
    const auto [unit, seconds] = LongestUnit(*time);
    // The formula is of GPUs, and the SIMT device runs on a CPU.
    if (best_ns_ > 0 && device_.kind == DeviceKind::kCuda && !records_.contains(schedule.Text()) &&
        1e9 * seconds > best_ns_) {
      ++cannot_win_[unit];
    }
    if (best_ns_ == 0 && (fastest == 0 || time->total < fastest)) {
      fastest = time->total;
      best_ = schedule;
    }
  }
  if (best_.family.empty()) best_ = space_->Sample(rng);
  std::sort(sample_seconds_.begin(), sample_seconds_.end());
}

void Explainer::AddPrediction(const FamilyBase& family, ScheduleExplanation& explanation) const {
  explanation.predicted = family.Predict(problem_, explanation.schedule, device_);
  if (!explanation.predicted) return;
  explanation.estimated_seconds = explanation.predicted->total;
  if (!sample_seconds_.empty()) {
    const auto faster = std::lower_bound(sample_seconds_.begin(), sample_seconds_.end(), explanation.predicted->total);
    explanation.slower_than =
        static_cast<double>(faster - sample_seconds_.begin()) / static_cast<double>(sample_seconds_.size());
  }
  auto geometry = family.Describe(problem_, explanation.schedule);
  if (!geometry.ok()) return;
  explanation.roles = geometry->labels.roles;
  if (explanation.record && explanation.record->measurement.resources.registers >= 0) {
    geometry = WithCompiledResources(*std::move(geometry), explanation.record->measurement.resources);
    explanation.predicted = PredictTime(problem_, *geometry, device_);
    explanation.of_compiled = true;
  }
  const auto [unit, seconds] = LongestUnit(*explanation.predicted);
  explanation.unit = unit;
  explanation.least_ns = 1e9 * seconds;
  const auto bounds = BoundsOf(problem_, *geometry, device_, CountedWork(), LoopLimits(), nullptr);
  if (bounds.ok()) explanation.bound = bounds->bound;
}

ScheduleExplanation Explainer::Explain(const Schedule& schedule) const {
  ScheduleExplanation result;
  result.schedule = schedule;
  const auto family = FindKernelFamily(schedule.family);
  if (!family.ok()) {
    result.status = ScheduleStatus::kBroken;
    result.reasons = {std::string(family.status().message())};
    return result;
  }
  const auto record = records_.find(schedule.Text());
  if (record != records_.end()) result.record = record->second;
  const absl::Status valid = (*family)->Validate(problem_, schedule, device_);
  if (valid.ok()) {
    if (const auto sums = SummationOf(problem_, schedule, device_); sums.ok()) result.sums = sums->Text();
    AddPrediction(**family, result);
  }
  if (result.record) {
    const bool skipped = record->second.measurement.outcome == Outcome::kSkipped;
    result.status = IsOk(record->second) ? ScheduleStatus::kMeasured
                    : skipped            ? ScheduleStatus::kSkipped
                                         : ScheduleStatus::kFailed;
    const bool warned = result.status == ScheduleStatus::kMeasured && !record->second.measurement.message.empty();
    if (skipped || warned) result.reasons = {record->second.measurement.message};
    if (result.status == ScheduleStatus::kFailed) {
      result.reasons = {absl::StrCat(std::string(OutcomeName(record->second.measurement.outcome)), ": ",
                                     record->second.measurement.message)};
    }
  } else if (!valid.ok()) {
    result.status = ScheduleStatus::kBroken;
    result.reasons = BrokenRules(**family, problem_, schedule, device_);
    if (result.reasons.empty()) result.reasons = {std::string(valid.message())};
  } else if (!(*family)->SearchedByDefault(problem_)) {
    result.status = ScheduleStatus::kNotSearched;
    result.reasons = {absl::StrCat("jobs of such a problem search ", schedule.family, " only when they name it")};
  } else if (!space_->Contains(schedule)) {
    result.status = ScheduleStatus::kOffAxis;
    result.reasons = OffAxis(**family, problem_, schedule, device_);
  } else if (best_ns_ > 0 && device_.kind == DeviceKind::kCuda && result.least_ns > best_ns_) {
    result.status = ScheduleStatus::kCannotWin;
    result.reasons = {absl::StrCat("by the formula, ", result.unit, " alone takes longer than the best time measured")};
  }
  return result;
}

std::vector<Neighbour> Explainer::Neighbours(const Schedule& schedule) const {
  std::vector<Neighbour> neighbours;
  const auto family = FindKernelFamily(schedule.family);
  if (!family.ok()) return neighbours;
  const ScheduleExplanation own = Explain(schedule);
  for (const ScheduleParameter& axis : (*family)->Parameters(problem_, device_)) {
    const std::optional<int64_t> value = axis.ValueIn(schedule);
    if (!value) return {};  // None of them would be a schedule of the family.
    const auto at = std::lower_bound(axis.values.begin(), axis.values.end(), *value);
    std::vector<int64_t> steps;
    if (at != axis.values.begin()) steps.push_back(*std::prev(at));
    const auto above = at != axis.values.end() && *at == *value ? std::next(at) : at;
    if (above != axis.values.end()) steps.push_back(*above);
    for (const int64_t step : steps) {
      Schedule changed = schedule;
      changed.params[axis.name] = step;
      Neighbour& neighbour = neighbours.emplace_back();
      neighbour.change = absl::StrCat(axis.name, "=", step);
      neighbour.explanation = Explain(changed);
      const ScheduleExplanation& other = neighbour.explanation;
      if (own.status == ScheduleStatus::kMeasured && other.status == ScheduleStatus::kMeasured) {
        neighbour.measured = true;
        neighbour.ratio = other.record->measurement.timing.median_ns / own.record->measurement.timing.median_ns;
      } else if (own.predicted && other.predicted && own.estimated_seconds > 0 &&
                 other.status != ScheduleStatus::kFailed) {
        neighbour.ratio = other.estimated_seconds / own.estimated_seconds;
      }
    }
  }
  return neighbours;
}

}  // namespace mmtune
