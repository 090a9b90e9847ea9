// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default schedules of `wgmma`, by the time model.
#include <algorithm>
#include <limits>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

using S = WgmmaSchedule;

/// The tiles whose splits of k are tried, and the most stages.
constexpr size_t kTilesToSplit = 8;
constexpr int64_t kMostStages = 8;
/// Only tiles with multiples of so many columns are tried, and those with all columns of a narrow C.
constexpr int64_t kColumnsUnit = 16;

/// Clusters of more than two blocks do not fit all multiprocessors.
constexpr struct {
  int64_t m, n;
} kClusters[] = {{1, 1}, {2, 1}, {1, 2}};

/// Searches the valid schedules of a problem on a device by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem), device(device), axes(axes), rules(WgmmaRulesOf(problem, device)) {}

  std::vector<ScheduleCost<S>> Best() const {
    std::vector<ScheduleCost<S>> tiles;
    S s;
    for (s.consumers = 1; s.consumers <= 3; ++s.consumers)
      for (s.mi = 1; s.mi <= 2; ++s.mi)
        for (int64_t bn : Axis(&S::bn)) {
          if (bn % kColumnsUnit != 0 && bn != Axis(&S::bn).back()) continue;
          s.bn = bn;
          ScheduleCost<S> best;
          TryPipelines(s, best);
          if (best.cost < std::numeric_limits<double>::infinity()) tiles.push_back(best);
        }
    std::ranges::stable_sort(tiles, {}, &ScheduleCost<S>::cost);
    for (size_t i = 0; i < std::min(tiles.size(), kTilesToSplit); ++i) TrySplits(tiles[i]);
    return tiles;
  }

 private:
  const std::vector<int64_t>& Axis(int64_t S::* parameter) const { return axes[FieldIndex(parameter)].values; }

  /// Replaces the best schedule by `s` if that is valid and faster.
  void Consider(const S& s, ScheduleCost<S>& best) const {
    if (!rules.ValueRulesHold(s)) return;
    const WgmmaTiling tiling(problem, s);
    const double seconds = PredictTime(problem, tiling.Geometry(), device).total;
    if (seconds < (1 - kMinGain) * best.cost && rules.TilingRulesHold(tiling)) best = {s, seconds};
  }

  /// Tries clusters, k steps and numbers of blocks, with as many stages as fit.
  void TryPipelines(S s, ScheduleCost<S>& best) const {
    for (const auto& [m, n] : kClusters)
      for (int64_t bk : Axis(&S::bk)) {
        s.clusterM = m, s.clusterN = n, s.bk = bk;
        s.groupM = DefaultGroupM(problem, 64 * s.consumers * s.mi * m, s.bn * n);
        s.stages = 2;
        for (int64_t stages : Axis(&S::stages)) {
          s.stages = stages;
          const WgmmaTiling deeper(problem, s);
          if (stages > kMostStages || stages > deeper.grid.tilesPerSplit + 1 ||
              deeper.SharedBytes() > device.shared_bytes_per_block) {
            s.stages = std::max<int64_t>(2, stages - 1);
            break;
          }
        }
        const WgmmaTiling tiles(problem, s);
        for (int64_t blocks : Axis(&S::blocks)) {
          if (blocks >= tiles.items() * tiles.cluster) break;
          s.blocks = blocks;
          Consider(s, best);
        }
      }
  }

  void TrySplits(ScheduleCost<S>& best) const {
    const S whole = best.schedule;
    for (int64_t split : Axis(&S::splitK))
      for (int64_t reduction : Axis(&S::reduction)) {
        S s = whole;
        s.splitK = split, s.reduction = reduction;
        if (split > 1 && reduction != kNoReduction) TryPipelines(s, best);
      }
  }

  const MatmulProblem& problem;
  const DeviceInfo& device;
  const std::vector<ScheduleParameter>& axes;
  const WgmmaRules rules;
};

}  // namespace

ByPreference<Schedule> WgmmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                             const std::vector<ScheduleParameter>& axes) {
  return SortedByCost(Chooser(problem, device, axes).Best());
}

}  // namespace mmtune
