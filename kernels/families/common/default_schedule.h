// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the searches for default schedules have in common, of families whose blocks may share tiles.
//
// How well the tiles of a schedule fit a problem and a device: a small estimate that needs no
// measurement; and by it a schedule for a problem that nobody has tuned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/space_family.h"
#include "kernels/families/common/block_grid.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// What is less faster than that is no improvement.
inline constexpr double kGain = 0.001;
/// Atomics have to be so much faster: they sum in another order, and to other bits, every time.
inline constexpr double kAtomicsCost = 1.02;

/// How blocks share tiles of C.
struct TileSharing {
  int64_t splitK = 1, streamK = 1, reduction = kNoReduction;

  /// Not at all, by splits of k, by stream-k.
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

/// All that these values of the parameters make.
std::vector<TileSharing> TileSharings(const std::vector<int64_t>& splits, const std::vector<int64_t>& streams,
                                      const std::vector<int64_t>& reductions);

/// Those that are of the same way.
std::vector<TileSharing> OfWay(const std::vector<TileSharing>& sharings, size_t way);

/// Calls `consider` for the schedule with each sharing of its way and each number of rows of tiles that walk together.
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

/// Rows of tiles that walk together: what a wave of blocks reads is least where it is nearly square.
int64_t GroupFor(const MatmulProblem& problem, int64_t bm, int64_t bn);

/// The blocks that a compiler should keep resident: as many as the model counts on, of those that `axis` has, up to
/// two. The registers of a valid schedule fit them anyway, so that a search may leave this to the end.
int64_t BlocksToKeep(const ScheduleGeometry& geometry, const DeviceInfo& device, const std::vector<int64_t>& axis);

/// A schedule, and the seconds that it should take, with what they are counted as more.
template <typename S>
struct Timed {
  S schedule;
  double cost = std::numeric_limits<double>::infinity();
};

/// The schedules, the best first.
template <typename S>
ByPreference<Schedule> InOrder(std::vector<Timed<S>> timed) {
  std::ranges::stable_sort(timed, {}, &Timed<S>::cost);
  ByPreference<Schedule> schedules;
  std::ranges::transform(timed, std::back_inserter(schedules),
                         [](const Timed<S>& one) { return one.schedule.ToSchedule(); });
  return schedules;
}


/// What of a device's work is not wasted, by three effects that the shape alone decides:
///
///   cover     = volume of the tiles / volume of the product        (m, n and k padded to tiles)
///   occupied  = (blocks / slots) / ceil(blocks / slots)            (slots: blocks resident at once)
///   sharing   = (k of a block + 128) / k of a block                (where blocks share tiles: their partial sums)
///   efficiency = occupied / cover / sharing
///
/// A multiprocessor multiplies padding as it does data, and a last wave that is not full takes as
/// long as one that is. Cache, bandwidth and instruction mix are left out: they change little
/// between neighbouring shapes, and what they change only a measurement tells.
struct ScheduleFit {
  double cover = 1;
  double sharing = 1;
  double occupied = 1;
  double lastWave = 1;      ///< Part of the multiprocessors that the last wave fills.
  bool knowsWaves = false;  ///< The device says how many multiprocessors it has.

  double efficiency() const { return occupied / cover / sharing; }
  /// "tiles cover 9% more than the problem, the last wave is 60% full".
  std::string Text() const;
};

/// `schedule` is one that DescribeSchedule() knows: it was valid for some problem.
ScheduleFit EstimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Of the families' DefaultSchedules() the one that is valid and, by time_model.h, the fastest. A family that is made
/// for such problems comes first; those that are not searched by default are the last resort. InvalidArgument when no
/// schedule of any family takes the problem, as when an extent is 2^31 or more, or none with such sizes at run time or
/// such a layout.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device,
                                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {});

}  // namespace mmtune
