// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine code of a kernel says of its speed, where nothing has been counted and nothing run.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Of the peak of the units that multiply, what the hot loop of the product's kernel gets by scheduler_model.h, above 0
/// and at most 1: with as many blocks resident as fit a multiprocessor, or as the busiest one gets, if they are fewer.
/// `geometry` has what the kernel really needs (WithReal(), kernels/families/common/real_geometry.h). Multiprocessors
/// that the device does not say are those of the typical board of its architecture. FailedPrecondition where there is
/// no disassembler or no cubin, or the model does not know the loop; other errors: the code cannot be read.
absl::StatusOr<double> ModelledShare(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device, const CompiledKernel& kernel);

}  // namespace mmtune
