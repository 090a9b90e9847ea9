// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time that no run of a schedule can be below while the device's clock stays below kMaxBoost times the one that it
// reports (device_info.h): what makes it safe not to measure the schedule. time_model.h says what a schedule should
// take; this says what it must.
//
// A block runs on one multiprocessor, and a warp on one of its four schedulers, which has a quarter of its units. Of
// `blocks` blocks that each make `products` products of their own, by W warps alike,
//
//   q = ceil(blocks / multiprocessors)                    blocks of the busiest multiprocessor, or more
//   R = those that registers, shared memory and threads let be resident at once, or more
//   clocks >= q * products / rate                         the units of a multiprocessor
//   clocks >= max(ceil(q * W / 4), ceil(q / R) * ceil(W / 4)) * 4 * products / W / rate      those of its schedulers
//
// and all products of the problem take at least as long as on all multiprocessors at once. Only blocks whose whole tile
// lies within the problem count, with their products alone: no memory access, no other instruction, no launch, and a
// clock of kMaxBoost times the highest that the device reports, as in PlausibleGflopsLimit(). Rates are those of device_info.h.
//
// Sources. Warps are distributed among the schedulers when they begin, each with its own units: CUDA C++ Programming
// Guide, "Multithreading" and the sections on multiprocessors of each compute capability.
#pragma once

#include <string>

#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// What cannot take less than this many times the best is not measured. What might be slower by less is: it may be
/// ranked, and noise may have made the best.
inline constexpr double kSkipMargin = 1.1;

struct RuntimeLowerBound {
  double ns = 0;  ///< 0: nothing is known.
  /// "peak": all products of the problem; "blocks": those of the busiest multiprocessor; "schedulers": of its busiest
  /// scheduler.
  std::string bound;
  std::string why;  ///< "64 whole blocks of 128x128x16 on 132 multiprocessors, 1 on the busiest".
};

/// Of the kernel that makes the products. `real` is what compiling it told; what is unknown there (-1, or 0 threads)
/// limits nothing, as the estimates of `geometry` are none of the kernel's. Nothing is known where PeakGflops() knows
/// no peak (of the SIMT device, too), and of products of integers on CUDA cores, whose rate architectures differ in.
RuntimeLowerBound RuntimeLowerBoundOf(const MatmulProblem& problem, const ScheduleGeometry& geometry, const DeviceInfo& device,
                      const KernelResources& real = {});

}  // namespace mmtune
