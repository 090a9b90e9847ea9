// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_recipes.h"

#include "kernels/families/fma_schedule.h"

namespace mmtune {
namespace {

/// Block tile, thread tile, lanes of a warp along M.
struct Tile {
  int64_t bm, bn, tm, tn, lm;
};

/// From large to small, square first; thin ones for products of few rows or columns.
constexpr Tile kTiles[] = {
    {128, 128, 8, 8, 4}, {128, 64, 8, 4, 4}, {64, 128, 4, 8, 4}, {64, 64, 4, 4, 4},  {32, 32, 2, 2, 4},
    {16, 64, 2, 4, 4},   {64, 16, 4, 2, 8},  {4, 128, 1, 4, 1},  {128, 4, 4, 1, 32}, {16, 16, 1, 2, 4},
    {1, 128, 1, 4, 1},   {128, 1, 4, 1, 32}, {1, 32, 1, 1, 1},   {32, 1, 1, 1, 32},
};

/// How tiles get to shared memory.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[] = {{1, 3}, {1, 2}, {0, 2}, {0, 1}};

FmaSchedule scheduleOf(const Tile& tile, int64_t bk, Copies copies) {
  FmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.tm = tile.tm, s.tn = tile.tn;
  s.lm = tile.lm;
  s.bk = s.unrollK = bk;
  s.padA = 4;
  s.async = copies.async;
  s.stages = copies.stages;
  return s;
}

}  // namespace

std::vector<LadderRung> fmaLadder(const MatmulProblem& problem) {
  // The largest tile that the problem fills; small and thin problems get a small one.
  std::vector<Tile> tiles = {{32, 32, 2, 2, 4}};
  if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 4, 4, 4});
  LadderRung rung{"shared-memory", {}};
  for (const Tile& tile : tiles)
    for (int64_t bk : {16, 4}) {
      FmaSchedule s = scheduleOf(tile, bk, {0, 1});
      s.padB = problem.transpose_b ? 4 : 0;
      rung.schedules.push_back(s.toSchedule());
    }
  return {rung};
}

std::vector<ByPreference<Schedule>> fmaDefaultSchedules() {
  std::vector<ByPreference<Schedule>> all;
  for (const Tile& tile : kTiles) {
    ByPreference<Schedule>& schedules = all.emplace_back();
    for (int64_t bk : {16, 8, 4})
      for (Copies copies : kCopies) schedules.push_back(scheduleOf(tile, bk, copies).toSchedule());
  }
  return all;
}

}  // namespace mmtune
