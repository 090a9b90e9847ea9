// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bounds of a kernel's speed, by counters of its accesses and by its machine code. docs/profile.md has the
// formulas.
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

/// Returns the name of the plan's main kernel, the first that is launched; empty where none is.
std::string MainKernel(const LaunchPlan& plan);

/// The machine code of a main kernel and its hot loop.
struct MainKernelCode {
  SassListing listing;
  const SassFunction* function = nullptr;  ///< Points into `listing`; stays valid when this is moved.
  SassLoop loop;
  std::vector<double> wavefronts;  ///< For each instruction of the loop, see WavefrontsOf().
};

/// Disassembles the main kernel of a cubin for `arch`; `counters` may be null. FailedPrecondition where there is no
/// disassembler, or the image is no cubin; other errors where it cannot be read, or no loop of it multiplies.
absl::StatusOr<MainKernelCode> ReadMainKernelCode(const CompiledKernel& kernel, const std::string& arch,
                                                  const ProfiledCounters* counters);

/// Returns how many multiply-adds of each unit a multiprocessor of the device starts in a cycle, tensor cores for the
/// problem's type.
SchedulerRates RatesOfProblem(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns how blocks fill a multiprocessor of `device`. `geometry` has the compiled registers where they are known.
ProfiledOccupancy OccupancyOf(const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Models the hot loop with `blocks` resident blocks of `warps` warps each, spread evenly over the four schedulers.
absl::StatusOr<ModelledRate> ModelResident(const SassFunction& function, const SassLoop& loop,
                                           const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                           int64_t blocks, int64_t warps);

/// Predicts which fraction of the peak of the multiplying units the hot loop of the main kernel reaches, by
/// scheduler_model.h, where nothing is counted and nothing runs: above 0, at most 1. As many blocks are resident as fit
/// a multiprocessor, or as the busiest one gets, if they are fewer. `geometry` has the compiled resources
/// (WithCompiledResources()). FailedPrecondition where there is no disassembler or no cubin, or the model does not
/// support the loop; other errors where the code cannot be read.
absl::StatusOr<double> PredictedPeakFraction(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                             const DeviceInfo& device, const CompiledKernel& kernel);

/// Upper limits of the fraction of peak that one iteration of the loop can reach, by the issue slots of a warp, its ALU
/// instructions, and its wavefronts.
struct LoopLimits {
  double issue = 1;
  double alu = 1;
  double shared = 1;
};
LoopLimits LimitsOf(const ProfiledLoop& loop, const SchedulerRates& rates);

/// Returns the fraction of peak that the loop reaches with so many resident blocks.
using ShareOfBlocks = std::function<absl::StatusOr<double>(int64_t blocks)>;

/// Counters of the whole kernel; 0 where nothing was counted.
struct CountedWork {
  double sectors = 0;  ///< Sectors of global memory.
  double wavefronts =
      0;  ///< Merged wavefronts of shared memory; for kernels without any, L1's by the family's formula.
};

/// Returns the times of the kernel's units and which of them limits it. Without `share`, the time of the
/// multiprocessors and the limits are those of time_model.h. FailedPrecondition where the architecture has no such
/// instructions, and for a share of 0.
absl::StatusOr<ProfiledBounds> BoundsOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                        const DeviceInfo& device, const CountedWork& counted, const LoopLimits& limits,
                                        const ShareOfBlocks& share);

}  // namespace mmtune
