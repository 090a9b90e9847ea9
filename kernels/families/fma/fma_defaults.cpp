// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_defaults.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/perf_model/time_model.h"

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

/// Block tiles whose schedules are improved, for each way of sharing tiles of C and number of slices.
constexpr size_t kStartsOfWay = 2;
/// Of starts that are slower than so many times the best schedule known, one of each way is improved.
constexpr double kPromising = 1.03;
/// Loops that an instruction cache may not hold, of which the model knows nothing, have to be so much faster; a
/// judgement.
constexpr double kLongLoopCost = 1.04;

/// k values that a split has at least; a judgement.
constexpr int64_t kLeastSplit = 32;
/// How tiles get to shared memory.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[] = {{1, 3}, {0, 2}, {0, 1}};

/// Multiply-adds of a thread in a loop of 18 KB, which an instruction cache holds.
constexpr int64_t kMostUnrolled = 1024;
constexpr int64_t kShortK = 128;

bool IsAmong(const std::vector<int64_t>& axis, int64_t value) { return std::ranges::find(axis, value) != axis.end(); }

int64_t MostUnrolled(const MatmulProblem& problem) {
  // Of a short k, every step's latency counts, and the loop runs a few times only.
  return problem.k <= kShortK ? 2 * kMostUnrolled : kMostUnrolled;
}

/// The k step with that loop, as far as k has so many values.
int64_t LongestStep(const MatmulProblem& problem, const FmaSchedule& s) {
  int64_t most = std::clamp<int64_t>(MostUnrolled(problem) / (s.tm * s.tn), 8, 32);
  return std::min(most, NextPowerOfTwo(std::max<int64_t>(problem.k, 4)));
}

/// Lanes of a warp along M so that warps fit the block tile, as square as `axis` has them; 0 where none do.
int64_t LanesFor(int64_t bm, int64_t bn, const ThreadTile& tile, const std::vector<int64_t>& axis) {
  for (int64_t lm : {4, 8, 2, 16, 1, 32})
    if (IsAmong(axis, lm) && bm % (lm * tile.tm) == 0 && bn % (32 / lm * tile.tn) == 0) return lm;
  return 0;
}

using TimedFma = Timed<FmaSchedule>;

