// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axes of one family for a problem on a device, and the rules that cut the grid they span.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/kernel_family.h"

namespace mmtune {

/// One value per axis, in the order of the axes.
using GridPoint = std::vector<int64_t>;

/// Immutable; thread-safe as far as the family's rules are.
class ScheduleGrid {
 public:
  /// Internal when the family breaks its contract: values not ascending, a rule that reads more than there is, or more
  /// than 2^62 points.
  static absl::StatusOr<ScheduleGrid> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                             const KernelFamily& family);

  const std::string& family() const { return family_; }
  const std::vector<ScheduleParameter>& axes() const { return axes_; }
  /// Points, valid or not; 0 when an axis is empty or a rule about the problem itself fails.
  uint64_t raw_size() const { return raw_size_; }

  /// Every rule reads only the first `bound_depth` axes. The axes after it are free: any values are valid there.
  size_t bound_depth() const { return rules_at_.size() - 1; }
  /// How many points share one choice of the bound axes.
  uint64_t free_size() const { return free_size_; }

  /// The rules that become decidable with the first `depth` values, 1 <= depth <= bound_depth().
  bool HoldsAt(size_t depth, const int64_t* values) const {
    for (const ScheduleConstraint& rule : rules_at_[depth]) {
      if (!rule.holds(values)) return false;
    }
    return true;
  }
  /// Whether all rules hold at a point of the grid.
  bool Holds(const GridPoint& point) const;
  /// Whether those hold that read more than `after` and at most `depth` values, depth <= bound_depth().
  bool HoldsBetween(size_t after, size_t depth, const GridPoint& point) const {
    for (size_t reads = after + 1; reads <= depth; ++reads) {
      if (!HoldsAt(reads, point.data())) return false;
    }
    return true;
  }

  /// Writes into `point`, from bound_depth() on, choice number `index` of free_size() of the free axes, the last axis
  /// varying fastest.
  void SetFreeAxes(uint64_t index, GridPoint& point) const;

  /// Why a grid has no valid point: the first rule, in their order, that no point gets past, or the axis without a
  /// value.
  std::string WhyEmpty() const;

  Schedule ToSchedule(const GridPoint& point) const;
  /// nullopt when the schedule is of another family, off the grid, or names other parameters than all of its
  /// axes. The rules are not checked.
  std::optional<GridPoint> Locate(const Schedule& schedule) const;

 private:
  ScheduleGrid() = default;

  /// Which rule, as its `ready` and number there, turns points away last of those that begin with `depth` values.
  using RuleAt = std::pair<size_t, size_t>;
  RuleAt LastRefusal(size_t depth, GridPoint& point) const;

  std::string family_;
  std::vector<ScheduleParameter> axes_;
  std::vector<std::vector<ScheduleConstraint>> rules_at_;  // by `ready`
  uint64_t raw_size_ = 0;
  uint64_t free_size_ = 0;
};

}  // namespace mmtune
