#include "kernels/families/default_schedule.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/families/registry.h"
#include "kernels/families/schedule_fit.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Where a device does not say how many multiprocessors it has.
constexpr int64_t kAssumedMultiprocessors = 128;

/// Block tile, thread tile, lanes of a warp along M.
struct Tile {
  int64_t bm, bn, tm, tn, lm;
};

/// From large to small, square first; thin ones for products of few rows or columns.
constexpr Tile kTiles[] = {
    {128, 128, 8, 8, 4}, {128, 64, 8, 4, 4}, {64, 128, 4, 8, 4}, {64, 64, 4, 4, 4},
    {32, 32, 2, 2, 4},   {16, 64, 2, 4, 4},  {64, 16, 4, 2, 8},  {4, 128, 1, 4, 1},
    {128, 4, 4, 1, 32},  {16, 16, 1, 2, 4},  {1, 128, 1, 4, 1},  {128, 1, 4, 1, 32},
    {1, 32, 1, 1, 1},    {32, 1, 1, 1, 32},
};

constexpr const char *kLastResorts[] = {"direct bx=16 by=16 tm=1 tn=1",
                                        "direct bx=32 by=1 tm=1 tn=1"};

std::string simtText(const Tile &tile, int64_t bk, int64_t async, int64_t stages) {
  return absl::StrCat("simt async=", async, " bk=", bk, " bm=", tile.bm, " bn=", tile.bn,
                      " group_m=1 kmajor_a=0 lm=", tile.lm,
                      " min_blocks=1 pad_a=4 pad_b=0 reduction=0 split_k=1 stages=", stages,
                      " tm=", tile.tm, " tn=", tile.tn, " unroll_k=", bk);
}

/// The deepest valid pipeline of a tile: long k steps and asynchronous copies first.
std::optional<Schedule> scheduleOf(const Tile &tile, const MatmulProblem &problem,
                                   const DeviceInfo &device) {
  struct Copies {
    int64_t async, stages;
  };
  for (int64_t bk : {16, 8, 4})
    for (Copies copies : {Copies{1, 3}, Copies{1, 2}, Copies{0, 2}, Copies{0, 1}}) {
      absl::StatusOr<Schedule> schedule =
          ParseSchedule(simtText(tile, bk, copies.async, copies.stages));
      if (schedule.ok() && ValidateSchedule(problem, *schedule, device).ok())
        return *std::move(schedule);
    }
  return std::nullopt;
}

double promise(const Schedule &schedule, const MatmulProblem &problem, const DeviceInfo &device) {
  BlockTile tile = blockTileOf(schedule);
  double reuse = static_cast<double>(tile.m * tile.n) / static_cast<double>(tile.m + tile.n);
  return estimateFit(problem, schedule, device).efficiency() * reuse / (reuse + 8);
}

} // namespace

absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem &problem, const DeviceInfo &target) {
  DeviceInfo device = target;
  if (device.multiprocessors <= 0)
    device.multiprocessors = kAssumedMultiprocessors;
  std::optional<Schedule> best;
  double most = 0;
  for (const Tile &tile : kTiles) {
    std::optional<Schedule> schedule = scheduleOf(tile, problem, target);
    if (!schedule)
      continue;
    if (double promised = promise(*schedule, problem, device); promised > most) {
      most = promised;
      best = std::move(schedule);
    }
  }
  if (best)
    return *std::move(best);
  for (const char *text : kLastResorts) {
    absl::StatusOr<Schedule> schedule = ParseSchedule(text);
    if (schedule.ok() && ValidateSchedule(problem, *schedule, target).ok())
      return schedule;
  }
  return InvalidArgument(absl::StrCat("no schedule of any family takes ", problem.Text()));
}

} // namespace mmtune
