// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axes of one family for a problem on a device, and the rules that cut the grid they span.
//
// The valid beginnings of a grid's points, all of one length. Of a grid of which one point in thousands is valid, one
// in ten may be of those that begin so.
//
// A depth-first walk over the valid choices of a grid's bound axes, cutting a subtree as soon as a rule fails.
#pragma once

#include <cstddef>
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

/// Immutable; thread-safe.
class PrefixTable {
 public:
  /// Of the greatest length up to which there are no more than `most` of any; of the bound axes at most.
  PrefixTable(const ScheduleGrid& grid, size_t most);

  size_t length() const { return length_; }
  /// So many there are; in lexicographic order.
  uint64_t size() const { return size_; }
  /// Writes number `index` to the first length() values.
  void Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const;

 private:
  size_t length_ = 0;
  uint64_t size_ = 0;
  std::vector<uint16_t> positions_;  ///< One after another, an index into the values of an axis each.
};

/// Lazy; in lexicographic order of the axes' values. Not thread-safe. The grid must outlive it.
class PrefixWalker {
 public:
  /// The position of a walk: for each bound axis, the index of its value.
  using Position = std::vector<uint16_t>;

  explicit PrefixWalker(const ScheduleGrid& grid);
  /// Starts at a position that another walk over the same grid has reached.
  PrefixWalker(const ScheduleGrid& grid, Position position);

  /// Moves to the next valid prefix, at first to the first one. False at the end, and ever after.
  bool Next();

  /// Valid after Next returned true.
  const Position& position() const { return position_; }
  /// The values at position(), bound_depth() of them.
  const GridPoint& values() const { return values_; }

 private:
  enum class State { kBefore, kAt, kEnd };

  // Looks for the next valid prefix, changing axis `depth` first; its index is already one past the last one tried.
  bool Search(size_t depth);

  const ScheduleGrid& grid_;
  Position position_;
  GridPoint values_;
  State state_ = State::kBefore;
};

}  // namespace mmtune
