// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/schedule_grid.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint64_t kMaxPoints = uint64_t{1} << 62;
constexpr size_t kMaxValues = std::numeric_limits<uint16_t>::max();

absl::Status CheckAxis(const ScheduleParameter& axis) {
  if (std::adjacent_find(axis.values.begin(), axis.values.end(), std::greater_equal<>()) != axis.values.end()) {
    return Internal(absl::StrCat("the values of parameter '", axis.name, "' do not ascend"));
  }
  if (axis.values.size() > kMaxValues) {
    return Internal(absl::StrCat("parameter '", axis.name, "' has more than ", kMaxValues, " values"));
  }
  return absl::OkStatus();
}

// 0 for a product over an empty axis.
absl::StatusOr<uint64_t> Product(const std::vector<ScheduleParameter>& axes, size_t first) {
  uint64_t product = 1;
  for (size_t i = first; i < axes.size(); ++i) {
    uint64_t size = axes[i].values.size();
    if (size == 0) return 0;
    if (product > kMaxPoints / size) return Internal("the parameters span more than 2^62 points");
    product *= size;
  }
  return product;
}

}  // namespace

absl::StatusOr<ScheduleGrid> ScheduleGrid::Create(const MatmulProblem& problem, const DeviceInfo& device,
                                                  const KernelFamily& family) {
  ScheduleGrid grid;
  grid.family_ = std::string(family.name());
  const std::string context = absl::StrCat("kernel family '", grid.family_, "'");
  grid.axes_ = family.Parameters(problem, device);
  for (const ScheduleParameter& axis : grid.axes_) RETURN_IF_ERROR(WithContext(CheckAxis(axis), context));

  grid.rules_at_.resize(1);
  for (ScheduleConstraint& rule : family.Constraints(problem, device)) {
    if (rule.ready > grid.axes_.size()) {
      return Internal(
          absl::StrCat(context, ": rule '", rule.name, "' reads ", rule.ready, " parameters of ", grid.axes_.size()));
    }
    if (rule.ready >= grid.rules_at_.size()) grid.rules_at_.resize(rule.ready + 1);
    grid.rules_at_[rule.ready].push_back(std::move(rule));
  }

  absl::StatusOr<uint64_t> raw_size = Product(grid.axes_, 0);
  if (!raw_size.ok()) return WithContext(raw_size.status(), context);
  grid.raw_size_ = grid.HoldsAt(0, nullptr) ? *raw_size : 0;
  ASSIGN_OR_RETURN(grid.free_size_, Product(grid.axes_, grid.bound_depth()));
  return grid;
}

bool ScheduleGrid::Holds(const GridPoint& point) const {
  return HoldsAt(0, point.data()) && HoldsBetween(0, bound_depth(), point);
}

ScheduleGrid::RuleAt ScheduleGrid::LastRefusal(size_t depth, GridPoint& point) const {
  const std::vector<ScheduleConstraint>& rules = rules_at_[depth];
  for (size_t i = 0; i < rules.size(); ++i) {
    if (!rules[i].holds(point.data())) return {depth, i};
  }
  RuleAt last;
  for (int64_t value : axes_[depth].values) {
    point[depth] = value;
    last = std::max(last, LastRefusal(depth + 1, point));
  }
  return last;
}

std::string ScheduleGrid::WhyEmpty() const {
  for (const ScheduleParameter& axis : axes_) {
    if (axis.values.empty()) return absl::StrCat("no value of ", axis.name);
  }
  GridPoint point(axes_.size());
  const auto [ready, number] = LastRefusal(0, point);
  return rules_at_[ready][number].name;
}

void ScheduleGrid::SetFreeAxes(uint64_t index, GridPoint& point) const {
  for (size_t i = axes_.size(); i-- > bound_depth();) {
    const std::vector<int64_t>& values = axes_[i].values;
    point[i] = values[index % values.size()];
    index /= values.size();
  }
}

Schedule ScheduleGrid::ToSchedule(const GridPoint& point) const {
  Schedule schedule;
  schedule.family = family_;
  for (size_t i = 0; i < axes_.size(); ++i) schedule.params.emplace(axes_[i].name, point[i]);
  return schedule;
}

std::optional<GridPoint> ScheduleGrid::Locate(const Schedule& schedule) const {
  if (schedule.family != family_ || schedule.params.size() != axes_.size()) return std::nullopt;
  GridPoint point;
  point.reserve(axes_.size());
  for (const ScheduleParameter& axis : axes_) {
    const std::optional<int64_t> value = axis.ValueIn(schedule);
    if (!value || !std::binary_search(axis.values.begin(), axis.values.end(), *value)) return std::nullopt;
    point.push_back(*value);
  }
  return point;
}

PrefixTable::PrefixTable(const ScheduleGrid& grid, size_t most) : size_(grid.raw_size() == 0 ? 0 : 1) {
  GridPoint point(grid.axes().size());
  while (length_ < grid.bound_depth()) {
    const std::vector<int64_t>& values = grid.axes()[length_].values;
    std::vector<uint16_t> longer;
    uint64_t count = 0;
    for (uint64_t i = 0; i < size_; ++i) {
      Copy(i, grid, point);
      const auto prefix = positions_.begin() + static_cast<ptrdiff_t>(i * length_);
      for (size_t value = 0; value < values.size(); ++value) {
        point[length_] = values[value];
        if (!grid.HoldsAt(length_ + 1, point.data())) continue;
        if (++count > most) return;
        longer.insert(longer.end(), prefix, prefix + static_cast<ptrdiff_t>(length_));
        longer.push_back(static_cast<uint16_t>(value));
      }
    }
    positions_ = std::move(longer);
    size_ = count;
    ++length_;
  }
}

void PrefixTable::Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const {
  for (size_t i = 0; i < length_; ++i) point[i] = grid.axes()[i].values[positions_[index * length_ + i]];
}

PrefixWalker::PrefixWalker(const ScheduleGrid& grid)
    : grid_(grid), position_(grid.bound_depth()), values_(grid.bound_depth()) {
  if (grid.raw_size() == 0) state_ = State::kEnd;
}

PrefixWalker::PrefixWalker(const ScheduleGrid& grid, Position position)
    : grid_(grid), position_(std::move(position)), values_(grid.bound_depth()), state_(State::kAt) {
  for (size_t i = 0; i < position_.size(); ++i) values_[i] = grid.axes()[i].values[position_[i]];
}

bool PrefixWalker::Next() {
  if (state_ == State::kEnd) return false;
  const bool first = state_ == State::kBefore;
  bool found = false;
  if (position_.empty()) {
    found = first;  // Without a rule there is one prefix, the empty one.
  } else if (first) {
    found = Search(0);
  } else {
    ++position_.back();
    found = Search(position_.size() - 1);
  }
  state_ = found ? State::kAt : State::kEnd;
  return found;
}

bool PrefixWalker::Search(size_t depth) {
  for (;;) {
    const std::vector<int64_t>& values = grid_.axes()[depth].values;
    if (position_[depth] == values.size()) {
      if (depth == 0) return false;
      ++position_[--depth];
      continue;
    }
    values_[depth] = values[position_[depth]];
    if (!grid_.HoldsAt(depth + 1, values_.data())) {
      ++position_[depth];
      continue;
    }
    if (++depth == position_.size()) return true;
    position_[depth] = 0;
  }
}

}  // namespace mmtune
