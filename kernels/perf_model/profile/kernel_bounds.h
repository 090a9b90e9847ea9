// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains what limits a kernel's speed. Counters of its memory accesses, its machine code (SASS) and the device's
// rates give a time for each unit, and the longest one is the bound. `tune profile` prints the result. docs/profile.md
// has the formulas.
//
//   cubin -> ReadMainKernelCode(): SASS, hot loop -> ModelResident(): fraction of peak -> BoundsOf(): time of each unit
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

/// Returns the name of the plan's main kernel, which is the first that it launches; empty if it launches none.
std::string MainKernel(const LaunchPlan& plan);

/// The machine code of a main kernel and its hot loop.
struct MainKernelCode {
  SassListing listing;
  const SassFunction* function = nullptr;  ///< Points into `listing`. Stays valid when this object is moved.
  SassLoop loop;
  std::vector<double> wavefronts;  ///< Wavefronts of each instruction of the loop, by WavefrontsOf().
};

/// Disassembles the main kernel of a cubin for `arch` and finds its hot loop. `counters` may be null. Returns
/// FailedPrecondition if there is no disassembler, or if the image is not a cubin. Returns another error if the code
/// cannot be read, or if no loop multiplies.
absl::StatusOr<MainKernelCode> ReadMainKernelCode(const CompiledKernel& kernel, const std::string& arch,
                                                  const ProfiledCounters* counters);

/// Returns the multiply-adds that a multiprocessor starts per cycle on each unit; for tensor cores, with the problem's
/// type.
SchedulerRates RatesOfProblem(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns how many blocks and warps of this geometry are resident on a multiprocessor, and which resource limits them.
/// `geometry` must have the registers of the compiled kernel if they are known.
ProfiledOccupancy OccupancyOf(const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Models the hot loop with `blocks` resident blocks of `warps` warps each, distributed evenly over the four
/// schedulers. Returns the errors of ModelLoop() (scheduler_model.h), and FailedPrecondition if the loop has no
/// multiply-adds.
absl::StatusOr<ModelledRate> ModelResident(const SassFunction& function, const SassLoop& loop,
                                           const std::vector<double>& wavefronts, const SchedulerRates& rates,
                                           int64_t blocks, int64_t warps);

/// Predicts from the machine code the fraction of peak that the main kernel's hot loop reaches: above 0, at most 1.
/// Does not run or simulate the kernel. Assumes that a multiprocessor holds as many blocks as fit, or fewer if the
/// launch has fewer for the busiest multiprocessor. `geometry` has the compiled resources (WithCompiledResources()).
/// Returns FailedPrecondition if there is no disassembler or no cubin, or if scheduler_model.h does not support the
/// loop. Returns another error if the code cannot be read.
absl::StatusOr<double> PredictedPeakFraction(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                             const DeviceInfo& device, const CompiledKernel& kernel);

/// Upper limits of the fraction of peak that a loop can reach. Each field is the limit that one resource sets.
struct LoopLimits {
  double issue = 1;   ///< Issue slots of the warps.
  double alu = 1;     ///< ALU instructions.
  double shared = 1;  ///< Wavefronts of shared memory.
};
/// Returns the limits for one iteration of the loop.
LoopLimits LimitsOf(const ProfiledLoop& loop, const SchedulerRates& rates);

/// A model of the hot loop: returns the fraction of peak that the loop reaches with `blocks` resident blocks (for
/// example by ModelResident()).
using PeakFractionOfBlocks = std::function<absl::StatusOr<double>(int64_t blocks)>;

/// Counters of the whole kernel; 0 if nothing was counted.
struct CountedWork {
  double sectors = 0;  ///< Sectors of global memory.
  /// Wavefronts of shared memory (SharedCost::merged). If 0, as for a kernel that reads its operands through the L1
  /// cache, BoundsOf() uses the estimate of the kernel family.
  double wavefronts = 0;
};

/// Returns the time that each unit needs for the kernel, and the unit that limits it. `share` is the model of the hot
/// loop. It is null if there is no model, for example because there is no machine code. In that case the time of the
/// multiprocessors, and the limits set by issue slots and shared memory, are estimated from the geometry
/// (time_model.h). Returns FailedPrecondition if the device has no multiply-add instructions for the problem's types,
/// or if `share` returns 0.
absl::StatusOr<ProfiledBounds> BoundsOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                        const DeviceInfo& device, const CountedWork& counted, const LoopLimits& limits,
                                        const PeakFractionOfBlocks& share);

}  // namespace mmtune
