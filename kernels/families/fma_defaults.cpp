// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_defaults.h"

#include <algorithm>
#include <utility>

namespace mmtune {
namespace {

struct ThreadTile {
  int64_t tm, tn;
};
/// From large to small: what a thread keeps in registers saves reads of shared memory.
constexpr ThreadTile kThreadTiles[] = {{8, 16}, {16, 8}, {8, 8}, {8, 4}, {4, 8}, {4, 4}, {4, 2},
                                       {2, 4},  {2, 2},  {1, 4}, {4, 1}, {1, 2}, {2, 1}, {1, 1}};
/// Thread tiles that are considered for a block tile, and for one of at most so many elements.
constexpr int kThreadTilesPerBlock = 3, kThreadTilesPerSmallBlock = 6;
constexpr int64_t kSmallBlock = 1024;
/// Of a block by default: more rarely pay.
constexpr int64_t kMostThreads = 256;

constexpr int64_t kSplits[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16};
/// k values that a split has at least, and blocks up to which k is split; judgements.
constexpr int64_t kLeastSplit = 32, kManyBlocks = 1024;
/// A workspace of at most so many bytes stays in L2: atomics would only be slower.
constexpr int64_t kSmallWorkspace = int64_t{1} << 22;
/// Operands above this many elements are larger than the part of an L2 that keeps them, of some device.
constexpr int64_t kFitsCache = int64_t{1} << 19;

/// How tiles get to shared memory: alternatives, each with what takes its place where it does not fit.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[][2] = {{{1, 5}, {1, 4}}, {{1, 3}, {1, 2}}, {{0, 2}, {0, 1}}};

/// Multiply-adds of a thread in a loop of 18 KB, which an instruction cache holds.
constexpr int64_t kMostUnrolled = 1024;

constexpr int64_t kShortK = 128;

/// The k step with that loop, as far as k has so many values.
int64_t LongestStep(const MatmulProblem& problem, const FmaSchedule& s) {
  // Of a short k, every step's latency counts, and the loop runs a few times only.
  int64_t unrolled = problem.k <= kShortK ? 2 * kMostUnrolled : kMostUnrolled;
  int64_t most = std::clamp<int64_t>(unrolled / (s.tm * s.tn), 8, 32);
  return std::min(most, NextPowerOfTwo(std::max<int64_t>(problem.k, 4)));
}

/// The most that a multiprocessor of any architecture has (sm_90, sm_100); a block may have 1 KiB less.
constexpr int64_t kMostShared = 228 * 1024, kMostResident = 2048;

/// Whether there is a multiprocessor for so many blocks at once.
bool FitsSomewhere(const MatmulProblem& problem, const FmaSchedule& s) {
  FmaTiling tiling(problem, s);
  int64_t useful = tiling.grid.tilesPerSplit + s.async;
  return tiling.grid.EverySplitHasWork() && s.stages <= std::max<int64_t>(useful, 1 + s.async) &&
         tiling.RegisterEstimate() <= RegisterLimit(DeviceInfo(), tiling.threads, s.minBlocks) &&
         (tiling.SharedBytes() + 1024) * s.minBlocks <= kMostShared && tiling.threads * s.minBlocks <= kMostResident;
}

/// Lanes of a warp along M so that warps fit the block tile, as square as they can be; 0 where none do.
int64_t LanesFor(int64_t bm, int64_t bn, const ThreadTile& tile) {
  for (int64_t lm : {4, 8, 2, 16, 1, 32})
    if (bm % (lm * tile.tm) == 0 && bn % (32 / lm * tile.tn) == 0) return lm;
  return 0;
}

/// Adds a list for each alternative of copying, of resident blocks the most first. Fragments are always read ahead.
void AddPipelines(const MatmulProblem& problem, FmaSchedule s, std::vector<ByPreference<Schedule>>& all) {
  s.fragments = 2;
  s.kmajorA = 1;
  // What is transposed on its way would meet banks twice.
  s.padA = problem.transpose_a ? 0 : 4;
  s.padB = problem.transpose_b ? 4 : 0;
  int64_t longest = LongestStep(problem, s);
  for (int64_t bk : {longest, longest / 2}) {
    if (bk < 4) continue;
    s.bk = s.unrollK = bk;
    for (const auto& alternatives : kCopies) {
      ByPreference<Schedule> list;
      for (const Copies& copies : alternatives)
        for (int64_t minBlocks : {4, 2, 1}) {
          s.async = copies.async;
          s.stages = copies.stages;
          s.minBlocks = minBlocks;
          if (FitsSomewhere(problem, s)) list.push_back(s.ToSchedule());
        }
      if (!list.empty()) all.push_back(std::move(list));
    }
  }
}

void AddSplits(const MatmulProblem& problem, FmaSchedule s, std::vector<ByPreference<Schedule>>& all) {
  int64_t blocks = CeilDiv(problem.m, s.bm) * CeilDiv(problem.n, s.bn) * problem.batch;
  for (int64_t splits : kSplits) {
    if (splits > 1 && (blocks * splits > kManyBlocks || problem.k < splits * kLeastSplit)) break;
    s.splitK = splits;
    for (int64_t reduction : SplitReductions(problem)) {
      if ((splits == 1) != (reduction == kNoReduction)) continue;
      BlockGrid grid(problem, s.bm, s.bn, /*bk=*/1, splits, /*groupM=*/1);
      bool small = WorkspaceBytes(problem, grid, kWorkspaceReduction) <= kSmallWorkspace;
      if (small && reduction == kAtomicReduction) continue;
      s.reduction = reduction;
      AddPipelines(problem, s, all);
    }
  }
}

/// Rows of blocks that walk together: what a wave of blocks reads is least where it is nearly square.
int64_t GroupFor(const MatmulProblem& problem, int64_t bm, int64_t bn) {
  if (problem.k * (problem.m + problem.n) <= kFitsCache || problem.n <= bn) return 1;
  for (int64_t group : {8, 4})
    if (CeilDiv(problem.m, bm) >= group) return group;
  return 1;
}

std::vector<int64_t> BlockTiles(int64_t limit) {
  std::vector<int64_t> tiles;
  for (int64_t tile = limit; tile >= std::max<int64_t>(1, std::min<int64_t>(limit, 16)); tile /= 2)
    tiles.push_back(tile);
  return tiles;
}

}  // namespace

FmaTileLimits::FmaTileLimits(const MatmulProblem& problem) {
  int64_t m = NextPowerOfTwo(std::min<int64_t>(problem.m, 256));
  int64_t n = NextPowerOfTwo(std::min<int64_t>(problem.n, 256));
  bm = std::max(m, 32 / std::min<int64_t>(n, 32));
  bn = std::max(n, 32 / std::min<int64_t>(m, 32));
}

std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem) {
  FmaTileLimits limits(problem);
  std::vector<ByPreference<Schedule>> all;
  for (int64_t bm : BlockTiles(limits.bm))
    for (int64_t bn : BlockTiles(limits.bn)) {
      int taken = 0;
      for (const ThreadTile& tile : kThreadTiles) {
        int64_t threads = bm / tile.tm * (bn / tile.tn);
        FmaSchedule s;
        s.bm = bm, s.bn = bn, s.tm = tile.tm, s.tn = tile.tn;
        s.lm = LanesFor(bm, bn, tile);
        if (s.lm == 0 || bm % tile.tm != 0 || bn % tile.tn != 0 || threads > kMostThreads) continue;
        if (++taken > (bm * bn <= kSmallBlock ? kThreadTilesPerSmallBlock : kThreadTilesPerBlock)) break;
        s.groupM = GroupFor(problem, bm, bn);
        AddSplits(problem, s, all);
      }
    }
  return all;
}

}  // namespace mmtune
