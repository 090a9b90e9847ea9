// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma_recipes.h"

#include "kernels/families/mma_schedule.h"

namespace mmtune {
namespace {

/// Block tile, warp tile, splits of k.
struct Tile {
  int64_t bm, bn, wm, wn;
  int64_t splitK = 1;
};

/// From large to small, square first; thin ones for products of few rows or columns.
constexpr Tile kTiles[] = {
    {128, 256, 64, 64}, {128, 128, 64, 32}, {128, 64, 64, 32},    {64, 128, 32, 64},    {64, 64, 32, 32},
    {32, 32, 16, 16},   {16, 128, 16, 32},  {128, 16, 32, 16},    {16, 64, 16, 16},     {64, 16, 16, 16},
    {16, 16, 16, 8},    {16, 8, 16, 8},     {16, 128, 16, 32, 4}, {16, 256, 16, 32, 8}, {128, 16, 32, 16, 4},
};

/// How tiles get to shared memory, and fragments to registers.
struct Pipeline {
  int64_t bk, stages, prefetch;
};
constexpr Pipeline kPipelines[] = {{32, 4, 1}, {32, 3, 1}, {32, 2, 1}, {32, 2, 0}, {16, 2, 0}, {16, 1, 0}};

Schedule scheduleOf(const Tile& tile, const Pipeline& pipeline) {
  MmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.wm = tile.wm, s.wn = tile.wn;
  s.splitK = tile.splitK;
  s.reduction = s.splitK > 1 ? kWorkspaceReduction : kNoReduction;
  s.bk = pipeline.bk;
  s.stages = pipeline.stages;
  s.prefetch = pipeline.prefetch;
  return s.toSchedule();
}

}  // namespace

std::vector<LadderRung> mmaLadder(const MatmulProblem& problem) {
  // The largest tile that the problem fills; small and thin problems get a small one.
  std::vector<Tile> tiles = {{32, 32, 16, 16}, {16, 8, 16, 8}};
  if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 32, 32});
  if (problem.m >= 128 && problem.n >= 128) tiles.insert(tiles.begin(), {128, 128, 64, 32});
  LadderRung simple{"mma.sync", {}}, pipelined{"pipelined", {}};
  for (const Tile& tile : tiles) {
    for (int64_t bk : {32, 16}) simple.schedules.push_back(scheduleOf(tile, {bk, 1, 0}));
    for (const Pipeline& pipeline : {kPipelines[0], kPipelines[1], kPipelines[2]})
      pipelined.schedules.push_back(scheduleOf(tile, pipeline));
  }
  return {simple, pipelined};
}

std::vector<ByPreference<Schedule>> mmaDefaultSchedules() {
  std::vector<ByPreference<Schedule>> all;
  for (const Tile& tile : kTiles) {
    ByPreference<Schedule>& schedules = all.emplace_back();
    for (const Pipeline& pipeline : kPipelines) schedules.push_back(scheduleOf(tile, pipeline));
  }
  return all;
}

}  // namespace mmtune
