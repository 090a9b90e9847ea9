// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/schedule_fit.h"

#include <cmath>
#include <optional>
#include <queue>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

int64_t Percent(double part) { return std::llround(100 * part); }

/// The k values that a block multiplies while it could write its partial sums, and read and add others': a judgement.
constexpr double kCostOfSharing = 128;

/// In this order families are asked for a default schedule.
enum Precedence { kMadeForIt, kSearchedByDefault, kLastResort };

Precedence PrecedenceOf(const SpaceFamily& family, const MatmulProblem& problem) {
  if (family.IsMadeFor(problem)) return kMadeForIt;
  return family.SearchedByDefault(problem) ? kSearchedByDefault : kLastResort;
}

/// One of a list of schedules in order of preference, and the time it should take.
struct Candidate {
  double seconds;
  const SpaceFamily* family;
  const ByPreference<Schedule>* list;
  size_t place;

  /// For the queue, which gives the greatest first.
  bool operator<(const Candidate& other) const { return seconds > other.seconds; }
  const Schedule& schedule() const { return (*list)[place]; }
};

/// Behind the schedules of each list the same ones without what sizes at run time or layouts do not allow.
void AddWholeTiles(std::vector<ByPreference<Schedule>>& lists) {
  for (ByPreference<Schedule>& list : lists) {
    const size_t count = list.size();
    for (size_t i = 0; i < count; ++i) list.push_back(WithWholeTiles(list[i]));
  }
}

/// The fastest by the model of the families' default schedules with this precedence, of each list the first valid one.
std::optional<Schedule> MostPromising(const MatmulProblem& problem, const DeviceInfo& device, RunTimeSizes sizes,
                                      const ProductLayout& layout, Precedence precedence) {
  std::priority_queue<Candidate> queue;
  auto consider = [&](Candidate candidate) {
    // A device may have more multiprocessors than a parameter's domain has values.
    for (; candidate.place < candidate.list->size(); ++candidate.place) {
      if (!WhyNotAtRunTime(problem, candidate.schedule(), sizes).empty()) continue;
      std::optional<PredictedTime> time = candidate.family->Predict(problem, candidate.schedule(), device);
      if (!time) continue;
      candidate.seconds = time->total;
      queue.push(candidate);
      return;
    }
  };
  std::vector<std::vector<ByPreference<Schedule>>> lists;
  lists.reserve(SpaceFamilies().size());
  for (const SpaceFamily* family : SpaceFamilies()) {
    if (PrecedenceOf(*family, problem) != precedence) continue;
    lists.push_back(family->DefaultSchedules(problem, device));
    if (sizes.any() || layout.any()) AddWholeTiles(lists.back());
    for (const ByPreference<Schedule>& list : lists.back()) consider({0, family, &list, 0});
  }
  // Few are validated: a schedule that is slower by the model than a valid one is not asked for.
  for (; !queue.empty();) {
    Candidate candidate = queue.top();
    queue.pop();
    if (candidate.family->Validate(problem, candidate.schedule(), device).ok() &&
        WhyNotLaidOut(problem, candidate.schedule(), device, layout).empty())
      return candidate.schedule();
    ++candidate.place;
    consider(candidate);
  }
  return std::nullopt;
}

}  // namespace

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
  std::string text = absl::StrCat("tiles cover ", Percent(cover - 1), "% more than the product");
  if (knowsWaves) absl::StrAppend(&text, ", the last wave is ", Percent(lastWave), "% full");
  return text;
}

absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device, RunTimeSizes sizes,
                                         const ProductLayout& layout) {
  for (Precedence precedence : {kMadeForIt, kSearchedByDefault, kLastResort})
    if (std::optional<Schedule> schedule = MostPromising(problem, device, sizes, layout, precedence))
      return *std::move(schedule);
  return InvalidArgument(absl::StrCat("no schedule of any family takes ", TextWithSizes(problem, sizes),
                                      layout.any() ? " " : "", layout.Text(), " on ", device.arch));
}

}  // namespace mmtune
