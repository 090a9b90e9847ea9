// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules among which the time model chooses where nobody has tuned.
#pragma once

#include <vector>

#include "kernels/families/common/space_family.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// One list, the best first, by the model: of each way of sharing tiles (not at all, splits, stream-k) with each number
/// of slices a few block tiles, improved until there is no faster schedule of that way to be had by other values of the
/// `axes` for the tiles alone, the copies, the splits, or slices, k step and splits together. The first one is nearly
/// the family's best (default_schedule_test); atomics, and loops that an instruction cache may not hold, have to be a
/// little faster than others to be it.
std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

/// The largest block tile that a problem has use for.
struct FmaTileLimits {
  explicit FmaTileLimits(const MatmulProblem& problem);
  int64_t bm, bn;
};

}  // namespace mmtune
