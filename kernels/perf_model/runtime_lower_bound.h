// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A roofline lower bound of a schedule's run time: no run of the schedule can take less time, provided that the
// device's clock stays below kMaxBoost (device_info.h) times the reported clock. The search skips measuring a schedule
// whose lower bound already exceeds the best measured time. README.md of this folder has the formulas; docs/search.md
// says what is skipped.
//
//   busiest multiprocessor:  time >= blocks on it * multiply-adds of a block / (multiply-adds per second)
#pragma once

#include <string>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// A schedule is skipped if its lower bound exceeds this multiple of the best measured time. The margin of 10% keeps
/// schedules that may still be ranked, and allows for noise in the best time.
inline constexpr double kSkipMargin = 1.1;

/// A lower bound and its explanation.
struct RuntimeLowerBound {
  double ns = 0;  ///< Nanoseconds; 0 means that no bound is known.
  /// The resource that sets the bound:
  /// - "peak": all multiply-adds of the problem, at the peak rate of the device.
  /// - "blocks": the multiply-adds of the busiest multiprocessor.
  /// - "schedulers": the multiply-adds of the busiest warp scheduler.
  std::string bound;
  std::string why;  ///< "64 whole blocks of 128x128x16 on 132 multiprocessors, 1 on the busiest".
};

/// Returns the lower bound for the main kernel, the one that multiplies. `compiled` has the registers and threads found
/// by compiling. Its unknown values (-1, or 0 threads) impose no limit; the estimates in `geometry` are not used
/// instead. Returns ns = 0 if PeakGflops() is 0, as for the SIMT device, and for integers on CUDA cores, because their
/// rate differs between architectures.
RuntimeLowerBound RuntimeLowerBoundOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                      const DeviceInfo& device, const KernelResources& compiled = {});

}  // namespace mmtune
