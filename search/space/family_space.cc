// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/family_space.h"

#include <algorithm>
#include <utility>

namespace mmtune {
namespace {

// Bounds the index to a few megabytes, and the steps from a landmark to prefixes / kMaxLandmarks * 2.
constexpr size_t kMaxLandmarks = size_t{1} << 15;

// Bounds the table of beginnings to about a megabyte, and its making to some 10 ms.
constexpr size_t kMostBeginnings = size_t{1} << 16;
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
  Draws draws{PrefixTable(grid_, kMostBeginnings), 0};
  // No more than the raw grid has, which 64 bits count.
  draws.size = draws.beginnings->size();
  for (size_t i = draws.beginnings->length(); i < grid_.axes().size(); ++i) draws.size *= grid_.axes()[i].values.size();
  return draws;
}

const FamilySpace::Draws& FamilySpace::GetDraws() const {
  std::call_once(draws_once_, [this] { draws_ = MakeDraws(); });
  return draws_;
}

int64_t FamilySpace::Size() const {
  const Draws& draws = GetDraws();
  if (draws.beginnings && draws.beginnings->length() == grid_.bound_depth()) return static_cast<int64_t>(draws.size);
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
  if (!draws.beginnings) return DrawRaw(rng);
  const std::vector<ScheduleParameter>& axes = grid_.axes();
  GridPoint point(axes.size());
  for (size_t i = axes.size(); i-- > draws.beginnings->length();) {
    const std::vector<int64_t>& values = axes[i].values;
    point[i] = values[number % values.size()];
    number /= values.size();
  }
  draws.beginnings->Copy(number, grid_, point);
  if (!grid_.HoldsBetween(draws.beginnings->length(), grid_.bound_depth(), point)) return std::nullopt;
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

}  // namespace mmtune
