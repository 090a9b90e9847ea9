// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/default_schedule.h"

#include <cmath>
#include <optional>
#include <queue>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/status.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {
namespace {

int64_t Percent(double part) { return std::llround(100 * part); }

/// The k values for which a block multiplies as long as it takes to exchange partial sums; a judgement.
constexpr double kCostOfSharing = 128;

/// The order in which families are asked for a default schedule.
enum Precedence { kMadeForIt, kSearchedByDefault, kLastResort };

Precedence PrecedenceOf(const FamilyBase& family, const MatmulProblem& problem) {
  if (family.IsSpecializedFor(problem)) return kMadeForIt;
  return family.SearchedByDefault(problem) ? kSearchedByDefault : kLastResort;
}

/// An element of a list of schedules in order of preference, and its predicted time.
struct Candidate {
  double seconds;
  const FamilyBase* family;
  const ByPreference<Schedule>* list;
  size_t index;

  /// Orders the queue, which returns the greatest first.
  bool operator<(const Candidate& other) const { return seconds > other.seconds; }
  const Schedule& schedule() const { return (*list)[index]; }
};

/// Appends to each list its schedules with whole tiles, which sizes at run time and layouts may need.
void AddWholeTiles(std::vector<ByPreference<Schedule>>& lists) {
  for (ByPreference<Schedule>& list : lists) {
    const size_t count = list.size();
    for (size_t i = 0; i < count; ++i) list.push_back(WithWholeTiles(list[i]));
  }
}

/// Returns the fastest default schedule, by the model, of families with this precedence: the first valid one of each
/// list counts.
std::optional<Schedule> MostPromising(const MatmulProblem& problem, const DeviceInfo& device, RunTimeSizes sizes,
                                      const MatmulLayout& layout, const std::vector<const FamilyBase*>& families,
                                      Precedence precedence) {
  std::priority_queue<Candidate> queue;
  auto consider = [&](Candidate candidate) {
    // A value may exceed the domain of its parameter on a device with many multiprocessors.
    for (; candidate.index < candidate.list->size(); ++candidate.index) {
      if (!WhyRunTimeSizesUnsupported(problem, candidate.schedule(), sizes).empty()) continue;
      std::optional<PredictedTime> time = candidate.family->Predict(problem, candidate.schedule(), device);
      if (!time) continue;
      candidate.seconds = time->total;
      queue.push(candidate);
      return;
    }
  };
  std::vector<std::vector<ByPreference<Schedule>>> lists;
  lists.reserve(families.size());
  for (const FamilyBase* family : families) {
    if (PrecedenceOf(*family, problem) != precedence) continue;
    lists.push_back(family->DefaultSchedules(problem, device));
    if (sizes.any() || layout.any()) AddWholeTiles(lists.back());
    for (const ByPreference<Schedule>& list : lists.back()) consider({0, family, &list, 0});
  }
  // Only few schedules are validated: those that are slower by the model than a valid one are not.
  for (; !queue.empty();) {
    Candidate candidate = queue.top();
    queue.pop();
    if (candidate.family->Validate(problem, candidate.schedule(), device).ok() &&
        WhyLayoutUnsupported(problem, candidate.schedule(), device, layout).empty())
      return candidate.schedule();
    ++candidate.index;
    consider(candidate);
  }
  return std::nullopt;
}

}  // namespace

std::vector<TileSharing> TileSharings(const std::vector<int64_t>& splits, const std::vector<int64_t>& streams,
                                      const std::vector<int64_t>& reductions) {
  std::vector<TileSharing> all = {{}};
  for (int64_t split : splits)
    for (int64_t reduction : reductions)
      if (split > 1 && reduction != kNoReduction) all.push_back({split, 1, reduction});
  for (int64_t blocks : streams)
    if (blocks > 1) all.push_back({1, blocks, kOrderedReduction});
  return all;
}

std::vector<TileSharing> SharingsOfKind(const std::vector<TileSharing>& sharings, size_t way) {
  std::vector<TileSharing> same;
  std::ranges::copy_if(sharings, std::back_inserter(same),
                       [way](const TileSharing& sharing) { return sharing.kind() == way; });
  return same;
}

int64_t DefaultGroupM(const MatmulProblem& problem, int64_t bm, int64_t bn) {
  // Larger operands, in elements, do not fit the L2 of every device.
  constexpr int64_t kFitsCache = int64_t{1} << 19;
  if (problem.k * (problem.m + problem.n) <= kFitsCache || problem.n <= bn) return 1;
  for (int64_t group : {8, 4})
    if (CeilDiv(problem.m, bm) >= group) return group;
  return 1;
}

int64_t DefaultMinBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device, const std::vector<int64_t>& axis) {
  // Errors of the register estimate matter more beyond two blocks.
  const int64_t most =
      std::min({ResidentBlocks(geometry, device), CeilDiv(geometry.blocks, MultiprocessorsOf(device)), int64_t{2}});
  int64_t keep = 1;
  for (int64_t blocks : axis)
    if (blocks <= most) keep = std::max(keep, blocks);
  return keep;
}

ScheduleFit EstimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device) {
  ScheduleGeometry geometry = *DescribeSchedule(problem, schedule);
  const BlockTile& tile = geometry.tile;
  auto padding = [](int64_t extent, int64_t by) {
    return static_cast<double>(RoundUp(extent, by)) / static_cast<double>(extent);
  };
  ScheduleFit fit;
  fit.cover = padding(problem.m, tile.m) * padding(problem.n, tile.n) * padding(problem.k, tile.k);

  if (geometry.sharedK > 0) {
    auto shared = static_cast<double>(geometry.sharedK);
    fit.sharing = (shared + kCostOfSharing) / shared;
  }

  if (device.multiprocessors <= 0) return fit;
  double waves = geometry.waves(device);
  fit.knowsWaves = true;
  fit.occupied = waves / std::ceil(waves);
  fit.lastWave = waves - (std::ceil(waves) - 1);
  return fit;
}

std::string ScheduleFit::Text() const {
  std::string text = absl::StrCat("tiles cover ", Percent(cover - 1), "% more than the problem");
  if (knowsWaves) absl::StrAppend(&text, ", the last wave is ", Percent(lastWave), "% full");
  return text;
}

absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device, RunTimeSizes sizes,
                                         const MatmulLayout& layout, const std::vector<const FamilyBase*>& families) {
  for (Precedence precedence : {kMadeForIt, kSearchedByDefault, kLastResort})
    if (std::optional<Schedule> schedule = MostPromising(problem, device, sizes, layout, families, precedence))
      return *std::move(schedule);
  return InvalidArgument(absl::StrCat("no schedule of any family supports ", TextWithSizes(problem, sizes),
                                      layout.any() ? " " : "", layout.Text(), " on ", device.arch));
}

}  // namespace mmtune
