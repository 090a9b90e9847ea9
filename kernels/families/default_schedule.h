// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule for a problem that nobody has tuned.
#pragma once

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Of the families' defaultSchedules() the valid one that promises most: the efficiency of
/// ScheduleFit times what its tile gains from reuse, I / (I + 8) with I = m * n / (m + n)
/// multiply-adds for each element loaded; 8 is a judgement. Families that are not searched by
/// default are the last resort. InvalidArgument when no schedule of any family takes the problem,
/// as when an extent is 2^31 or more.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem& problem, const DeviceInfo& device);

}  // namespace mmtune
