// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The raw search space of one kernel family: a grid with one axis for each parameter, and the rules that make most
// points of the grid invalid.
//
// Rules read only leading axes, so a prefix of values may already be known to be invalid. PrefixTable and PrefixWalker
// use this to go through valid points without visiting all of the grid. Example: with axes bm, bn, bk and the rule "bm
// * bn <= 4096", a walk skips all bk for a wrong (bm, bn).
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

/// A point of the grid: one value for each axis.
using GridPoint = std::vector<int64_t>;

/// A grid with its rules. Immutable; as thread-safe as the family's rules.
class ScheduleGrid {
 public:
  /// Makes the grid of a family for a problem on a device. Returns Internal if the family breaks its contract: values
  /// that do not ascend, a rule that reads more values than there are axes, or more than 2^62 points.
  static absl::StatusOr<ScheduleGrid> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                             const KernelFamily& family);

  /// Returns the name of the family.
  const std::string& family() const { return family_; }
  const std::vector<ScheduleParameter>& axes() const { return axes_; }
  /// Returns the number of points, valid or not. It is 0 if an axis has no values, or a rule about the problem alone
  /// fails.
  uint64_t raw_size() const { return raw_size_; }

  /// Returns the number of bound axes: the leading axes that rules read. The axes after them are free, that is, all
  /// their values are valid.
  size_t bound_depth() const { return rules_at_.size() - 1; }
  /// Returns the number of combinations of values of the free axes.
  uint64_t free_size() const { return free_size_; }

  /// True if all rules hold that read exactly the first `depth` values; 1 <= depth <= bound_depth().
  bool HoldsAt(size_t depth, const int64_t* values) const {
    for (const ScheduleConstraint& rule : rules_at_[depth]) {
      if (!rule.holds(values)) return false;
    }
    return true;
  }
  /// True if the point obeys all rules.
  bool Holds(const GridPoint& point) const;
  /// True if all rules hold that read more than `after` and at most `depth` values; depth <= bound_depth().
  bool HoldsBetween(size_t after, size_t depth, const GridPoint& point) const {
    for (size_t reads = after + 1; reads <= depth; ++reads) {
      if (!HoldsAt(reads, point.data())) return false;
    }
    return true;
  }

  /// Sets the free axes of `point` to combination `index` of free_size(). The last axis varies fastest.
  void SetFreeAxes(uint64_t index, GridPoint& point) const;

  /// Returns the reason why no point is valid, for an error: the first rule that no point passes, or the axis without
  /// values.
  std::string WhyEmpty() const;

  /// Returns the schedule at a point.
  Schedule ToSchedule(const GridPoint& point) const;
  /// Returns the point of a schedule. Returns nullopt if the schedule is of another family, has a value that is not on
  /// its axis, or does not name exactly the axes. Does not check the rules.
  std::optional<GridPoint> Locate(const Schedule& schedule) const;

 private:
  ScheduleGrid() = default;

  /// Identifies a rule: the number of values that it reads, and its index among the rules that read as many.
  using RuleAt = std::pair<size_t, size_t>;
  /// Tries all points with the first `depth` values of `point`; no such point may be valid. For each of them, finds the
  /// first rule that it breaks. Returns the one of these rules that reads the most values.
  RuleAt LastRefusal(size_t depth, GridPoint& point) const;

  std::string family_;
  std::vector<ScheduleParameter> axes_;
  /// The rules by the number of values that they read.
  std::vector<std::vector<ScheduleConstraint>> rules_at_;
  uint64_t raw_size_ = 0;
  uint64_t free_size_ = 0;
};

/// All valid prefixes of one length of a grid's points. Random draws use it where few points are valid: one point of
/// the grid in thousands, but perhaps one in ten of those that start with a valid prefix. Immutable and thread-safe.
class PrefixTable {
 public:
  /// Increases the length from 0 on, up to bound_depth(), as long as there are at most `most` valid prefixes.
  PrefixTable(const ScheduleGrid& grid, size_t most);

  /// Returns the number of values in each prefix.
  size_t length() const { return length_; }
  /// Returns the number of prefixes. They are in lexicographic order.
  uint64_t size() const { return size_; }
  /// Writes prefix `index` to the first length() values of `point`.
  void Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const;

 private:
  size_t length_ = 0;
  uint64_t size_ = 0;
  std::vector<uint16_t> positions_;  ///< size() x length() indices into the axes' values.
};

/// Enumerates the valid combinations of a grid's bound axes in lexicographic order, depth first. Skips a subtree as
/// soon as a rule fails. Not thread-safe. The grid must outlive it.
class PrefixWalker {
 public:
  /// A position of the walk: for each bound axis, the index of its value.
  using Position = std::vector<uint16_t>;

  /// Starts before the first valid combination.
  explicit PrefixWalker(const ScheduleGrid& grid);
  /// Starts at a position that another walk over the same grid has reached.
  PrefixWalker(const ScheduleGrid& grid, Position position);

  /// Moves to the next valid combination; the first call to the first one. Returns false at the end.
  bool Next();

  /// Returns the current position. Next() must have returned true.
  const Position& position() const { return position_; }
  /// Returns the values at the current position, bound_depth() of them.
  const GridPoint& values() const { return values_; }

 private:
  enum class State { kBefore, kAt, kEnd };

  /// Searches for the next valid combination, changing axis `depth` first. The index of that axis has been advanced.
  bool Search(size_t depth);

  const ScheduleGrid& grid_;
  Position position_;
  GridPoint values_;
  State state_ = State::kBefore;
};

}  // namespace mmtune
