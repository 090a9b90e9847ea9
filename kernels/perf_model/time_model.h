// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicts a schedule's run time by formulas, without any measurement. The search orders schedules by the prediction
// before any has run, and default schedules of untuned problems are chosen by it. Roughly,
//
//   time = waves of blocks * k steps * max(compute, shared memory, L2, latency) + start and store of each block
//
// README.md of this folder has the exact formulas and the sources of all constants.
#pragma once

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Clocks from a load of global memory (device memory) to its use.
inline constexpr double kGlobalLatency = 700;

/// Clocks from a load that misses L1 and hits L2 to its use.
inline constexpr double kL2Latency = 200;

/// Clocks that a block spends outside its loop per tile of C: start, first loads, and store.
inline constexpr double kBlockClocks = 1500;

/// The rates of a device.
struct DeviceRates {
  double multiprocessors = 0, clocksPerSecond = 0;
  double wavefrontClocks = 1;  ///< Clocks that shared memory or L1 takes for one wavefront of 128 bytes.
  double l2Bytes = 0;          ///< Bytes that L2 delivers per clock and multiprocessor.
  double dramBytesPerSecond = 0, l2Capacity = 0;  ///< Bandwidth of device memory, and bytes of L2.
};
/// Returns the rates of `device`. Values that `device` does not report are those of a typical board of the
/// architecture.
DeviceRates RatesOf(const DeviceInfo& device);

/// Returns how many multiply-adds of the problem's element types one multiprocessor starts per clock. They run on
/// tensor cores or, if `tensorCores` is false, on CUDA cores in the type of the accumulators. Returns 0 if `device` has
/// no such instruction.
int64_t MultiplyAddsPerClock(const MatmulProblem& problem, bool tensorCores, const DeviceInfo& device);

/// Returns the fraction of MultiplyAddsPerClock() that the loop's instruction can reach. It is 1, except for `mma.sync`
/// on sm_90, where only wgmma reaches the full rate: about 0.64.
double ReachableShare(const MatmulProblem& problem, const LoopCost& loop, const DeviceInfo& device);

/// True if the L2 cache holds A and B of a matrix of the batch, so that device memory delivers them once.
bool OperandsFitL2(const MatmulProblem& problem, const DeviceInfo& device);

/// Returns how many multiprocessors can be busy at once if the kernel has clusters of `blocks` blocks, with one block
/// on each multiprocessor. A device that does not report its active clusters is assumed to be like an H100, where
/// clusters of four can use 10 of 11 multiprocessors.
double ClusterMultiprocessors(const DeviceInfo& device, int64_t blocks);

/// Predicts the run time of a schedule with this geometry. For an unknown architecture it uses the rates of the newest
/// known architecture that is older.
PredictedTime PredictTime(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Returns the bytes that L2 and device memory transfer for `rows` rows of `row` bytes each. Consecutive rows begin
/// `apart` bytes apart. Short rows cost whole 32-byte sectors and parts of cache lines.
double BytesMovedForRows(int64_t rows, int64_t row, int64_t apart);

}  // namespace mmtune
