// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules among which the time model chooses where nobody has tuned a product of tensor cores.
#pragma once

#include <vector>

#include "kernels/families/common/space_family.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {

/// One list, the best first, by the model: of each way of sharing tiles of C the most promising tiles, each with the
/// best of all pipelines that the `axes` have for it; and the first of them improved until no other tile, sharing or
/// pipeline helps. The first one is nearly the family's best (default_schedule_test).
std::vector<ByPreference<Schedule>> MmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

}  // namespace mmtune
