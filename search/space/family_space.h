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

/// Logically immutable; thread-safe.
class FamilySpace {
 public:
  explicit FamilySpace(ScheduleGrid grid) : grid_(std::move(grid)) {}

  const ScheduleGrid& grid() const { return grid_; }
  /// True if there is no valid point. Stops at the first one: cheap unless there is none.
  bool IsEmpty() const;

  /// The number of valid points. The first call walks the valid choices of the bound axes; the free axes only multiply.
  int64_t Count() const;
  /// Returns point `index` of Count() in the order of the walk.
  GridPoint At(int64_t index) const;

  /// Returns Count(), or if that exceeds kCounted an estimate by draws, off by a few percent and always the same.
  int64_t Size() const;
  static constexpr int64_t kCounted = int64_t{1} << 15;

  /// Returns the n of TryDraw: it finds each valid point with probability 1/n.
  uint64_t draw_size() const { return GetDraws().size; }
  /// Tries draw `number`, random in [0, draw_size()); returns nullopt as soon as a rule fails. Results are uniform over
  /// the valid points.
  std::optional<GridPoint> TryDraw(uint64_t number, SearchRng& rng) const;

 private:
  // Positions of the walk at every `stride`-th valid prefix; the stride is 1 while there are few.
  struct Index {
    uint64_t prefixes = 0;
    uint64_t stride = 1;
    std::vector<PrefixWalker::Position> landmarks;
  };

  // Where points are drawn from: the raw grid, or, where few of its points are valid, the points behind the valid
  // prefixes of a table.
  struct Draws {
    std::optional<PrefixTable> beginnings;
    uint64_t size = 0;
  };

  const Index& GetIndex() const;
  Index BuildIndex() const;
  const Draws& GetDraws() const;
  Draws MakeDraws() const;
  /// Draws one point of the raw grid; nullopt if it is not valid.
  std::optional<GridPoint> DrawRaw(SearchRng& rng) const;

  ScheduleGrid grid_;
  mutable std::once_flag index_once_;
  mutable Index index_;
  mutable std::once_flag draws_once_;
  mutable Draws draws_;
};

}  // namespace mmtune
