// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/schedule_fit.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/families/registry.h"

namespace mmtune {
namespace {

int64_t percent(double part) { return std::llround(100 * part); }

}  // namespace

ScheduleFit estimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device) {
  ScheduleGeometry geometry = *DescribeSchedule(problem, schedule);
  const BlockTile& tile = geometry.tile;
  auto padding = [](int64_t extent, int64_t by) {
    return static_cast<double>(roundUp(extent, by)) / static_cast<double>(extent);
  };
  ScheduleFit fit;
  fit.cover = padding(problem.m, tile.m) * padding(problem.n, tile.n) * padding(problem.k, tile.k);

  if (device.multiprocessors <= 0) return fit;
  double waves = geometry.waves(device);
  fit.knowsWaves = true;
  fit.occupied = waves / std::ceil(waves);
  fit.lastWave = waves - (std::ceil(waves) - 1);
  return fit;
}

std::string ScheduleFit::text() const {
  std::string text = absl::StrCat("tiles cover ", percent(cover - 1), "% more than the product");
  if (knowsWaves) absl::StrAppend(&text, ", the last wave is ", percent(lastWave), "% full");
  return text;
}

}  // namespace mmtune
