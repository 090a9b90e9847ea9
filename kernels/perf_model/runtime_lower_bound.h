// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A roofline lower bound of a schedule's run time: what makes it safe to skip the measurement of a schedule. No run
// takes less while the device's clock stays below kMaxBoost times the one that it reports (device_info.h). README.md
// of this folder has the formulas; docs/search.md says what is skipped by it.
#pragma once

#include <string>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Schedules whose lower bound is more than so many times the best time are not measured. Those within the margin are:
/// they may still be ranked, and noise may have made the best.
inline constexpr double kSkipMargin = 1.1;

struct RuntimeLowerBound {
  double ns = 0;  ///< 0: nothing is known.
  /// The work that sets the bound. "peak": all multiply-adds of the problem at the device's peak; "blocks": those of
  /// the busiest multiprocessor; "schedulers": those of its busiest scheduler.
  std::string bound;
  std::string why;  ///< "64 whole blocks of 128x128x16 on 132 multiprocessors, 1 on the busiest".
};

/// Returns the lower bound for the main kernel. `compiled` holds the resources that compiling found; what is unknown
/// there (-1, or 0 threads) limits nothing, because the estimates of `geometry` do not bound the kernel. Nothing is
/// known where PeakGflops() knows no peak, as for the SIMT device, and for integers on CUDA cores, whose rate differs
/// between architectures.
RuntimeLowerBound RuntimeLowerBoundOf(const MatmulProblem& problem, const ScheduleGeometry& geometry,
                                      const DeviceInfo& device, const KernelResources& compiled = {});

}  // namespace mmtune
