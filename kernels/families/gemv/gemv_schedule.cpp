// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/gemv/gemv_schedule.h"

#include <algorithm>
#include <numeric>

#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

constexpr ScheduleField<GemvSchedule> kFields[] = {
    {"lanes_k", &GemvSchedule::lanesK, 1, 32},     {"pieces", &GemvSchedule::pieces, 1, 64},
    {"warps_out", &GemvSchedule::warpsOut, 1, 32}, {"warps_k", &GemvSchedule::warpsK, 1, 32},
    {"unroll", &GemvSchedule::unroll, 1, 64},      {"split_k", &GemvSchedule::splitK, 1, 1024},
    {"reduction", &GemvSchedule::reduction, 0, 2},
};
static_assert(std::size(kFields) == kGemvParameterCount);

bool IsColumn(const MatmulProblem& problem) { return problem.n == 1 && problem.m != 1; }

/// A matrix of one row or column has its elements along k, whichever way it is stored.
bool RunsAlongK(const MatmulProblem& problem) {
  if (problem.m == 1 && problem.n == 1) return true;
  return IsColumn(problem) ? !problem.transpose_a : problem.transpose_b;
}

/// The neighbours that can be moved at once of `elements` in an operand's only row.
int64_t AlignmentOfOneRow(OperandLayout layout, int64_t elements) {
  layout.rowStride = 0;
  return RowAlignment(layout, elements);
}

BlockGrid GridOf(const MatmulProblem& problem, const GemvTiling& tiling) {
  int64_t bm = tiling.matrixIsA ? tiling.BlockOutputs() : 1, bn = tiling.matrixIsA ? 1 : tiling.BlockOutputs();
  const GemvSchedule& s = tiling.schedule;
  return BlockGrid(problem, bm, bn, s.unroll * tiling.StrideK(), s.splitK, /*groupM=*/1);
}

}  // namespace

std::span<const ScheduleField<GemvSchedule>> GemvSchedule::fields() { return kFields; }

GemvTiling::GemvTiling(const MatmulProblem& problem, const GemvSchedule& s, const ProductLayout& layout)
    : problem(problem),
      schedule(s),
      matrixIsA(IsColumn(problem)),
      outputs(matrixIsA ? problem.m : problem.n),
      rowsAlongK(RunsAlongK(problem)),
      rowElements(rowsAlongK ? problem.k : outputs),
      width(std::gcd(rowElements, kWidestAccess / DataTypeBytes(problem.dtype))),
      lanesOut(32 / s.lanesK),
      threads(32 * s.warpsOut * s.warpsK),
      grid(GridOf(problem, *this)) {
  const OperandLayout& matrix = matrixIsA ? layout.a : layout.b;
  const OperandLayout& vector = matrixIsA ? layout.b : layout.a;
  rowStride = layout.any() ? matrix.rowStride : rowElements;
  loadMatrix = RowAlignment(matrix, width);
  const bool vectorIsRow = matrixIsA ? problem.transpose_b : !problem.transpose_a;
  vectorStride = layout.any() && !vectorIsRow ? vector.rowStride : 1;
  loadVector = vectorStride == 1 ? AlignmentOfOneRow(vector, PieceK()) : 1;

  int64_t bytesC = s.reduction == kWorkspaceReduction ? 4 : DataTypeBytes(problem.TypeOfC());
  storeC = std::min(PieceOut(), kWidestAccess / bytesC);
  strideC = layout.any() && matrixIsA ? layout.c.rowStride : 1;
  storeC = strideC == 1 ? AlignmentOfOneRow(layout.c, storeC) : 1;
  // Rows of C share an element of the bias.
  if (matrixIsA && problem.HasBias()) storeC = 1;
}

int64_t GemvTiling::RunBytes() const {
  return (rowsAlongK ? schedule.lanesK : lanesOut) * width * DataTypeBytes(problem.dtype);
}

int64_t GemvTiling::RegisterEstimate() const {
  const GemvSchedule& s = schedule;
  int64_t words = CeilDiv(width * DataTypeBytes(problem.dtype), 4);
  int64_t sums = s.pieces * PieceOut();
  int64_t loaded = s.pieces * s.unroll * words + s.unroll * (rowsAlongK ? words : 1);
  // A piece of 16-bit elements, and the vector's, as floats.
  int64_t converted = DataTypeBytes(problem.dtype) == 4 ? 0 : 2 * width;
  int64_t addresses = 30 + 2 * s.pieces;
  return sums + loaded + converted + addresses;
}

LoopCost GemvTiling::Cost() const {
  const GemvSchedule& s = schedule;
  constexpr double kLoopInstructions = 20, kWavefrontBytes = 128;
  auto pieces = static_cast<double>(s.pieces * s.unroll);
  LoopCost cost;
  cost.steps = static_cast<double>(grid.tilesPerSplit);
  cost.multiplyAdds = 32 * pieces * static_cast<double>(width);
  // Elements of 16 bits are converted.
  double perElement = DataTypeBytes(problem.dtype) == 4 ? 1 : 2;
  cost.instructions =
      pieces + static_cast<double>(s.unroll) + pieces * static_cast<double>(width) * perElement + kLoopInstructions;
  // A run shorter than a sector loads the whole sector.
  const double sectors = std::max(1.0, static_cast<double>(kSectorBytes) / static_cast<double>(RunBytes()));
  cost.bytes =
      (static_cast<double>(BlockOutputs()) * sectors + 1) * static_cast<double>(grid.bk * DataTypeBytes(problem.dtype));
  cost.wavefronts = cost.bytes / kWavefrontBytes;
  cost.latency = kGlobalLatency;
  return cost;
}

}  // namespace mmtune
