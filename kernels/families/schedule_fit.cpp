// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/schedule_fit.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/registry.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

int64_t Percent(double part) { return std::llround(100 * part); }

/// The k values that a block multiplies while it could write its partial sums, and read and add others': a judgement.
constexpr double kCostOfSharing = 128;

double Promise(const Schedule& schedule, const MatmulProblem& problem, const DeviceInfo& device) {
  BlockTile tile = DescribeSchedule(problem, schedule)->tile;
  double reuse = static_cast<double>(tile.m * tile.n) / static_cast<double>(tile.m + tile.n);
  return EstimateFit(problem, schedule, device).efficiency() * reuse / (reuse + 8);
}

/// In this order families are asked for a default schedule.
enum Precedence { kMadeForIt, kSearchedByDefault, kLastResort };

Precedence PrecedenceOf(const SpaceFamily& family, const MatmulProblem& problem) {
  if (family.IsMadeFor(problem)) return kMadeForIt;
  return family.SearchedByDefault(problem) ? kSearchedByDefault : kLastResort;
}

/// The most promising default schedule of the families with this precedence.
std::optional<Schedule> MostPromising(const MatmulProblem& problem, const DeviceInfo& target, Precedence precedence) {
  DeviceInfo device = target;
  if (device.multiprocessors <= 0) device.multiprocessors = kAssumedMultiprocessors;
  std::optional<Schedule> best;
  double most = 0;
  for (const SpaceFamily* family : SpaceFamilies()) {
    if (PrecedenceOf(*family, problem) != precedence) continue;
    for (const ByPreference<Schedule>& schedules : family->DefaultSchedules(problem, device)) {
      const Schedule* schedule = FirstValid(schedules, problem, target);
      if (!schedule) continue;
      if (double promised = Promise(*schedule, problem, device); promised > most) {
        most = promised;
        best = *schedule;
      }
    }
  }
  return best;
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

std::string ScheduleFit::text() const {
  std::string text = absl::StrCat("tiles cover ", Percent(cover - 1), "% more than the product");
  if (knowsWaves) absl::StrAppend(&text, ", the last wave is ", Percent(lastWave), "% full");
  return text;
}

absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device) {
  for (Precedence precedence : {kMadeForIt, kSearchedByDefault, kLastResort})
    if (std::optional<Schedule> schedule = MostPromising(problem, device, precedence)) return *std::move(schedule);
  return InvalidArgument(absl::StrCat("no schedule of any family takes ", problem.Text(), " on ", device.arch));
}

}  // namespace mmtune
