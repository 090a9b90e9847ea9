// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `gemv`: matrix-vector products, which are problems with one row or one column of C. They are bound by
// reading the matrix once, so the kernel streams it from global memory to registers, without tiles in shared memory:
//
//   outputs[i] = sum over k of matrix[i, k] * vector[k]        lanes and warps divide both i and k
//
// The outputs are the elements of C. The matrix is the operand that has a row or column for each output, the vector is
// the other operand. A chunk is the part of the matrix that a thread loads at once: `width` adjacent elements, along k
// if rows of the matrix run along k, otherwise along the outputs. Rules, launch plan and emitter all use the tiling
// below, so that they agree.
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

/// The bytes of a sector, the smallest unit that is read from global memory.
inline constexpr int64_t kSectorBytes = 32;

/// The parameters: PARAMETER(member, name, default, lowest value, highest value).
#define MMTUNE_GEMV_PARAMETERS(PARAMETER)                                                                              \
  PARAMETER(lanesK, "lanes_k", 1, 1, 32)                /* Lanes of a warp along k; 32/lanes_k along the outputs. */   \
  PARAMETER(pieces, "pieces", 1, 1, 64)                 /* Chunks of a thread along the outputs. */                    \
  PARAMETER(warpsOut, "warps_out", 1, 1, 32)            /* Warps of a block along the outputs. */                      \
  PARAMETER(warpsK, "warps_k", 1, 1, 32)                /* Warps of a block along k. */                                \
  PARAMETER(unroll, "unroll", 1, 1, 64)                 /* Chunks along k that a thread loads before it multiplies. */ \
  PARAMETER(splitK, "split_k", 1, 1, 1024)              /* Blocks that share a tile of C. */                           \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 2) /* A SplitReduction. */

/// The parameters of a schedule.
struct GemvSchedule : ScheduleValues<GemvSchedule> {
  static constexpr char kFamily[] = "gemv";
  MMTUNE_SCHEDULE_PARAMETERS(GemvSchedule, MMTUNE_GEMV_PARAMETERS)
};

/// The tiling of a schedule for a problem. Sizes are in elements, except those with "bytes" in their names. A
/// MatmulLayout (the strides of operands that are not dense) changes neither the chunks nor the launch; chunks that are
/// not aligned because of it are loaded in several parts.
struct GemvTiling {
  GemvTiling(const MatmulProblem& problem, const GemvSchedule& schedule, const MatmulLayout& layout = {});

  MatmulProblem problem;
  GemvSchedule schedule;

  bool matrixIsA;       ///< True if C has one column; otherwise it has one row, and the matrix is B.
  int64_t outputs;      ///< Number of outputs of one matrix of C.
  bool rowsAlongK;      ///< True if rows of the matrix run along k.
  int64_t rowElements;  ///< Elements of a row of the matrix.
  int64_t width;        ///< Elements of a chunk: as many as fit 16 bytes and divide the length of a row.
  int64_t lanesOut;     ///< Lanes of a warp along the outputs.
  int64_t threads;      ///< Threads of a block.
  BlockGrid grid;
  int64_t rowStride;               ///< Distance of consecutive rows of the matrix.
  int64_t vectorStride;            ///< Distance of consecutive elements of the vector.
  int64_t strideC;                 ///< Distance of consecutive outputs.
  int64_t loadMatrix, loadVector;  ///< Elements of a chunk that are loaded at once.
  int64_t storeC;                  ///< Elements of C that a thread stores at once.

  /// Returns the size of a chunk along k.
  int64_t ChunkK() const { return rowsAlongK ? width : 1; }
  /// Returns the size of a chunk along the outputs.
  int64_t ChunkOut() const { return rowsAlongK ? 1 : width; }
  /// Returns the outputs of a warp.
  int64_t WarpOutputs() const { return lanesOut * schedule.pieces * ChunkOut(); }
  /// Returns the number of contiguous bytes of a row of the matrix that the lanes of a warp load at once.
  int64_t RunBytes() const;
  /// Returns the outputs of a block.
  int64_t BlockOutputs() const { return schedule.warpsOut * WarpOutputs(); }
  /// Returns the distance along k of consecutive chunks of a thread.
  int64_t StrideK() const { return schedule.warpsK * schedule.lanesK * ChunkK(); }
  /// Returns the bytes of shared memory through which the warps along k pass their sums to the first of them.
  int64_t SharedBytes() const { return 4 * (schedule.warpsK - 1) * BlockOutputs(); }
  /// Returns an estimate of the registers per thread. It is so high that schedules whose estimate is within the limit
  /// do not spill; tests/bench/spill_table compares it with ptxas.
  int64_t RegisterEstimate() const;
  /// Returns the cost of a k step, for time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
