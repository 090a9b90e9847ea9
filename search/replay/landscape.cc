// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/replay/landscape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

absl::Status ValidateLandscape(const Landscape& landscape) {
  std::unordered_set<std::string> seen;
  int64_t ran = 0;
  for (const LandscapePoint& point : landscape.points) {
    if (!seen.insert(point.schedule.Text()).second) {
      return InvalidArgument(absl::StrCat("there are two results for one schedule: ", point.schedule.Text()));
    }
    if (point.outcome != Outcome::kOk) continue;
    if (!std::isfinite(point.time_ns) || point.time_ns <= 0) {
      return InvalidArgument(absl::StrCat("the time must be finite and above 0 for ", point.schedule.Text()));
    }
    ++ran;
  }
  if (ran < 2) return InvalidArgument(absl::StrCat("a search needs 2 or more schedules that ran, got ", ran));
  return absl::OkStatus();
}

double BestTimeNs(const Landscape& landscape) {
  double best = std::numeric_limits<double>::infinity();
  for (const LandscapePoint& point : landscape.points) {
    if (point.outcome == Outcome::kOk) best = std::min(best, point.time_ns);
  }
  return best;
}

namespace {

constexpr uint64_t kMaxPoints = uint64_t{1} << 62;

}  // namespace

std::vector<ScheduleConstraint> LandscapeFamily::Constraints(const MatmulProblem&, const DeviceInfo&) const {
  std::vector<ScheduleConstraint> rules;
  for (size_t depth = 1; depth <= axes_.size(); ++depth) {
    rules.push_back({"the schedule was recorded", depth, [this, depth](const int64_t* values) {
                       const std::optional<uint64_t> number = NumberOf(values, depth);
                       return number && recorded_[depth].contains(*number);
                     }});
  }
  return rules;
}

absl::Status LandscapeFamily::Validate(const MatmulProblem&, const Schedule& schedule, const DeviceInfo&) const {
  if (Find(schedule) == nullptr)
    return InvalidArgument(absl::StrCat("the landscape has no record of ", schedule.Text()));
  return absl::OkStatus();
}

std::vector<double> LandscapeFamily::Features(const MatmulProblem& problem, const Schedule& schedule,
                                              const DeviceInfo& device) const {
  return landscape_.features ? landscape_.features(schedule) : KernelFamily::Features(problem, schedule, device);
}

const LandscapePoint* LandscapeFamily::Find(const Schedule& schedule) const {
  const std::optional<uint64_t> number = NumberOf(schedule);
  if (!number) return nullptr;
  const auto it = recorded_.back().find(*number);
  return it == recorded_.back().end() ? nullptr : it->second;
}

absl::Status LandscapeFamily::Fill() {
  std::map<std::string, std::set<int64_t>> values;
  const Schedule* first = nullptr;
  for (const LandscapePoint& point : landscape_.points) {
    if (point.schedule.family != name_) continue;
    if (first == nullptr) first = &point.schedule;
    for (const auto& [name, value] : point.schedule.params) values[name].insert(value);
    if (point.schedule.params.size() != first->params.size() || values.size() != first->params.size()) {
      return InvalidArgument(absl::StrCat("two schedules of family '", name_,
                                          "' name different parameters: ", first->Text(), "; ", point.schedule.Text()));
    }
  }
  uint64_t points = 1;
  for (const auto& [name, distinct] : values) {
    if (points > kMaxPoints / distinct.size())
      return InvalidArgument("the recorded parameter values make a grid of more than 2^62 points");
    points *= distinct.size();
    axes_.push_back({name, {distinct.begin(), distinct.end()}});
  }
  recorded_.resize(axes_.size() + 1);
  for (const LandscapePoint& point : landscape_.points) {
    if (point.schedule.family != name_) continue;
    std::vector<int64_t> of_point;
    for (const auto& [name, value] : point.schedule.params) of_point.push_back(value);
    for (size_t depth = 0; depth <= axes_.size(); ++depth) recorded_[depth][*NumberOf(of_point.data(), depth)] = &point;
  }
  return absl::OkStatus();
}

std::optional<uint64_t> LandscapeFamily::NumberOf(const int64_t* values, size_t depth) const {
  uint64_t number = 0;
  for (size_t i = 0; i < depth; ++i) {
    const std::vector<int64_t>& axis = axes_[i].values;
    const auto it = std::lower_bound(axis.begin(), axis.end(), values[i]);
    if (it == axis.end() || *it != values[i]) return std::nullopt;
    number = number * axis.size() + static_cast<uint64_t>(it - axis.begin());
  }
  return number;
}

std::optional<uint64_t> LandscapeFamily::NumberOf(const Schedule& schedule) const {
  if (schedule.family != name_ || schedule.params.size() != axes_.size()) return std::nullopt;
  std::vector<int64_t> values;
  size_t axis = 0;
  for (const auto& [name, value] : schedule.params) {
    if (name != axes_[axis++].name) return std::nullopt;
    values.push_back(value);
  }
  return NumberOf(values.data(), values.size());
}

absl::StatusOr<std::vector<std::unique_ptr<LandscapeFamily>>> MakeLandscapeFamilies(const Landscape& landscape) {
  std::set<std::string> names;
  for (const LandscapePoint& point : landscape.points) names.insert(point.schedule.family);
  std::vector<std::unique_ptr<LandscapeFamily>> families;
  for (const std::string& name : names) {
    families.push_back(std::unique_ptr<LandscapeFamily>(new LandscapeFamily(landscape, name)));
    RETURN_IF_ERROR(families.back()->Fill());
  }
  return families;
}

}  // namespace mmtune
