// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `direct`: a simple kernel in which each thread computes tm x tn elements of C, reading A and B from global
// memory, without shared memory. It supports every problem, is the first step of `tune ladder`, which shows kernels
// from naive to tuned, and is used where the families fma and mma have no kernel.
//
//   thread (x, y) of a block of bx * by threads:   for k: C[tm x tn] += A[tm, k] * B[k, tn]
//
// This header has the parameters of a schedule, and the tiling, which has the sizes that follow from the parameters and
// the problem. Rules, launch plan and emitter all use the tiling, so that they agree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of the kernel.
inline constexpr char kDirectKernel[] = "gemm_direct";

/// The parameters: PARAMETER(member, name, default, lowest value, highest value).
#define MMTUNE_DIRECT_PARAMETERS(PARAMETER)                         \
  PARAMETER(bx, "bx", 1, 1, 1024) /* Threads of a block along N. */ \
  PARAMETER(by, "by", 1, 1, 1024) /* Threads of a block along M. */ \
  PARAMETER(tm, "tm", 1, 1, 64)   /* Rows of C per thread. */       \
  PARAMETER(tn, "tn", 1, 1, 64)   /* Columns of C per thread. */

/// The parameters of a schedule.
struct DirectSchedule : ScheduleValues<DirectSchedule> {
  static constexpr char kFamily[] = "direct";
  MMTUNE_SCHEDULE_PARAMETERS(DirectSchedule, MMTUNE_DIRECT_PARAMETERS)
};

/// The tiling of a schedule for a problem. Sizes are in elements.
struct DirectTiling {
  DirectTiling(const MatmulProblem& problem, const DirectSchedule& schedule);

  MatmulProblem problem;
  DirectSchedule schedule;

  int64_t bm, bn;        ///< Tile of C per block.
  int64_t threads;       ///< Threads of a block.
  int64_t gridM, gridN;  ///< Rows and columns of tiles in a matrix of C.
  int64_t blocks;        ///< Blocks of the whole batch.
  int64_t vectorN;       ///< Adjacent columns that a thread loads and stores at once.
  int64_t stepK;         ///< k values of an iteration; they are loaded at once if they are contiguous.

  /// Returns an estimate of the registers per thread. It is meant to be too high rather than too low.
  int64_t RegisterEstimate() const;
  /// Returns the cost of an iteration over k, for time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
