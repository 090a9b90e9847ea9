// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/family_space.h"

#include <utility>

namespace mmtune {
namespace {

// Bounds the index to a few megabytes, and the steps from a landmark to prefixes / kMaxLandmarks * 2.
constexpr size_t kMaxLandmarks = size_t{1} << 15;

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

std::optional<GridPoint> FamilySpace::TryDraw(SearchRng& rng) const {
  const std::vector<ScheduleParameter>& axes = grid_.axes();
  GridPoint point(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    point[i] = axes[i].values[UniformBelow(rng, axes[i].values.size())];
    if (i < grid_.bound_depth() && !grid_.HoldsAt(i + 1, point.data())) return std::nullopt;
  }
  return point;
}

}  // namespace mmtune
