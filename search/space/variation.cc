// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/variation.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace mmtune {
namespace {

constexpr int kCrossTries = 32;

std::vector<size_t> ShuffledAxes(const ScheduleGrid& grid, SearchRng& rng) {
  std::vector<size_t> axes(grid.axes().size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  Shuffle(axes, rng);
  return axes;
}

// Points looked at for one that differs in two values. A grid with few valid points has none, and many places for one.
constexpr int kMostLooks = 8192;

// The valid points that differ from `point` in axis `axis` alone, as far as `looks` go. The rules that read no more
// than the values before it hold.
std::vector<GridPoint> NeighboursAlong(const ScheduleGrid& grid, const GridPoint& point, size_t axis, int& looks) {
  std::vector<GridPoint> found;
  GridPoint trial = point;
  for (int64_t value : grid.axes()[axis].values) {
    if (value == point[axis]) continue;
    if (looks-- <= 0) break;
    trial[axis] = value;
    if (grid.HoldsBetween(axis, grid.bound_depth(), trial)) found.push_back(trial);
  }
  return found;
}

// The valid points that differ from `point` in both axes, and only there.
std::vector<GridPoint> NeighboursAlong(const ScheduleGrid& grid, const GridPoint& point, size_t first, size_t second,
                                       int& looks) {
  const auto [low, high] = std::minmax(first, second);
  std::vector<GridPoint> found;
  GridPoint moved = point;
  for (int64_t value : grid.axes()[low].values) {
    if (value == point[low]) continue;
    if (looks-- <= 0) break;
    moved[low] = value;
    if (!grid.HoldsBetween(low, std::min(high, grid.bound_depth()), moved)) continue;
    for (GridPoint& neighbour : NeighboursAlong(grid, moved, high, looks)) found.push_back(std::move(neighbour));
  }
  return found;
}

GridPoint Pick(std::vector<GridPoint>& points, SearchRng& rng) {
  return std::move(points[UniformBelow(rng, points.size())]);
}

}  // namespace

std::vector<GridPoint> NeighboursOf(const ScheduleGrid& grid, const GridPoint& point) {
  std::vector<GridPoint> all;
  int looks = std::numeric_limits<int>::max();
  for (size_t axis = 0; axis < point.size(); ++axis) {
    for (GridPoint& neighbour : NeighboursAlong(grid, point, axis, looks)) all.push_back(std::move(neighbour));
  }
  return all;
}

GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng) {
  const ScheduleGrid& grid = space.grid();
  const std::vector<size_t> axes = ShuffledAxes(grid, rng);
  int looks = std::numeric_limits<int>::max();
  for (size_t axis : axes) {
    std::vector<GridPoint> neighbours = NeighboursAlong(grid, point, axis, looks);
    if (!neighbours.empty()) return Pick(neighbours, rng);
  }
  looks = kMostLooks;
  for (size_t i = 0; i < axes.size() && looks > 0; ++i) {
    for (size_t j = i + 1; j < axes.size(); ++j) {
      std::vector<GridPoint> neighbours = NeighboursAlong(grid, point, axes[i], axes[j], looks);
      if (!neighbours.empty()) return Pick(neighbours, rng);
    }
  }
  if (space.Count() < 2) return point;
  for (;;) {
    GridPoint other = space.At(static_cast<int64_t>(UniformBelow(rng, static_cast<uint64_t>(space.Count()))));
    if (other != point) return other;
  }
}

namespace {

bool TryCross(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng, GridPoint& child) {
  for (size_t i = 0; i < child.size(); ++i) {
    const bool from_a = UniformBelow(rng, 2) == 0;
    child[i] = from_a ? a[i] : b[i];
    if (i >= grid.bound_depth() || grid.HoldsAt(i + 1, child.data())) continue;
    child[i] = from_a ? b[i] : a[i];
    if (!grid.HoldsAt(i + 1, child.data())) return false;
  }
  return true;
}

}  // namespace

std::optional<GridPoint> CrossPoints(const ScheduleGrid& grid, const GridPoint& a, const GridPoint& b, SearchRng& rng) {
  GridPoint child(grid.axes().size());
  for (int i = 0; i < kCrossTries; ++i) {
    if (TryCross(grid, a, b, rng, child)) return child;
  }
  return std::nullopt;
}

}  // namespace mmtune
