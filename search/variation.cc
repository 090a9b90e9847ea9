// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/variation.h"

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

// The valid points that differ from `point` in axis `axis` alone.
std::vector<GridPoint> NeighboursAlong(const ScheduleGrid& grid, const GridPoint& point, size_t axis) {
  std::vector<GridPoint> found;
  GridPoint trial = point;
  for (int64_t value : grid.axes()[axis].values) {
    if (value == point[axis]) continue;
    trial[axis] = value;
    if (grid.Holds(trial)) found.push_back(trial);
  }
  return found;
}

// The valid points that differ from `point` in both axes, and only there.
std::vector<GridPoint> NeighboursAlong(const ScheduleGrid& grid, const GridPoint& point, size_t first, size_t second) {
  std::vector<GridPoint> found;
  GridPoint moved = point;
  for (int64_t value : grid.axes()[first].values) {
    if (value == point[first]) continue;
    moved[first] = value;
    for (GridPoint& neighbour : NeighboursAlong(grid, moved, second)) found.push_back(std::move(neighbour));
  }
  return found;
}

GridPoint Pick(std::vector<GridPoint>& points, SearchRng& rng) {
  return std::move(points[UniformBelow(rng, points.size())]);
}

}  // namespace

GridPoint MutatePoint(const FamilySpace& space, const GridPoint& point, SearchRng& rng) {
  const ScheduleGrid& grid = space.grid();
  const std::vector<size_t> axes = ShuffledAxes(grid, rng);
  for (size_t axis : axes) {
    std::vector<GridPoint> neighbours = NeighboursAlong(grid, point, axis);
    if (!neighbours.empty()) return Pick(neighbours, rng);
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    for (size_t j = i + 1; j < axes.size(); ++j) {
      std::vector<GridPoint> neighbours = NeighboursAlong(grid, point, axes[i], axes[j]);
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
