// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code of the kernel that makes the products, of all that a schedule launches.
//
// What holds a kernel back, by what was counted of it and by what its machine code is.
//
// What the machine code of a kernel says of its speed, where nothing has been counted and nothing run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/perf_model/profile/sass.h"
#include "kernels/perf_model/profile/scheduler_model.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_profile.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The kernel that makes the products: the first that is launched; empty where none is.
std::string MainKernel(const LaunchPlan& plan);

/// Its machine code and its hot loop.
struct MainKernelCode {
  SassListing listing;
  const SassFunction* function = nullptr;  ///< Of the listing, also once this is moved.
  SassLoop loop;
  std::vector<double> wavefronts;  ///< Of each instruction of the loop, as WavefrontsOf() has them.
};

/// Of a cubin for `arch`; `counters` may be null. FailedPrecondition where there is no disassembler, or the image is no
/// cubin; other errors: it cannot be read, or has no loop that multiplies.
absl::StatusOr<MainKernelCode> ReadMainKernelCode(const CompiledKernel& kernel, const std::string& arch,
                                            const ProfiledCounters* counters);


/// The multiply-adds of `problem`'s kind of instructions that a multiprocessor of the architecture begins in a cycle.
SchedulerRates RatesOfProblem(const MatmulProblem& problem, const DeviceInfo& device);

/// How blocks fill a multiprocessor of `device`; registers, where they are known, are those of `geometry`.
ProfiledOccupancy OccupancyOf(const ScheduleGeometry& geometry, const DeviceInfo& device);

/// The hot loop with `blocks` resident blocks of `warps` warps each, on each of the four schedulers alike.
absl::StatusOr<ModelledRate> ModelResident(const SassFunction& function, const SassLoop& loop,
                                           const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                           int64_t blocks, int64_t warps);

/// Of one warp's passage through the loop, as a share of the peak of the units that multiply: what its issue slots, its
/// instructions of the ALU and its wavefronts allow at most.
struct LoopLimits {
  double issue = 1;
  double alu = 1;
  double shared = 1;
};
LoopLimits LimitsOf(const ProfiledLoop& loop, const SchedulerRates& rates);

/// The share of peak that the loop reaches with so many resident blocks.
using ShareOfBlocks = std::function<absl::StatusOr<double>(int64_t blocks)>;

/// What the counters say of the whole kernel; 0 where nothing was counted.
struct CountedWork {
  double sectors = 0;     ///< Of global memory.
  double wavefronts = 0;  ///< Of shared memory, merged ones; of a kernel without any, L1's are the family's formula.
};

/// Times of the kernel and its bound, as docs/profile.md has the formulas. Without `share`, the multiprocessors' time
/// and the limits are those of kernels/perf_model/time_model.h. FailedPrecondition where the architecture has no such
/// instructions, and for a share of 0.
absl::StatusOr<ProfiledBounds> BoundsOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                        const DeviceInfo& device, const CountedWork& counted, const LoopLimits& limits,
                                        const ShareOfBlocks& share);


/// Of the peak of the units that multiply, what the hot loop of the product's kernel gets by scheduler_model.h, above 0
/// and at most 1: with as many blocks resident as fit a multiprocessor, or as the busiest one gets, if they are fewer.
/// `geometry` has what the kernel really needs (WithCompiledResources(), kernels/families/common/real_geometry.h). Multiprocessors
/// that the device does not say are those of the typical board of its architecture. FailedPrecondition where there is
/// no disassembler or no cubin, or the model does not know the loop; other errors: the code cannot be read.
absl::StatusOr<double> PredictedPeakFraction(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                     const DeviceInfo& device, const CompiledKernel& kernel);

}  // namespace mmtune
