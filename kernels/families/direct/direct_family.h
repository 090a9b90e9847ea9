// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a `direct` schedule and the geometry they give a problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The parameters in the order in which constraints count them.
enum DirectParameter : size_t { kDirectBx, kDirectBy, kDirectTm, kDirectTn, kDirectParameterCount };

/// The kernel of a launch plan.
inline constexpr char kDirectKernel[] = "gemm_direct";

/// Plain values; fields not set are 1.
struct DirectSchedule : ScheduleValues<DirectSchedule> {
  static constexpr char kFamily[] = "direct";
  static std::span<const ScheduleField<DirectSchedule>> fields();

  int64_t bx = 1;  ///< Threads of a block along N.
  int64_t by = 1;  ///< Threads of a block along M.
  int64_t tm = 1;  ///< Rows of C per thread.
  int64_t tn = 1;  ///< Columns of C per thread.
};

/// Everything a schedule implies for a problem, in elements.
struct DirectTiling {
  DirectTiling(const MatmulProblem& problem, const DirectSchedule& schedule);

  MatmulProblem problem;
  DirectSchedule schedule;

  int64_t bm, bn;  ///< Tile of a block.
  int64_t threads;
  int64_t gridM, gridN;  ///< Block tiles of a matrix.
  int64_t blocks;        ///< Of the whole batch.
  int64_t vectorN;       ///< Consecutive columns a thread loads and stores at once.
  int64_t stepK;         ///< k values of one trip of the loop, loaded at once where a row has them.

  /// Registers of a thread; see FmaTiling::RegisterEstimate().
  int64_t RegisterEstimate() const;
  /// For time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
