// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid points of one family: counted, numbered, sampled.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "search/prefix_walker.h"
#include "search/rng.h"
#include "search/schedule_grid.h"

namespace mmtune {

/// Immutable to its users; thread-safe.
class FamilySpace {
 public:
  explicit FamilySpace(ScheduleGrid grid) : grid_(std::move(grid)) {}

  const ScheduleGrid& grid() const { return grid_; }
  /// Stops at the first valid point: cheap unless there is none.
  bool IsEmpty() const;

  /// The number of valid points. The first call walks the valid choices of the bound axes; the free axes only multiply.
  int64_t Count() const;
  /// Point number `index` of Count() in the order of the walk.
  GridPoint At(int64_t index) const;

  /// One draw from the raw grid, given up as soon as a rule fails. What it returns is uniform over the valid points.
  std::optional<GridPoint> TryDraw(SearchRng& rng) const;

 private:
  // Positions of the walk, one for every `stride` valid prefixes. All of them when they are few; thinned out when not.
  struct Index {
    uint64_t prefixes = 0;
    uint64_t stride = 1;
    std::vector<PrefixWalker::Position> landmarks;
  };

  const Index& GetIndex() const;
  Index BuildIndex() const;

  ScheduleGrid grid_;
  mutable std::once_flag index_once_;
  mutable Index index_;
};

}  // namespace mmtune
