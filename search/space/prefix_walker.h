// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A depth-first walk over the valid choices of a grid's bound axes, cutting a subtree as soon as a rule fails.
#pragma once

#include <cstdint>
#include <vector>

#include "search/space/schedule_grid.h"

namespace mmtune {

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
