// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How well the tiles of a schedule fit a problem and a device: a small estimate that needs no
// measurement; and by it a schedule for a problem that nobody has tuned.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "kernels/families/common/product_layout.h"
#include "kernels/families/common/run_time_sizes.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

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
  /// "tiles cover 9% more than the product, the last wave is 60% full".
  std::string Text() const;
};

/// `schedule` is one that DescribeSchedule() knows: it was valid for some problem.
ScheduleFit EstimateFit(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device);

/// Of the families' DefaultSchedules() the one that is valid and, by time_model.h, the fastest. A family that is made
/// for such problems comes first; those that are not searched by default are the last resort. InvalidArgument when no
/// schedule of any family takes the problem, as when an extent is 2^31 or more, or none with such sizes at run time or
/// such a layout.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device,
                                         RunTimeSizes sizes = {}, const ProductLayout& layout = {});

}  // namespace mmtune
