// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules for problems that were not tuned: how well the tiles of a schedule fit a problem and a device, the default
// schedule by the time model, and what the searches of families for it have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/space_family.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Smaller relative gains count as no improvement.
inline constexpr double kGain = 0.001;
/// Factor on the time of atomics, whose sums differ from run to run.
inline constexpr double kAtomicsCost = 1.02;

/// The parameters by which blocks share tiles of C.
struct TileSharing {
  int64_t splitK = 1, streamK = 1, reduction = kNoReduction;

  /// The ways of sharing: none, split-k, stream-k.
  static constexpr size_t kWays = 3;
  size_t way() const { return splitK > 1 ? 1 : streamK > 1 ? 2 : 0; }
  template <typename S>
  static TileSharing Of(const S& s) {
    return {s.splitK, s.streamK, s.reduction};
  }
  template <typename S>
  void SetIn(S& s) const {
    s.splitK = splitK, s.streamK = streamK, s.reduction = reduction;
  }
};

/// Returns all valid combinations of these values.
std::vector<TileSharing> TileSharings(const std::vector<int64_t>& splits, const std::vector<int64_t>& streams,
                                      const std::vector<int64_t>& reductions);

/// Returns the sharings of this way.
std::vector<TileSharing> OfWay(const std::vector<TileSharing>& sharings, size_t way);

/// Calls `consider` with the schedule for each sharing of its way and each threadblock swizzle.
template <typename S, typename Consider>
void ForEachSharing(S schedule, const std::vector<TileSharing>& sharings, const std::vector<int64_t>& groups,
                    Consider consider) {
  for (const TileSharing& sharing : OfWay(sharings, TileSharing::Of(schedule).way()))
    for (int64_t group : groups) {
      sharing.SetIn(schedule);
      schedule.groupM = group;
      consider(schedule);
    }
}

/// Returns group_m of the threadblock swizzle: a wave of blocks that is nearly square reads least.
int64_t GroupFor(const MatmulProblem& problem, int64_t bm, int64_t bn);

/// Returns min_blocks for the compiler: as many of `axis` as the model assumes to be resident, at most two. The
/// registers of a valid schedule fit them anyway, so a search may set it at the end.
int64_t BlocksToKeep(const ScheduleGeometry& geometry, const DeviceInfo& device, const std::vector<int64_t>& axis);

/// A schedule and its cost: the predicted seconds, times penalties.
template <typename S>
struct Timed {
  S schedule;
  double cost = std::numeric_limits<double>::infinity();
};

/// Returns the schedules, the fastest first.
template <typename S>
ByPreference<Schedule> InOrder(std::vector<Timed<S>> timed) {
  std::ranges::stable_sort(timed, {}, &Timed<S>::cost);
  ByPreference<Schedule> schedules;
  std::ranges::transform(timed, std::back_inserter(schedules),
                         [](const Timed<S>& one) { return one.schedule.ToSchedule(); });
  return schedules;
}

/// The part of a device's work that is not wasted, by three effects that the shape alone decides:
///
///   cover     = volume of the tiles / volume of the problem        (m, n and k padded to tiles)
///   occupied  = (blocks / slots) / ceil(blocks / slots)            (slots: blocks resident at once)
///   sharing   = (k of a block + 128) / k of a block                (where blocks share tiles: their partial sums)
///   efficiency = occupied / cover / sharing
///
/// A multiprocessor multiplies padding as it does data, and a last wave that is not full takes as long as a full one.
/// Cache, bandwidth and instruction mix are left out: they change little between neighbouring shapes, and only a
/// measurement tells how.
struct ScheduleFit {
  double cover = 1;
  double sharing = 1;
  double occupied = 1;
  double lastWave = 1;      ///< Part of the multiprocessors that the last wave occupies.
  bool knowsWaves = false;  ///< True if the device says how many multiprocessors it has.

  double efficiency() const { return occupied / cover / sharing; }
  /// Returns "tiles cover 9% more than the problem, the last wave is 60% full".
  std::string Text() const;
};

/// Estimates the fit of a schedule that is valid for some problem, so that DescribeSchedule() succeeds.
ScheduleFit EstimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Returns the valid one of the families' DefaultSchedules() that is the fastest by time_model.h. A family that is made
/// for such problems comes first; families that are not searched by default are the last resort. InvalidArgument where
/// no schedule supports the problem, as when an extent is 2^31 or more, or none such sizes at run time or such a
/// layout.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device,
                                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {});

}  // namespace mmtune
