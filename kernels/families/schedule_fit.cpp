#include "kernels/families/schedule_fit.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/families/space_family.h"

namespace mmtune {
namespace {

int64_t percent(double part) { return std::llround(100 * part); }

} // namespace

BlockTile blockTileOf(const Schedule &schedule) {
  if (schedule.family == "direct")
    return {schedule.Get("by", 1) * schedule.Get("tm", 1),
            schedule.Get("bx", 1) * schedule.Get("tn", 1), 1};
  return {schedule.Get("bm", 1), schedule.Get("bn", 1), schedule.Get("bk", 1)};
}

ScheduleFit estimateFit(const MatmulProblem &problem, const Schedule &schedule,
                        const DeviceInfo &device) {
  BlockTile tile = blockTileOf(schedule);
  auto padding = [](int64_t extent, int64_t by) {
    return static_cast<double>(roundUp(extent, by)) / static_cast<double>(extent);
  };
  ScheduleFit fit;
  fit.cover = padding(problem.m, tile.m) * padding(problem.n, tile.n) * padding(problem.k, tile.k);

  if (device.multiprocessors <= 0)
    return fit;
  double blocks = static_cast<double>(ceilDiv(problem.m, tile.m)) *
                  static_cast<double>(ceilDiv(problem.n, tile.n)) *
                  static_cast<double>(schedule.Get("split_k", 1) * problem.batch);
  double waves = blocks / static_cast<double>(device.multiprocessors);
  fit.knowsWaves = true;
  fit.occupied = waves / std::ceil(waves);
  fit.lastWave = waves - (std::ceil(waves) - 1);
  return fit;
}

std::string ScheduleFit::text() const {
  std::string text = absl::StrCat("tiles cover ", percent(cover - 1), "% more than the product");
  if (knowsWaves)
    absl::StrAppend(&text, ", the last wave is ", percent(lastWave), "% full");
  return text;
}

} // namespace mmtune
