// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid points of one family: counted, numbered, sampled.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "search/space/rng.h"
#include "search/space/schedule_grid.h"

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

  /// Count(), or where that is more than kCounted, an estimate of it: by draws, within some percent, the same every
  /// time.
  int64_t Size() const;
  static constexpr int64_t kCounted = int64_t{1} << 15;

  /// TryDraw finds each valid point with a chance of 1 in so many.
  uint64_t draw_size() const { return GetDraws().size; }
  /// Draw number `number` of draw_size(), a random one; given up as soon as a rule fails. What it returns is uniform
  /// over the valid points.
  std::optional<GridPoint> TryDraw(uint64_t number, SearchRng& rng) const;

 private:
  // Positions of the walk, one for every `stride` valid prefixes. All of them when they are few; thinned out when not.
  struct Index {
    uint64_t prefixes = 0;
    uint64_t stride = 1;
    std::vector<PrefixWalker::Position> landmarks;
  };

  // Points that are drawn: of the raw grid, or where few of these are valid, those that have a beginning of a table.
  struct Draws {
    std::optional<PrefixTable> beginnings;
    uint64_t size = 0;
  };

  const Index& GetIndex() const;
  Index BuildIndex() const;
  const Draws& GetDraws() const;
  Draws MakeDraws() const;
  /// One point of the raw grid.
  std::optional<GridPoint> DrawRaw(SearchRng& rng) const;

  ScheduleGrid grid_;
  mutable std::once_flag index_once_;
  mutable Index index_;
  mutable std::once_flag draws_once_;
  mutable Draws draws_;
};

}  // namespace mmtune
