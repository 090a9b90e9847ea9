// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default schedules of `wgmma`, and those that a search measures first, by the time model.
#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

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

/// The blocks of a cluster along M and N. Clusters of more than two blocks do not fit all multiprocessors.
struct Cluster {
  int64_t m, n;
};
constexpr Cluster kSmallClusters[] = {{1, 1}, {2, 1}, {1, 2}}, kLargeClusters[] = {{4, 1}, {1, 4}, {2, 2}};

/// The clusters and k steps that are tried for a tile.
struct Pipelines {
  std::span<const Cluster> clusters;
  std::span<const int64_t> bk;
};

/// Searches the valid schedules of a problem on a device by the model.
class Chooser {
 public:
  Chooser(const MatmulProblem& problem, const DeviceInfo& device, const std::vector<ScheduleParameter>& axes)
      : problem(problem), device(device), axes(axes), rules(WgmmaRulesOf(problem, device)) {}

  /// Returns for each tile size the fastest schedule that has the mode, the stores and the raster of `base`, and a
  /// pipeline of `pipelines`, with the time by the model.
  std::vector<ScheduleCost<S>> Best(const S& base, const Pipelines& pipelines) const {
    std::vector<ScheduleCost<S>> tiles;
    S s = base;
    for (s.consumers = 1; s.consumers <= 3; ++s.consumers)
      for (s.mi = 1; s.mi <= 2; ++s.mi)
        for (int64_t bn : Axis(&S::bn)) {
          if (bn % kColumnsUnit != 0 && bn != Axis(&S::bn).back()) continue;
          s.bn = bn;
          ScheduleCost<S> best;
          TryPipelines(s, pipelines, best);
          if (best.cost < std::numeric_limits<double>::infinity()) tiles.push_back(best);
        }
    std::ranges::stable_sort(tiles, {}, &ScheduleCost<S>::cost);
    for (size_t i = 0; i < std::min(tiles.size(), kTilesToSplit); ++i) TrySplits(tiles[i], pipelines);
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

  /// Returns the rows of clusters that are traversed together; of raster=1 the columns, of raster=2 both.
  int64_t GroupOf(const S& s) const {
    const int64_t rows = WgmmaTiling(problem, s).bm * s.clusterM, columns = s.bn * s.clusterN;
    MatmulProblem transposed = problem;
    std::swap(transposed.m, transposed.n);
    const int64_t groupM = DefaultGroupM(problem, rows, columns), groupN = DefaultGroupM(transposed, columns, rows);
    return s.raster == kAlongN ? groupM : s.raster == kAlongM ? groupN : std::min(groupM, groupN);
  }

  /// Tries clusters, k steps and numbers of blocks, with as many stages as fit.
  void TryPipelines(S s, const Pipelines& pipelines, ScheduleCost<S>& best) const {
    for (const auto& [m, n] : pipelines.clusters)
      for (int64_t bk : pipelines.bk) {
        s.clusterM = m, s.clusterN = n, s.bk = bk;
        s.groupM = GroupOf(s);
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

  void TrySplits(ScheduleCost<S>& best, const Pipelines& pipelines) const {
    const S whole = best.schedule;
    for (int64_t split : Axis(&S::splitK))
      for (int64_t reduction : Axis(&S::reduction)) {
        S s = whole;
        s.splitK = split, s.reduction = reduction;
        if (split > 1 && reduction != kNoReduction) TryPipelines(s, pipelines, best);
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
  const std::vector<int64_t>& steps = axes[FieldIndex(&S::bk)].values;
  return SortedByCost(Chooser(problem, device, axes).Best({}, {kSmallClusters, steps}));
}

std::vector<Schedule> WgmmaFirstSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                          const std::vector<ScheduleParameter>& axes) {
  const Chooser chooser(problem, device, axes);
  std::vector<Schedule> first;
  const auto add = [&](const S& base, const Pipelines& pipelines, size_t count) {
    ByPreference<Schedule> best = SortedByCost(chooser.Best(base, pipelines));
    best.resize(std::min(best.size(), count));
    std::ranges::move(best, std::back_inserter(first));
  };
  // Libraries have k steps of one row in shared memory and so more stages, store parts of 32 columns from two buffers,
  // and order tiles along the longer side of C.
  const std::vector<int64_t>& steps = axes[FieldIndex(&S::bk)].values;
  const auto shortest = std::span(steps).first(1);
  S copies;
  copies.epiColumns = 32, copies.epiBuffers = 2, copies.raster = problem.m > problem.n ? kAlongM : kAlongN;
  S curve = copies, pingPong = copies;
  curve.raster = kHilbert, pingPong.mode = WgmmaMode::kPingPong;
  add({}, {kSmallClusters, steps}, 8);
  add(copies, {kSmallClusters, shortest}, 1);
  add(curve, {kSmallClusters, shortest}, 1);
  add(pingPong, {kSmallClusters, shortest}, 2);
  add({}, {kLargeClusters, shortest}, 2);
  return first;
}

}  // namespace mmtune
