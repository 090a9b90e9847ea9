// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a search learns the speed of a schedule from, beside its parameters.
#pragma once

#include <vector>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Always as many, finite; counts and ratios as logarithms. Of the schedule: threads of a block, elements of C per
/// thread, registers, shared memory. On the device: blocks resident at once, the share of a multiprocessor's warps that
/// they are, registers beyond what a thread may have, waves, and how much of the last one is empty. Per multiply-add:
/// instructions, wavefronts, bytes of global memory. And the time that PredictTime() gives.
std::vector<double> GeometryFeatures(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device);

}  // namespace mmtune
