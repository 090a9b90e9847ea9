// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default schedules of `fma`, by a search of its axes with the time model.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

struct ThreadTile {
  int64_t tm, tn;
};
/// From large to small: large thread tiles save reads of shared memory.
constexpr ThreadTile kThreadTiles[] = {{8, 16}, {16, 8}, {8, 8}, {8, 4}, {4, 8}, {4, 4}, {4, 2},
                                       {2, 4},  {2, 2},  {1, 4}, {4, 1}, {1, 2}, {2, 1}, {1, 1}};
/// Thread tiles that are considered for a block tile, and for one of at most kSmallBlock elements.
constexpr int kThreadTilesPerBlock = 3, kThreadTilesPerSmallBlock = 6;
constexpr int64_t kSmallBlock = 1024;

/// Block tiles whose schedules are improved, for each way of sharing tiles of C and number of slices.
constexpr size_t kStartsOfWay = 2;
/// Where starts are slower than so many times the best known schedule, only one of each way is improved.
constexpr double kPromising = 1.03;
/// Factor on the time of loops that may not fit an instruction cache, which the model does not know; a judgement.
constexpr double kLongLoopCost = 1.04;

/// The least k values of a split; a judgement.
constexpr int64_t kLeastSplit = 32;
/// A way of copying tiles to shared memory.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[] = {{1, 3}, {0, 2}, {0, 1}};

/// Multiply-adds of a thread in a loop of 18 KB, which fits an instruction cache.
constexpr int64_t kMaxUnrolled = 1024;
constexpr int64_t kShortK = 128;

bool IsAmong(const std::vector<int64_t>& axis, int64_t value) { return std::ranges::find(axis, value) != axis.end(); }

int64_t MaxUnrolled(const MatmulProblem& problem) {
  // With a short k the latency of every step matters, and the loop has few iterations.
  return problem.k <= kShortK ? 2 * kMaxUnrolled : kMaxUnrolled;
}

/// Returns the longest k step whose loop fits the cache, no longer than k.
int64_t LongestStep(const MatmulProblem& problem, const FmaSchedule& s) {
  int64_t most = std::clamp<int64_t>(MaxUnrolled(problem) / (s.tm * s.tn), 8, 32);
  return std::min(most, NextPowerOfTwo(std::max<int64_t>(problem.k, 4)));
}

/// Returns the lanes of a warp along M so that warps fit the block tile, as square as `axis` allows; 0 where none do.
int64_t LanesFor(int64_t bm, int64_t bn, const ThreadTile& tile, const std::vector<int64_t>& axis) {
  for (int64_t lm : {4, 8, 2, 16, 1, 32})
    if (IsAmong(axis, lm) && bm % (lm * tile.tm) == 0 && bn % (32 / lm * tile.tn) == 0) return lm;
  return 0;
}

using TimedFma = ScheduleCost<FmaSchedule>;

