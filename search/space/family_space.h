// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The valid schedules of one kernel family for a problem on a device. A schedule is the family with a value for each
// parameter: a point of a grid with one axis for each parameter, in which rules make most points invalid
// (schedule_grid.h). The class FamilySpace counts the valid points, returns the i-th one, and draws random ones.
// Functions make variations of a given schedule: neighbours, mutation, crossover. SearchSpace combines the spaces of
// several families. search/README.md explains the methods.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "search/space/rng.h"
#include "search/space/schedule_grid.h"

namespace mmtune {

/// The valid points of a grid. Tables are built on first use. Thread-safe.
class FamilySpace {
 public:
  explicit FamilySpace(ScheduleGrid grid) : grid_(std::move(grid)) {}

  const ScheduleGrid& grid() const { return grid_; }
  /// True if there is no valid point. Stops at the first valid point, so it is cheap unless there is none.
  bool IsEmpty() const;

  /// Returns the exact number of valid points. The first call enumerates the valid combinations of values on the axes
  /// that rules read; each further axis only multiplies their number.
  int64_t Count() const;
  /// Returns valid point `index`, counted from 0, in the order of enumeration.
  GridPoint At(int64_t index) const;

  /// Returns Count() if that is at most kCounted; otherwise an estimate from random draws, which is off by a few
  /// percent and always the same.
  int64_t Size() const;
  /// The largest number of points that Size() counts exactly.
  static constexpr int64_t kCounted = int64_t{1} << 15;

  /// Returns n such that TryDraw() returns each valid point with probability 1/n.
  uint64_t draw_size() const { return GetDraws().size; }
  /// Makes one random draw. Returns nullopt if the drawn point breaks a rule; the points that are returned are
  /// uniformly distributed over the valid ones. The caller passes a `number` that is uniform in [0, draw_size()), so
  /// that SearchSpace can choose the family and the point by one number. If points are drawn from the whole grid,
  /// `number` is ignored, and `rng` chooses the point.
  std::optional<GridPoint> TryDraw(uint64_t number, SearchRng& rng) const;

 private:
  /// Saved positions of the enumeration, one every `stride` valid prefixes (values of the first axes, schedule_grid.h),
  /// from which At() continues.
  struct Index {
    uint64_t prefixes = 0;
    uint64_t stride = 1;
    std::vector<PrefixWalker::Position> landmarks;
  };

  /// The set from which TryDraw() draws: the whole grid or, if few of its points are valid, the points that start
  /// with a valid prefix of a table.
  struct Draws {
    std::optional<PrefixTable> prefixes;
    uint64_t size = 0;
  };

  const Index& GetIndex() const;
  Index BuildIndex() const;
  const Draws& GetDraws() const;
  Draws MakeDraws() const;
  /// Draws a point of the whole grid. Returns nullopt if it is not valid.
  std::optional<GridPoint> DrawRaw(SearchRng& rng) const;

  ScheduleGrid grid_;
  mutable std::once_flag index_once_;
  mutable Index index_;
  mutable std::once_flag draws_once_;
  mutable Draws draws_;
};

/// Returns the valid points that differ from the valid `point` in exactly one value, axis by axis.
std::vector<GridPoint> NeighboursOf(const ScheduleGrid& grid, const GridPoint& point);

/// Returns a random valid point that differs from the valid `point` in one value. If there is none, tries up to about a
/// thousand points that differ in two values, then takes any other point. Returns `point` if it is the only valid one.
GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng);

/// Returns a valid point that takes each value from `a` or `b` at random, or from the other one if that breaks a rule.
/// Starts again, a bounded number of times, if both break it. Returns nullopt if that fails.
std::optional<GridPoint> CrossPoints(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng);

}  // namespace mmtune
