// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a `direct` schedule, and what they imply for a problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of the kernel.
inline constexpr char kDirectKernel[] = "gemm_direct";

#define MMTUNE_DIRECT_PARAMETERS(PARAMETER)                         \
  PARAMETER(bx, "bx", 1, 1, 1024) /* Threads of a block along N. */ \
  PARAMETER(by, "by", 1, 1, 1024) /* Threads of a block along M. */ \
  PARAMETER(tm, "tm", 1, 1, 64)   /* Rows of C per thread. */       \
  PARAMETER(tn, "tn", 1, 1, 64)   /* Columns of C per thread. */

struct DirectSchedule : ScheduleValues<DirectSchedule> {
  static constexpr char kFamily[] = "direct";
  MMTUNE_SCHEDULE_PARAMETERS(DirectSchedule, MMTUNE_DIRECT_PARAMETERS)
};

/// Everything that a schedule implies for a problem, in elements.
struct DirectTiling {
  DirectTiling(const MatmulProblem& problem, const DirectSchedule& schedule);

  MatmulProblem problem;
  DirectSchedule schedule;

  int64_t bm, bn;  ///< Extents of a block's tile.
  int64_t threads;
  int64_t gridM, gridN;  ///< Block tiles of a matrix.
  int64_t blocks;        ///< Blocks of the whole batch.
  int64_t vectorN;       ///< Consecutive columns that a thread loads and stores at once.
  int64_t stepK;         ///< k values of an iteration, loaded at once where they are contiguous.

  /// Estimates the registers of a thread; see FmaTiling::RegisterEstimate().
  int64_t RegisterEstimate() const;
  /// Returns the cost of an iteration, for time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
