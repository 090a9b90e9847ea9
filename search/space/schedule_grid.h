// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid of one family's parameters (axes) for a problem on a device, the rules that make points invalid, and two
// ways to go through valid prefixes of points: a table and a depth-first walk.
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

/// A grid with rules. Immutable; thread-safe as far as the family's rules are.
class ScheduleGrid {
 public:
  /// Returns Internal if the family breaks its contract: values not ascending, a rule that reads more values than there
  /// are, or more than 2^62 points.
  static absl::StatusOr<ScheduleGrid> Create(const MatmulProblem& problem, const DeviceInfo& device,
                                             const KernelFamily& family);

  const std::string& family() const { return family_; }
  const std::vector<ScheduleParameter>& axes() const { return axes_; }
  /// Returns the number of points, valid or not; 0 if an axis is empty or a rule about the problem itself fails.
  uint64_t raw_size() const { return raw_size_; }

  /// Returns how many axes, from the first, the rules read. The axes behind them are free: any value is valid.
  size_t bound_depth() const { return rules_at_.size() - 1; }
  /// Returns the number of points that share one choice of the bound axes.
  uint64_t free_size() const { return free_size_; }

  /// True if the rules hold that the first `depth` values decide and fewer do not, 1 <= depth <= bound_depth().
  bool HoldsAt(size_t depth, const int64_t* values) const {
    for (const ScheduleConstraint& rule : rules_at_[depth]) {
      if (!rule.holds(values)) return false;
    }
    return true;
  }
  /// True if all rules hold at a point of the grid.
  bool Holds(const GridPoint& point) const;
  /// True if the rules hold that read more than `after` and at most `depth` values, depth <= bound_depth().
  bool HoldsBetween(size_t after, size_t depth, const GridPoint& point) const {
    for (size_t reads = after + 1; reads <= depth; ++reads) {
      if (!HoldsAt(reads, point.data())) return false;
    }
    return true;
  }

  /// Writes choice `index` of free_size() to the free axes of `point`, the last axis varying fastest.
  void SetFreeAxes(uint64_t index, GridPoint& point) const;

  /// Says why the grid has no valid point: the first rule that no point passes, or the axis without a value.
  std::string WhyEmpty() const;

  Schedule ToSchedule(const GridPoint& point) const;
  /// nullopt when the schedule is of another family, off the grid, or names other parameters than all of its
  /// axes. The rules are not checked.
  std::optional<GridPoint> Locate(const Schedule& schedule) const;

 private:
  ScheduleGrid() = default;

  /// Identifies a rule by its `ready` and its number there; the last one to refuse points with the first `depth`
  /// values.
  using RuleAt = std::pair<size_t, size_t>;
  RuleAt LastRefusal(size_t depth, GridPoint& point) const;

  std::string family_;
  std::vector<ScheduleParameter> axes_;
  std::vector<std::vector<ScheduleConstraint>> rules_at_;  // by `ready`
  uint64_t raw_size_ = 0;
  uint64_t free_size_ = 0;
};

/// The valid prefixes of a grid's points, all of one length. Where one point of the grid in thousands is valid, one in
/// ten of those with a valid prefix may be. Immutable; thread-safe.
class PrefixTable {
 public:
  /// Chooses the greatest length, of the bound axes at most, up to which no length has more than `most` valid prefixes.
  PrefixTable(const ScheduleGrid& grid, size_t most);

  size_t length() const { return length_; }
  /// Returns the number of prefixes, which are in lexicographic order.
  uint64_t size() const { return size_; }
  /// Writes prefix `index` to the first length() values of `point`.
  void Copy(uint64_t index, const ScheduleGrid& grid, GridPoint& point) const;

 private:
  size_t length_ = 0;
  uint64_t size_ = 0;
  std::vector<uint16_t> positions_;  ///< size() x length() indices into the axes' values.
};

/// A lazy depth-first walk over the valid choices of a grid's bound axes, in lexicographic order, which skips a subtree
/// as soon as a rule fails. Not thread-safe. The grid must outlive it.
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
