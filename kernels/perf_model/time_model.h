// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model of a schedule's run time, by formulas that need no measurement: it orders schedules before any has run.
// README.md of this folder has the formulas and the sources of all constants.
#pragma once

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Clocks from a load of global memory to its use.
inline constexpr double kGlobalLatency = 700;

/// Clocks to the use of a load that misses L1 and hits L2.
inline constexpr double kL2Latency = 200;

/// Clocks of a block outside of its loop, for each of its tiles of C: start, first tiles and store.
inline constexpr double kBlockClocks = 1500;

/// The rates of a device. What DeviceInfo does not say is taken from a typical board of the architecture.
struct DeviceRates {
  double multiprocessors = 0, clocksPerSecond = 0;
  double wavefrontClocks = 1;  ///< Clocks of shared memory or L1 for one wavefront of 128 bytes.
  double l2Bytes = 0;          ///< Bytes of L2 per clock and multiprocessor.
  double dramBytesPerSecond = 0, l2Capacity = 0;
};
DeviceRates RatesOf(const DeviceInfo& device);

/// Returns the multiply-adds of the problem's elements that a multiprocessor starts in a clock, on tensor cores or by
/// the instruction for the type of the accumulators; 0 where `device` has no such instruction.
int64_t MultiplyAddsPerClock(const MatmulProblem& problem, bool tensorCores, const DeviceInfo& device);

/// Predicts the run time of a schedule with this geometry. An unknown architecture counts as the newest older one.
PredictedTime PredictTime(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device);

/// Returns the bytes that L2 and device memory move for `rows` rows of `row` bytes that begin `apart` bytes from one
/// another.
double BytesMovedForRows(int64_t rows, int64_t row, int64_t apart);

}  // namespace mmtune
