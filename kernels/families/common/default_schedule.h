// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses schedules for problems that nobody has tuned. DefaultSchedule() takes the fastest schedule by the time model
// (time_model.h), which predicts run times by formulas. ScheduleFit says how well a schedule's tiles fit a problem and
// a device, and so how much a schedule that was tuned for one shape loses when it is used for another. The other
// declarations are helpers that the families use to find their default schedules.
//
//   DefaultSchedule(1000x1000x1000, sm_80)  ->  fma with bm=128, ...
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
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The smallest relative gain that counts as an improvement.
inline constexpr double kMinGain = 0.001;
/// The factor by which the time of schedules with atomics is multiplied, as a penalty because their sums differ from
/// run to run.
inline constexpr double kAtomicsPenalty = 1.02;

/// The parameters by which blocks share tiles of C.
struct TileSharing {
  int64_t splitK = 1, streamK = 1, reduction = kNoReduction;

  /// The number of kinds of sharing: 0 is none, 1 split-k, 2 stream-k.
  static constexpr size_t kKinds = 3;
  /// Returns the kind of this sharing.
  size_t kind() const { return splitK > 1 ? 1 : streamK > 1 ? 2 : 0; }
  template <typename S>
  static TileSharing Of(const S& s) {
    return {s.splitK, s.streamK, s.reduction};
  }
  template <typename S>
  void SetIn(S& s) const {
    s.splitK = splitK, s.streamK = streamK, s.reduction = reduction;
  }
};

/// Returns all valid combinations of these values of splitK, streamK and reduction.
std::vector<TileSharing> TileSharings(const std::vector<int64_t>& splits, const std::vector<int64_t>& streams,
                                      const std::vector<int64_t>& reductions);

/// Returns the elements of `sharings` whose kind() is `way`, which is 0, 1 or 2.
std::vector<TileSharing> SharingsOfKind(const std::vector<TileSharing>& sharings, size_t way);

/// Calls `consider` with variants of `schedule`: each combination of a sharing of the same kind from `sharings` and a
/// groupM from `groups`.
template <typename S, typename Consider>
void ForEachSharing(S schedule, const std::vector<TileSharing>& sharings, const std::vector<int64_t>& groups,
                    Consider consider) {
  for (const TileSharing& sharing : SharingsOfKind(sharings, TileSharing::Of(schedule).kind()))
    for (int64_t group : groups) {
      sharing.SetIn(schedule);
      schedule.groupM = group;
      consider(schedule);
    }
}

/// Returns the default of group_m (threadblock swizzle). Blocks that run at the same time read the fewest bytes if
/// their tiles form a nearly square part of C.
int64_t DefaultGroupM(const MatmulProblem& problem, int64_t bm, int64_t bn);

/// Returns the default of min_blocks, which limits the registers that the compiler uses. `axis` has the values that a
/// search may use. The default is the largest of them that exceeds neither two, nor the blocks that fit on a
/// multiprocessor, nor the blocks that the launch has for each multiprocessor; or 1 if there is none. It never makes a
/// valid schedule invalid, so it may be chosen last.
int64_t DefaultMinBlocks(const ScheduleGeometry& geometry, const DeviceInfo& device, const std::vector<int64_t>& axis);

/// A schedule and its cost: the predicted seconds times penalties.
template <typename S>
struct ScheduleCost {
  S schedule;
  double cost = std::numeric_limits<double>::infinity();
};

/// Returns the schedules in ascending order of cost.
template <typename S>
ByPreference<Schedule> SortedByCost(std::vector<ScheduleCost<S>> timed) {
  std::ranges::stable_sort(timed, {}, &ScheduleCost<S>::cost);
  ByPreference<Schedule> schedules;
  std::ranges::transform(timed, std::back_inserter(schedules),
                         [](const ScheduleCost<S>& one) { return one.schedule.ToSchedule(); });
  return schedules;
}

/// The fraction of a device's work that is useful, from three effects that depend on the shape alone:
///
///   cover      = volume of the tiles / volume of the problem        m, n and k are padded to whole tiles
///   occupied   = (blocks / slots) / ceil(blocks / slots)            slots: blocks that are resident at once
///   sharing    = (k of a block + 128) / k of a block                only if blocks share tiles: partial sums
///   efficiency = occupied / cover / sharing
///
/// Padding is multiplied like data, and a last wave that is not full takes as long as a full one. Effects of caches,
/// bandwidth and instruction mix are ignored: they change little between similar shapes, and can only be measured.
struct ScheduleFit {
  double cover = 1;
  double sharing = 1;
  double occupied = 1;
  double lastWave = 1;      ///< Fraction of the multiprocessors that are busy in the last wave.
  bool knowsWaves = false;  ///< True if the device reports its number of multiprocessors.

  /// Returns the useful fraction of the work.
  double efficiency() const { return occupied / cover / sharing; }
  /// Returns "tiles cover 9% more than the problem, the last wave is 60% full".
  std::string Text() const;
};

/// Returns the fit of a schedule. DescribeSchedule() must succeed for it, but it need not be valid for this problem.
ScheduleFit EstimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Tries three groups of `families` in turn: those that are specialised for such problems, then the others that are
/// searched by default, then the rest. The first group with a valid schedule among its DefaultSchedules() decides: its
/// fastest schedule, by time_model.h, is returned. Returns InvalidArgument if no schedule supports the problem (as for
/// an extent of 2^31 or more), the run-time `sizes`, or the `layout`.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device,
                                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {},
                                         const std::vector<const FamilyBase*>& families = AllFamilies());

}  // namespace mmtune
