// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules among which the time model chooses where nobody has tuned.
#pragma once

#include <vector>

#include "kernels/families/fma_schedule.h"
#include "kernels/families/space_family.h"

namespace mmtune {

/// A few schedules, each alone in its list: starting from the fastest of a short list, by the model, that there is no
/// faster one to be had by other values of the `axes` for the tiles and splits alone, or for the copies alone. One of
/// them is nearly the family's best, by the model (default_schedule_test).
std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

/// The largest block tile that a problem has use for.
struct FmaTileLimits {
  explicit FmaTileLimits(const MatmulProblem& problem);
  int64_t bm, bn;
};

}  // namespace mmtune
