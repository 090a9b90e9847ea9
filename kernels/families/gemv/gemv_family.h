// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a `gemv` schedule and the geometry they give a problem with one row or one column of C. Read by the
// space, the launch plan and the emitter, so that the three cannot disagree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The parameters in the order in which constraints count them.
enum GemvParameter : size_t {
  kGemvLanesK,
  kGemvPieces,
  kGemvWarpsOut,
  kGemvWarpsK,
  kGemvUnroll,
  kGemvSplitK,
  kGemvReduction,
  kGemvParameterCount,
};

/// The product's kernel.
inline constexpr char kGemvKernel[] = "gemv";

/// What a load of global memory reads at least.
inline constexpr int64_t kSectorBytes = 32;

/// Plain values; fields not set are 1, or none.
struct GemvSchedule : ScheduleValues<GemvSchedule> {
  static constexpr char kFamily[] = "gemv";
  static std::span<const ScheduleField<GemvSchedule>> fields();

  int64_t lanesK = 1;    ///< Lanes of a warp along k; 32/lanesK along the outputs.
  int64_t pieces = 1;    ///< Pieces along the outputs per thread.
  int64_t warpsOut = 1;  ///< Warps of a block along the outputs.
  int64_t warpsK = 1;    ///< Warps of a block along k.
  int64_t unroll = 1;    ///< Pieces along k that a thread loads before it multiplies.
  int64_t splitK = 1;
  int64_t reduction = kNoReduction;  ///< A SplitReduction.
};

/// Everything a schedule implies for a problem, in elements unless named bytes. The outputs are the elements of C along
/// the extent that is not 1; the matrix is the operand that has them, the vector the other one. A piece is what a
/// thread loads of the matrix at once: `width` neighbours, along k where rows of the matrix run along k, else along the
/// outputs. A layout does not change the pieces, nor the launch: those that it does not align are loaded in parts.
struct GemvTiling {
  GemvTiling(const MatmulProblem& problem, const GemvSchedule& schedule, const MatmulLayout& layout = {});

  MatmulProblem problem;
  GemvSchedule schedule;

  bool matrixIsA;   ///< C has one column; else one row, and the matrix is B.
  int64_t outputs;  ///< Of one matrix of C.
  bool rowsAlongK;
  int64_t rowElements;  ///< Of a row of the matrix.
  int64_t width;        ///< Elements of a piece: 16 bytes, or what divides a row.
  int64_t lanesOut;     ///< Lanes of a warp along the outputs.
  int64_t threads;      ///< Of a block.
  BlockGrid grid;
  int64_t rowStride;               ///< From one row of the matrix to the next.
  int64_t vectorStride;            ///< From one element of the vector to the next.
  int64_t strideC;                 ///< From one output to the next.
  int64_t loadMatrix, loadVector;  ///< Elements of a piece that are loaded at once.
  int64_t storeC;                  ///< Elements of C stored at once.

  int64_t PieceK() const { return rowsAlongK ? width : 1; }
  int64_t PieceOut() const { return rowsAlongK ? 1 : width; }
  int64_t WarpOutputs() const { return lanesOut * schedule.pieces * PieceOut(); }
  /// Bytes of one row of the matrix that the lanes of a warp load at once, one after the other.
  int64_t RunBytes() const;
  int64_t BlockOutputs() const { return schedule.warpsOut * WarpOutputs(); }
  /// From one of a thread's pieces to the next along k.
  int64_t StrideK() const { return schedule.warpsK * schedule.lanesK * PieceK(); }
  /// Sums of the warps along k but the first, which adds them to its own.
  int64_t SharedBytes() const { return 4 * (schedule.warpsK - 1) * BlockOutputs(); }
  /// Registers of a thread, chosen so that schedules within the limit do not spill
  /// (tests/bench/spill_table measures it).
  int64_t RegisterEstimate() const;
  /// For time_model.h.
  LoopCost Cost() const;
};

}  // namespace mmtune
