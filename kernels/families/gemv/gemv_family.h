// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a `gemv` schedule, and what they imply for a problem with one row or one column of C. Rules, launch
// plan and emitter read the same tiling, so they cannot disagree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of the main kernel.
inline constexpr char kGemvKernel[] = "gemv";

/// The least that a load of global memory reads.
inline constexpr int64_t kSectorBytes = 32;

#define MMTUNE_GEMV_PARAMETERS(PARAMETER)                                                                              \
  PARAMETER(lanesK, "lanes_k", 1, 1, 32)                /* Lanes of a warp along k; 32/lanes_k along the outputs. */   \
  PARAMETER(pieces, "pieces", 1, 1, 64)                 /* Chunks of a thread along the outputs. */                    \
  PARAMETER(warpsOut, "warps_out", 1, 1, 32)            /* Warps of a block along the outputs. */                      \
  PARAMETER(warpsK, "warps_k", 1, 1, 32)                /* Warps of a block along k. */                                \
  PARAMETER(unroll, "unroll", 1, 1, 64)                 /* Chunks along k that a thread loads before it multiplies. */ \
  PARAMETER(splitK, "split_k", 1, 1, 1024)              /* Blocks that share a tile of C. */                           \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 2) /* A SplitReduction. */

struct GemvSchedule : ScheduleValues<GemvSchedule> {
  static constexpr char kFamily[] = "gemv";
  MMTUNE_SCHEDULE_PARAMETERS(GemvSchedule, MMTUNE_GEMV_PARAMETERS)
};

/// Everything that a schedule implies for a problem, in elements unless named bytes. The outputs are the elements of C
/// along the extent that is not 1. The matrix is the operand with that extent, the vector the other one. A chunk is
/// what a thread loads of the matrix at once: `width` contiguous elements, along k where rows of the matrix run along
/// k, else along the outputs. A layout changes neither the chunks nor the launch: chunks that it does not align are
/// loaded in parts.
struct GemvTiling {
  GemvTiling(const MatmulProblem& problem, const GemvSchedule& schedule, const MatmulLayout& layout = {});

  MatmulProblem problem;
  GemvSchedule schedule;

  bool matrixIsA;   ///< True if C has one column; else it has one row, and the matrix is B.
  int64_t outputs;  ///< Outputs of one matrix of C.
  bool rowsAlongK;
  int64_t rowElements;  ///< Elements of a row of the matrix.
  int64_t width;        ///< Elements of a chunk: 16 bytes, or what divides a row.
  int64_t lanesOut;     ///< Lanes of a warp along the outputs.
  int64_t threads;      ///< Threads of a block.
  BlockGrid grid;
  int64_t rowStride;               ///< Distance of consecutive rows of the matrix.
  int64_t vectorStride;            ///< Distance of consecutive elements of the vector.
  int64_t strideC;                 ///< Distance of consecutive outputs.
  int64_t loadMatrix, loadVector;  ///< Elements of a chunk that are loaded at once.
  int64_t storeC;                  ///< Elements of C stored at once.

  int64_t ChunkK() const { return rowsAlongK ? width : 1; }
  int64_t ChunkOut() const { return rowsAlongK ? 1 : width; }
  int64_t WarpOutputs() const { return lanesOut * schedule.pieces * ChunkOut(); }
  /// Returns the contiguous bytes of a row of the matrix that the lanes of a warp load at once.
  int64_t RunBytes() const;
  int64_t BlockOutputs() const { return schedule.warpsOut * WarpOutputs(); }
  /// Returns the distance of a thread's consecutive chunks along k.
  int64_t StrideK() const { return schedule.warpsK * schedule.lanesK * ChunkK(); }
  /// Returns the bytes for the sums of the warps along k; the first warp, which adds them to its own, needs none.
  int64_t SharedBytes() const { return 4 * (schedule.warpsK - 1) * BlockOutputs(); }
  /// Estimates the registers of a thread, so that schedules within the limit do not spill (tests/bench/spill_table).
  int64_t RegisterEstimate() const;
  /// Returns the cost of a k step, for time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