/// Searches the valid schedules of a problem on a device by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem),
        device(device),
        axes(axes),
        sharings(TileSharings(Axis(&FmaSchedule::splitK), Axis(&FmaSchedule::streamK), Axis(&FmaSchedule::reduction))),
        rules(FmaRulesOf(problem, device)),
        rates(RatesOf(device)),
        secondsPerMultiplyAdd(1 / rates.clocksPerSecond /
                              static_cast<double>(MultiplyAddsPerClock(problem, /*tensorCores=*/false, device))) {}

  /// Returns the best schedule of each of a few block tiles, for each way of sharing tiles and each number of slices.
  std::vector<TimedFma> Starts() const {
    std::vector<std::vector<TimedFma>> ofWay(Axis(&FmaSchedule::sliceK).size() * TileSharing::kKinds);
    for (int64_t bm : Axis(&FmaSchedule::bm))
      for (int64_t bn : Axis(&FmaSchedule::bn)) AddStarts(bm, bn, ofWay);
    std::vector<TimedFma> starts;
    for (std::vector<TimedFma>& all : ofWay) {
      std::ranges::stable_sort(all, {}, &TimedFma::cost);
      if (all.size() > kStartsOfWay) all.resize(kStartsOfWay);
      starts.insert(starts.end(), all.begin(), all.end());
    }
    std::ranges::stable_sort(starts, {}, &TimedFma::cost);
    return starts;
  }

  /// Tries in turn all tiles, all ways of copying, and all splits of its way of sharing tiles, alone and with slices,
  /// until none of them helps. A schedule with the cost of a known one is that one, or leads nowhere else.
  TimedFma Improved(TimedFma best, const std::vector<TimedFma>& known) const {
    for (double before = std::numeric_limits<double>::infinity(); best.cost < (1 - kMinGain) * before;) {
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
    return DefaultMinBlocks(GeometryOf(tiling, FmaLoopCostWithoutShared(tiling)), device,
                            Axis(&FmaSchedule::minBlocks));
  }

 private:
  const std::vector<int64_t>& Axis(int64_t FmaSchedule::* parameter) const {
    return axes[FieldIndex(parameter)].values;
  }

  double CostOf(const FmaSchedule& s, double seconds) const {
    const bool isLong = s.tm * s.tn * s.unrollK > MaxUnrolled(problem);
    return seconds * std::max(isLong ? kLongLoopCost : 1, s.reduction == kAtomicReduction ? kAtomicsPenalty : 1);
  }

  /// Returns the time of the busiest multiprocessor at its peak, a lower bound that rejects most schedules.
  double LeastSeconds(const FmaSchedule& s) const {
    BlockGrid grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM);
    grid.streamK = s.streamK;
    const double blocks = std::ceil(static_cast<double>(grid.blocks()) / rates.multiprocessors);
    return blocks * grid.StepsPerBlock() * static_cast<double>(s.bm * s.bn * s.bk) * secondsPerMultiplyAdd;
  }

  /// Replaces the best schedule by `s` if that is faster.
  void Consider(const FmaSchedule& s, TimedFma& best) const {
    const double most = (1 - kMinGain) * best.cost;
    if (LeastSeconds(s) >= most || !rules.ValueRulesHold(s)) return;
    const FmaTiling tiling(problem, s);
    ScheduleGeometry geometry = GeometryOf(tiling, FmaLoopCostWithoutShared(tiling));
    if (CostOf(s, PredictTime(problem, geometry, device).total) >= most || !rules.TilingRulesHold(tiling)) return;
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
      if (!IsAmong(Axis(&FmaSchedule::tm), tile.tm) || !IsAmong(Axis(&FmaSchedule::tn), tile.tn)) continue;
      s.lm = LanesFor(bm, bn, tile, Axis(&FmaSchedule::lm));
      if (s.lm == 0) continue;
      if (++taken > (bm * bn <= kSmallBlock ? kThreadTilesPerSmallBlock : kThreadTilesPerBlock)) break;
      s.groupM = DefaultGroupM(problem, bm, bn);
      ConsiderSplits(s, best);
    }
    for (size_t way = 0; way < best.size(); ++way)
      if (best[way].cost < std::numeric_limits<double>::infinity()) ofWay[way].push_back(best[way]);
  }

  void ConsiderSplits(FmaSchedule s, std::vector<TimedFma>& best) const {
    s.fragments = 2;
    s.kmajorA = 1;
    // Pad the tile that is transposed on its way.
    s.padA = problem.transpose_a ? 0 : 4;
    s.padB = problem.transpose_b ? 4 : 0;
    for (size_t slice = 0; slice < Axis(&FmaSchedule::sliceK).size(); ++slice) {
      s.sliceK = Axis(&FmaSchedule::sliceK)[slice];
      // The part of a slice is unrolled. Shorter steps waste less of a k that they do not divide.
      const int64_t longest = std::min(s.sliceK * LongestStep(problem, s), Axis(&FmaSchedule::bk).back());
      for (int64_t bk : {longest, longest / 4}) {
        if (!IsAmong(Axis(&FmaSchedule::bk), bk)) continue;
        s.bk = bk, s.unrollK = bk / s.sliceK;
        for (const TileSharing& sharing : sharings) {
          // Other reductions of splits are tried later.
          if (sharing.splitK > 1 && sharing.reduction != kWorkspaceReduction) continue;
          if (sharing.splitK > 1 && problem.k < sharing.splitK * kLeastSplit) continue;
          sharing.SetIn(s);
          for (const Copies& copies : kCopies) {
            s.async = copies.async, s.stages = copies.stages;
            Consider(s, best[TileSharing::kKinds * slice + sharing.kind()]);
          }
        }
      }
    }
  }

  void TryTiles(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t tm : Axis(&FmaSchedule::tm))
      for (int64_t tn : Axis(&FmaSchedule::tn))
        for (int64_t lm : Axis(&FmaSchedule::lm)) {
          s.tm = tm, s.tn = tn, s.lm = lm;
          for (int64_t bm : Axis(&FmaSchedule::bm)) {
            if (bm % (lm * tm) != 0) continue;
            for (int64_t bn : Axis(&FmaSchedule::bn)) {
              if (bn % (32 / lm * tn) != 0) continue;
              s.bm = bm, s.bn = bn;
              Consider(s, best);
            }
          }
        }
  }

  void TryCopies(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    for (int64_t sliceK : Axis(&FmaSchedule::sliceK))
      for (int64_t bk : Axis(&FmaSchedule::bk))
        for (int64_t unrollK : Axis(&FmaSchedule::unrollK)) {
          if (bk % (unrollK * sliceK) != 0) continue;
          s.sliceK = sliceK;
          s.bk = bk, s.unrollK = unrollK;
          for (int64_t async : Axis(&FmaSchedule::async))
            for (int64_t stages : Axis(&FmaSchedule::stages)) {
              if (async ? stages < 2 : stages > 2) continue;
              s.async = async, s.stages = stages;
              for (int64_t kmajorA : Axis(&FmaSchedule::kmajorA))
                for (int64_t padA : Axis(&FmaSchedule::padA))
                  for (int64_t padB : Axis(&FmaSchedule::padB)) {
                    s.kmajorA = kmajorA, s.fragments = kmajorA == 1 && unrollK * sliceK == bk ? 2 : 1;
                    s.padA = padA, s.padB = padB;
                    Consider(s, best);
                  }
            }
        }
  }

  void TrySharings(TimedFma& best) const {
    ForEachSharing(best.schedule, sharings, Axis(&FmaSchedule::groupM),
                   [&](const FmaSchedule& s) { Consider(s, best); });
  }

  /// Tries slices and the k step together with splits: all of them divide k, so more of one needs less of another.
  void TrySlicesAndSplits(TimedFma& best) const {
    FmaSchedule s = best.schedule;
    const std::vector<TileSharing> ways = SharingsOfKind(sharings, TileSharing::Of(s).kind());
    for (int64_t sliceK : Axis(&FmaSchedule::sliceK))
      for (int64_t bk : Axis(&FmaSchedule::bk)) {
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
  const double secondsPerMultiplyAdd;  ///< Time of a multiprocessor at its peak.
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
  std::array<bool, TileSharing::kKinds> hasOne{};
  double best = std::numeric_limits<double>::infinity();
  for (const TimedFma& start : chooser.Starts()) {
    bool& has = hasOne[TileSharing::Of(start.schedule).kind()];
    if (has && start.cost > kPromising * best) continue;
    has = true;
    improved.push_back(chooser.Improved(start, improved));
    best = std::min(best, improved.back().cost);
  }
  for (TimedFma& one : improved) one.schedule.minBlocks = chooser.BlocksToKeepOf(one.schedule);
  return {SortedByCost(improved)};
}

}  // namespace mmtune
