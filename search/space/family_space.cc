// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/family_space.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace mmtune {
namespace {

// Bounds the index to a few megabytes, and the steps from a landmark to prefixes / kMaxLandmarks * 2.
constexpr size_t kMaxLandmarks = size_t{1} << 15;

// Bounds the table of prefixes to about a megabyte, and its making to some 10 ms.
constexpr size_t kMaxPrefixes = size_t{1} << 16;
// With a point in 64 valid, draws from the raw grid are as good as any.
constexpr int kRawDraws = 256, kEnoughValid = 16;
// Of an estimate: an error of 3 % is usual. Fewer points in so many draws are counted.
constexpr int kSizeHits = 1024, kSizeDraws = 1 << 17;

void DropEverySecond(std::vector<PrefixWalker::Position>& landmarks) {
  for (size_t i = 1; 2 * i < landmarks.size(); ++i) landmarks[i] = std::move(landmarks[2 * i]);
  landmarks.resize((landmarks.size() + 1) / 2);
}

}  // namespace

bool FamilySpace::IsEmpty() const { return !PrefixWalker(grid_).Next(); }

FamilySpace::Index FamilySpace::BuildIndex() const {
  Index index;
  for (PrefixWalker walker(grid_); walker.Next(); ++index.prefixes) {
    if (index.prefixes % index.stride != 0) continue;
    if (index.landmarks.size() == kMaxLandmarks) {  // This prefix is one of every second: kMaxLandmarks is even.
      DropEverySecond(index.landmarks);
      index.stride *= 2;
    }
    index.landmarks.push_back(walker.position());
  }
  return index;
}

const FamilySpace::Index& FamilySpace::GetIndex() const {
  std::call_once(index_once_, [this] { index_ = BuildIndex(); });
  return index_;
}

int64_t FamilySpace::Count() const { return static_cast<int64_t>(GetIndex().prefixes * grid_.free_size()); }

GridPoint FamilySpace::At(int64_t index) const {
  const Index& landmarks = GetIndex();
  const uint64_t prefix = static_cast<uint64_t>(index) / grid_.free_size();
  PrefixWalker walker(grid_, landmarks.landmarks[prefix / landmarks.stride]);
  for (uint64_t steps = prefix % landmarks.stride; steps > 0; --steps) walker.Next();
  GridPoint point = walker.values();
  point.resize(grid_.axes().size());
  grid_.SetFreeAxes(static_cast<uint64_t>(index) % grid_.free_size(), point);
  return point;
}

FamilySpace::Draws FamilySpace::MakeDraws() const {
  SearchRng rng(0);
  int valid = 0;
  for (int i = 0; i < kRawDraws; ++i) valid += DrawRaw(rng).has_value();
  if (valid >= kEnoughValid) return {std::nullopt, grid_.raw_size()};
  Draws draws{PrefixTable(grid_, kMaxPrefixes), 0};
  // No more than the raw grid has, which 64 bits count.
  draws.size = draws.prefixes->size();
  for (size_t i = draws.prefixes->length(); i < grid_.axes().size(); ++i) draws.size *= grid_.axes()[i].values.size();
  return draws;
}

const FamilySpace::Draws& FamilySpace::GetDraws() const {
  std::call_once(draws_once_, [this] { draws_ = MakeDraws(); });
  return draws_;
}

int64_t FamilySpace::Size() const {
  const Draws& draws = GetDraws();
  if (draws.prefixes && draws.prefixes->length() == grid_.bound_depth()) return static_cast<int64_t>(draws.size);
  SearchRng rng(0);
  int tries = 0, valid = 0;
  for (; tries < kSizeDraws && valid < kSizeHits; ++tries)
    valid += TryDraw(UniformBelow(rng, draws.size), rng).has_value();
  const double size = static_cast<double>(draws.size) * valid / std::max(tries, 1);
  if (valid < kSizeHits || size <= 2 * static_cast<double>(kCounted)) return Count();
  return static_cast<int64_t>(size);
}

std::optional<GridPoint> FamilySpace::TryDraw(uint64_t number, SearchRng& rng) const {
  const Draws& draws = GetDraws();
  if (!draws.prefixes) return DrawRaw(rng);
  const std::vector<ScheduleParameter>& axes = grid_.axes();
  GridPoint point(axes.size());
  for (size_t i = axes.size(); i-- > draws.prefixes->length();) {
    const std::vector<int64_t>& values = axes[i].values;
    point[i] = values[number % values.size()];
    number /= values.size();
  }
  draws.prefixes->Copy(number, grid_, point);
  if (!grid_.HoldsBetween(draws.prefixes->length(), grid_.bound_depth(), point)) return std::nullopt;
  return point;
}

std::optional<GridPoint> FamilySpace::DrawRaw(SearchRng& rng) const {
  const std::vector<ScheduleParameter>& axes = grid_.axes();
  GridPoint point(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    point[i] = axes[i].values[UniformBelow(rng, axes[i].values.size())];
    if (i < grid_.bound_depth() && !grid_.HoldsAt(i + 1, point.data())) return std::nullopt;
  }
  return point;
}

namespace {

constexpr int kCrossTries = 32;

std::vector<size_t> ShuffledAxes(const ScheduleGrid& grid, SearchRng& rng) {
  std::vector<size_t> axes(grid.axes().size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  Shuffle(axes, rng);
  return axes;
}

// Points looked at for one that differs in two values. A grid with few valid points has none, and many places for one.
constexpr int kMaxTries = 8192;

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
  looks = kMaxTries;
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
