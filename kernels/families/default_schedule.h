// A schedule for a problem that nobody has tuned.
#pragma once

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Of a few schedules that are good on common shapes, the valid one that promises most: the
/// efficiency of ScheduleFit times what its tile gains from reuse, I / (I + 8) with
/// I = bm * bn / (bm + bn) multiply-adds for each float loaded; 8 is a judgement. A kernel without
/// tiles is the last resort. InvalidArgument when no schedule of any family takes the problem, as
/// when an extent is 2^31 or more.
absl::StatusOr<Schedule> DefaultSchedule(const MatmulProblem &problem, const DeviceInfo &device);

} // namespace mmtune