/// The valid schedules of a problem on a device, by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem),
        device(device),
        axes(axes),
        sharings(TileSharings(Axis(kFmaSplitK), Axis(kFmaStreamK), Axis(kFmaReduction))),
        rules(FmaRulesOf(problem, device)),
        rates(RatesOf(device)),
        secondsOfProduct(1 / rates.clocksPerSecond /
                         static_cast<double>(MultiplyAddsPerClock(problem, /*tensorCores=*/false, device))) {}

  /// Of each way of sharing tiles with each number of slices, the best schedule of each of a few block tiles.
  std::vector<TimedFma> Starts() const {
    std::vector<std::vector<TimedFma>> ofWay(Axis(kFmaSliceK).size() * TileSharing::kWays);
    for (int64_t bm : Axis(kFmaBm))
      for (int64_t bn : Axis(kFmaBn)) AddStarts(bm, bn, ofWay);
    std::vector<TimedFma> starts;
    for (std::vector<TimedFma>& all : ofWay) {
      std::ranges::stable_sort(all, {}, &TimedFma::cost);
      if (all.size() > kStartsOfWay) all.resize(kStartsOfWay);
      starts.insert(starts.end(), all.begin(), all.end());
    }
    std::ranges::stable_sort(starts, {}, &TimedFma::cost);
    return starts;
  }

  /// In turn all tiles, all ways of copying, and, of its way of sharing tiles, all splits, alone and with slices, until
  /// none of them helps. One that costs what a known one does is that one, or leads nowhere else.
  TimedFma Improved(TimedFma best, const std::vector<TimedFma>& known) const {
    for (double before = std::numeric_limits<double>::infinity(); best.cost < (1 - kGain) * before;) {
      if (std::ranges::find(known, best.cost, &TimedFma::cost) != known.end()) break;
      before = best.cost;
      TryTiles(best);
      TryCopies(best);
      TrySharings(best);
      TrySlicesAndSplits(best);
    }
    return best;
  }

  int64_t BlocksToKeepOf(const FmaSchedule& s) const {
    const FmaTiling tiling(problem, s);
    return BlocksToKeep(GeometryOf(tiling, FmaLoopCostBarShared(tiling)), device, Axis(kFmaMinBlocks));
  }

 private:
  const std::vector<int64_t>& Axis(FmaParameter parameter) const { return axes[parameter].values; }

  double CostOf(const FmaSchedule& s, double seconds) const {
    const bool isLong = s.tm * s.tn * s.unrollK > MostUnrolled(problem);
    return seconds * std::max(isLong ? kLongLoopCost : 1, s.reduction == kAtomicReduction ? kAtomicsCost : 1);
  }

  /// What the busiest multiprocessor multiplies, at its peak: most schedules need not be asked for more.
  double LeastSeconds(const FmaSchedule& s) const {
    BlockGrid grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM);
    grid.streamK = s.streamK;
    const double blocks = std::ceil(static_cast<double>(grid.blocks()) / rates.multiprocessors);
    return blocks * grid.StepsPerBlock() * static_cast<double>(s.bm * s.bn * s.bk) * secondsOfProduct;
  }

  /// Makes it the best one if it is.
  void Consider(const FmaSchedule& s, TimedFma& best) const {
    const double most = (1 - kGain) * best.cost;
    if (LeastSeconds(s) >= most || !rules.HoldWithoutTiling(s)) return;
    const FmaTiling tiling(problem, s);
    ScheduleGeometry geometry = GeometryOf(tiling, FmaLoopCostBarShared(tiling));
    if (CostOf(s, PredictTime(problem, geometry, device).total) >= most || !rules.HoldOnTiling(tiling)) return;
    AddSharedMemory(tiling, geometry.loop);
    const double cost = CostOf(s, PredictTime(problem, geometry, device).total);
    if (cost < most) best = {s, cost};
  }

  void AddStarts(int64_t bm, int64_t bn, std::vector<std::vector<TimedFma>>& ofWay) const {
    std::vector<TimedFma> best(ofWay.size());
    int taken = 0;
    for (const ThreadTile& tile : kThreadTiles) {
      FmaSchedule s;
      s.bm = bm, s.bn = bn, s.tm = tile.tm, s.tn = tile.tn;
      if (!IsAmong(Axis(kFmaTm), tile.tm) || !IsAmong(Axis(kFmaTn), tile.tn)) continue;
      s.lm = LanesFor(bm, bn, tile, Axis(kFmaLm));
      if (s.lm == 0) continue;
      if (++taken > (bm * bn <= kSmallBlock ? kThreadTilesPerSmallBlock : kThreadTilesPerBlock)) break;
      s.groupM = GroupFor(problem, bm, bn);
      ConsiderSplits(s, best);
    }
    for (size_t way = 0; way < best.size(); ++way)
      if (best[way].cost < std::numeric_limits<double>::infinity()) ofWay[way].push_back(best[way]);
  }

  void ConsiderSplits(FmaSchedule s, std::vector<TimedFma>& best) const {
    s.fragments = 2;
    s.kmajorA = 1;
    // Of what is transposed on its way.
    s.padA = problem.transpose_a ? 0 : 4;
    s.padB = problem.transpose_b ? 4 : 0;
    for (size_t slice = 0; slice < Axis(kFmaSliceK).size(); ++slice) {
      s.sliceK = Axis(kFmaSliceK)[slice];
      // A slice's part of it is what is unrolled. Shorter ones waste less of a k that they do not divide.
      const int64_t longest = std::min(s.sliceK * LongestStep(problem, s), Axis(kFmaBk).back());
      for (int64_t bk : {longest, longest / 4}) {
        if (!IsAmong(Axis(kFmaBk), bk)) continue;
        s.bk = bk, s.unrollK = bk / s.sliceK;
        for (const TileSharing& sharing : sharings) {
          // How sums of splits meet is left for later.
          if (sharing.splitK > 1 && sharing.reduction != kWorkspaceReduction) continue;
          if (sharing.splitK > 1 && problem.k < sharing.splitK * kLeastSplit) continue;
          sharing.SetIn(s);
          for (const Copies& copies : kCopies) {
            s.async = copies.async, s.stages = copies.stages;
            Consider(s, best[TileSharing::kWays * slice + sharing.way()]);
          }
        }
      }
    }
  }

  void TryTiles(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t tm : Axis(kFmaTm))
      for (int64_t tn : Axis(kFmaTn))
        for (int64_t lm : Axis(kFmaLm)) {
          s.tm = tm, s.tn = tn, s.lm = lm;
          for (int64_t bm : Axis(kFmaBm)) {
            if (bm % (lm * tm) != 0) continue;
            for (int64_t bn : Axis(kFmaBn)) {
              if (bn % (32 / lm * tn) != 0) continue;
              s.bm = bm, s.bn = bn;
              Consider(s, best);
            }
          }
        }
  }

  void TryCopies(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t sliceK : Axis(kFmaSliceK))
      for (int64_t bk : Axis(kFmaBk))
        for (int64_t unrollK : Axis(kFmaUnrollK)) {
          if (bk % (unrollK * sliceK) != 0) continue;
          s.sliceK = sliceK;
          s.bk = bk, s.unrollK = unrollK;
          for (int64_t async : Axis(kFmaAsync))
            for (int64_t stages : Axis(kFmaStages)) {
              if (async ? stages < 2 : stages > 2) continue;
              s.async = async, s.stages = stages;
              for (int64_t kmajorA : Axis(kFmaKmajorA))
                for (int64_t padA : Axis(kFmaPadA))
                  for (int64_t padB : Axis(kFmaPadB)) {
                    s.kmajorA = kmajorA, s.fragments = kmajorA == 1 && unrollK * sliceK == bk ? 2 : 1;
                    s.padA = padA, s.padB = padB;
                    Consider(s, best);
                  }
            }
        }
  }

  void TrySharings(TimedFma& best) const {
    ForEachSharing(best.schedule, sharings, Axis(kFmaGroupM), [&](const FmaSchedule& s) { Consider(s, best); });
  }

  /// Slices and the k step together with splits: all of them divide k, so that more of one wants less of another.
  void TrySlicesAndSplits(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    const std::vector<TileSharing> ways = OfWay(sharings, TileSharing::Of(s).way());
    for (int64_t sliceK : Axis(kFmaSliceK))
      for (int64_t bk : Axis(kFmaBk)) {
        s.sliceK = sliceK, s.bk = bk, s.unrollK = bk / sliceK;
        if (s.unrollK < 4) continue;
        for (const TileSharing& sharing : ways) {
          sharing.SetIn(s);
          Consider(s, best);
        }
      }
  }

  const MatmulProblem& problem;
  const DeviceInfo& device;
  const std::vector<ScheduleParameter>& axes;
  const std::vector<TileSharing> sharings;
  const FmaRules rules;
  const DeviceRates rates;
  const double secondsOfProduct;  ///< Of one, where a multiprocessor makes as many at once as it can.
};

}  // namespace

FmaTileLimits::FmaTileLimits(const MatmulProblem& problem) {
  int64_t m = NextPowerOfTwo(std::min<int64_t>(problem.m, 256));
  int64_t n = NextPowerOfTwo(std::min<int64_t>(problem.n, 256));
  bm = std::max(m, 32 / std::min<int64_t>(n, 32));
  bn = std::max(n, 32 / std::min<int64_t>(m, 32));
}

std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes) {
  const Chooser chooser(problem, device, axes);
  std::vector<TimedFma> improved;
  std::array<bool, TileSharing::kWays> hasOne{};
  double best = std::numeric_limits<double>::infinity();
  for (const TimedFma& start : chooser.Starts()) {
    bool& has = hasOne[TileSharing::Of(start.schedule).way()];
    if (has && start.cost > kPromising * best) continue;
    has = true;
    improved.push_back(chooser.Improved(start, improved));
    best = std::min(best, improved.back().cost);
  }
  for (TimedFma& one : improved) one.schedule.minBlocks = chooser.BlocksToKeepOf(one.schedule);
  return {InOrder(improved)};
}

}  // namespace mmtune
