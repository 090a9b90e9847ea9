// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default schedules of `mma`, by a search of its axes with the time model.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/mma/mma_schedule.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

/// The tiles of each way of sharing whose pipelines are all tried, and the schedules that are improved.
constexpr size_t kTilesOfWay = 6, kImproved = 3;

/// A way of copying tiles to shared memory; tiles are compared by kFirstPipelines first.
struct Pipeline {
  int64_t bytesK;  ///< Bytes of a row of a k step.
  int64_t stages;
};
constexpr Pipeline kFirstPipelines[] = {{128, 4}, {128, 3}, {64, 4}, {64, 3}, {64, 2}, {32, 2}};

using TimedMma = ScheduleCost<MmaSchedule>;

/// Searches the valid schedules of a problem on a device by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem),
        device(device),
        axes(axes),
        sharings(TileSharings(Axis(&MmaSchedule::splitK), Axis(&MmaSchedule::streamK), Axis(&MmaSchedule::reduction))),
        rules(MmaRulesOf(problem, device)) {}

  std::vector<TimedMma> Best() const {
    std::vector<TimedMma> all;
    for (size_t way = 0; way < TileSharing::kKinds; ++way) {
      std::vector<TimedMma> tiles = FirstOfEachTile(SharingsOfKind(sharings, way));
      std::ranges::stable_sort(tiles, {}, &TimedMma::cost);
      if (tiles.size() > kTilesOfWay) tiles.resize(kTilesOfWay);
      for (TimedMma& tile : tiles) {
        TryPipelines(tile);
        all.push_back(tile);
      }
    }
    std::ranges::stable_sort(all, {}, &TimedMma::cost);
    for (size_t i = 0; i < std::min(all.size(), kImproved); ++i) Improve(all[i]);
    for (TimedMma& one : all) {
      const MmaTiling tiling(problem, one.schedule);
      one.schedule.minBlocks =
          DefaultMinBlocks(GeometryOf(tiling, tiling.Cost()), device, Axis(&MmaSchedule::minBlocks));
    }
    return all;
  }

 private:
  const std::vector<int64_t>& Axis(int64_t MmaSchedule::* parameter) const {
    return axes[FieldIndex(parameter)].values;
  }

  /// Replaces the best schedule by `s` if that is faster.
  void Consider(const MmaSchedule& s, TimedMma& best) const {
    if (!rules.ValueRulesHold(s)) return;
    const MmaTiling tiling(problem, s);
    const double seconds = PredictTime(problem, GeometryOf(tiling, tiling.Cost()), device).total;
    const double cost = s.reduction == kAtomicReduction ? kAtomicsPenalty * seconds : seconds;
    if (cost < (1 - kMinGain) * best.cost && rules.TilingRulesHold(tiling)) best = {s, cost};
  }

  template <typename Try>
  void ForEachTile(const MmaSchedule& like, Try consider) const {
    MmaSchedule s = like;
    for (int64_t bm : Axis(&MmaSchedule::bm))
      for (int64_t bn : Axis(&MmaSchedule::bn))
        for (int64_t wm : Axis(&MmaSchedule::wm))
          for (int64_t wn : Axis(&MmaSchedule::wn)) {
            if (bm % wm != 0 || bn % wn != 0) continue;
            s.bm = bm, s.bn = bn, s.wm = wm, s.wn = wn;
            consider(s);
          }
  }

  /// Returns each tile with the best sharing and the best of a few pipelines; other reductions are tried later.
  std::vector<TimedMma> FirstOfEachTile(const std::vector<TileSharing>& ofWay) const {
    std::vector<TimedMma> tiles;
    MmaSchedule like;
    like.async = Axis(&MmaSchedule::async).front();
    ForEachTile(like, [&](MmaSchedule s) {
      s.groupM = DefaultGroupM(problem, s.bm, s.bn);
      TimedMma best;
      for (const TileSharing& sharing : ofWay) {
        if (sharing.kind() == 1 && sharing.reduction != kWorkspaceReduction) continue;
        sharing.SetIn(s);
        for (const Pipeline& pipeline : kFirstPipelines) {
          s.bk = std::clamp(pipeline.bytesK / DataTypeBytes(problem.dtype), Axis(&MmaSchedule::bk).front(),
                            Axis(&MmaSchedule::bk).back());
          s.stages = pipeline.stages;
          for (int64_t prefetch : {1, 0}) {
            s.prefetch = prefetch;
            Consider(s, best);
          }
        }
      }
      if (best.cost < std::numeric_limits<double>::infinity()) tiles.push_back(best);
    });
    return tiles;
  }

  void TryPipelines(TimedMma& best) const {
    MmaSchedule s = best.schedule;
    for (int64_t sliceK : Axis(&MmaSchedule::sliceK))
      for (int64_t bk : Axis(&MmaSchedule::bk))
        for (int64_t stages : Axis(&MmaSchedule::stages))
          for (int64_t prefetch : Axis(&MmaSchedule::prefetch)) {
            s.sliceK = sliceK, s.bk = bk, s.stages = stages, s.prefetch = prefetch;
            Consider(s, best);
          }
  }

  void TrySharings(TimedMma& best) const {
    ForEachSharing(best.schedule, sharings, Axis(&MmaSchedule::groupM),
                   [&](const MmaSchedule& s) { Consider(s, best); });
  }

  void TryTiles(TimedMma& best) const {
    ForEachTile(MmaSchedule(best.schedule), [&](const MmaSchedule& s) { Consider(s, best); });
  }

  /// Tries warp tiles together with slices, which keep the number of warps where warp tiles grow.
  void TryWarps(TimedMma& best) const {
    MmaSchedule s = best.schedule;
    for (int64_t wm : Axis(&MmaSchedule::wm))
      for (int64_t wn : Axis(&MmaSchedule::wn)) {
        if (s.bm % wm != 0 || s.bn % wn != 0) continue;
        s.wm = wm, s.wn = wn;
        for (int64_t sliceK : Axis(&MmaSchedule::sliceK))
          for (int64_t stages : Axis(&MmaSchedule::stages))
            for (int64_t prefetch : Axis(&MmaSchedule::prefetch)) {
              s.sliceK = sliceK, s.stages = stages, s.prefetch = prefetch;
              Consider(s, best);
            }
      }
  }

  /// Tries in turn all sharings of its way, tiles, warps and pipelines, until none of them helps.
  void Improve(TimedMma& best) const {
    for (double before = std::numeric_limits<double>::infinity(); best.cost < before;) {
      before = best.cost;
      TrySharings(best);
      TryTiles(best);
      TryWarps(best);
      TryPipelines(best);
    }
  }

  const MatmulProblem& problem;
  const DeviceInfo& device;
  const std::vector<ScheduleParameter>& axes;
  const std::vector<TileSharing> sharings;
  const MmaRules rules;
};

}  // namespace

std::vector<ByPreference<Schedule>> MmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes) {
  return {SortedByCost(Chooser(problem, device, axes).Best())};
}

}  // namespace mmtune
