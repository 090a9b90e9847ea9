// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_schedule.h"

#include <algorithm>

namespace mmtune {
namespace {

/// Of shared memory, each a float wide (kernels/perf_model/warp_request.h).
constexpr int64_t kBanks = 32;

constexpr ScheduleField<FmaSchedule> kFields[] = {
    {"bm", &FmaSchedule::bm, 1, 1024},
    {"bn", &FmaSchedule::bn, 1, 1024},
    {"tm", &FmaSchedule::tm, 1, 64},
    {"tn", &FmaSchedule::tn, 1, 64},
    {"lm", &FmaSchedule::lm, 1, 32},
    {"slice_k", &FmaSchedule::sliceK, 1, 4},
    {"bk", &FmaSchedule::bk, 4, 256},
    {"split_k", &FmaSchedule::splitK, 1, 1024},
    {"stream_k", &FmaSchedule::streamK, 1, FmaSchedule::kMostStreamK},
    {"reduction", &FmaSchedule::reduction, 0, 3},
    {"kmajor_a", &FmaSchedule::kmajorA, 0, 1},
    {"pad_a", &FmaSchedule::padA, 0, 64},
    {"pad_b", &FmaSchedule::padB, 0, 64},
    {"async", &FmaSchedule::async, 0, 1},
    {"stages", &FmaSchedule::stages, 1, 8},
    {"unroll_k", &FmaSchedule::unrollK, 4, 256},
    {"fragments", &FmaSchedule::fragments, 1, 2},
    {"min_blocks", &FmaSchedule::minBlocks, 1, 32},
    {"group_m", &FmaSchedule::groupM, 1, 1024},
    {"order", &FmaSchedule::order, kFmaRowByRow, kFmaSerpentine},
};
static_assert(std::size(kFields) == kFmaParameterCount);

}  // namespace

std::span<const ScheduleField<FmaSchedule>> FmaSchedule::fields() { return kFields; }

FmaOperandTile::FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter,
                               int64_t matrixK, const FmaSchedule& s, const OperandLayout& layout)
    : rowsAreK(rowsAreK), kMajor(kMajor), outer(outer), outerExtent(matrixOuter) {
  rows = rowsAreK ? s.bk : outer;
  columns = rowsAreK ? outer : s.bk;
  const int64_t matrixRow = rowsAreK ? matrixOuter : matrixK;
  matrixStride = layout.rowStride != 0 ? layout.rowStride : matrixRow;
  stride = (kMajor ? outer : s.bk) + pad;
  elements = RoundUp((kMajor ? s.bk : outer) * stride, 4);
  // cp.async moves whole pieces, so it cannot transpose more than one float at a time.
  copyWidth = transposes() && s.async ? 1 : VectorWidth(RowAlignment(layout, matrixRow), columns);
  // A warp transposes panels of four rows for each float of a piece. Of fewer rows it would take several panels at
  // once, and these share banks.
  while (transposes() && copyWidth > 1 && rows < 4 * copyWidth) copyWidth /= 2;
}

TilePieces FmaOperandTile::PiecesFor(int64_t threads) const {
  TilePieces pieces{rows, columns / copyWidth, copyWidth, threads};
  if (transposes() && columns % kPanelFloats == 0) {
    TilePieces panels = pieces;
    panels.panel = kPanelFloats / copyWidth;
    if (panels.AreAConstantApart()) pieces = panels;
  }
  TilePieces ordered = pieces;
  ordered.order = OrderFor(pieces.panel);
  return ordered.AreAConstantApart() ? ordered : pieces;
}

RowOrder FmaOperandTile::OrderFor(int64_t panel) const {
  // All modulo the banks: with a stride of an odd number of `step` banks, the i-th of every so many rows or columns
  // begins at an odd multiple of i * step, which takes each multiple once before one returns.
  int64_t step = stride & -stride;
  if (!transposes()) {
    // Rows of a power of two of banks fill them all if they begin at its multiples: every columns / step rows.
    if (kBanks % columns != 0 || columns < step) return {};
    return {1, kBanks / columns, columns / step};
  }
  // A piece of each column of the panel at a time: they begin at multiples of `run`, and as many rows fill the banks
  // from one to the next. What the columns leave of the banks are those that further columns would begin at: the same
  // as of rows that are `panel` runs apart.
  int64_t run = step * copyWidth;
  if (run > kBanks || kBanks % (run * panel) != 0) return {};
  return {run, kBanks / (run * panel), panel};
}

FmaTiling::FmaTiling(const MatmulProblem& problem, const FmaSchedule& s, RunTimeSizes sizes,
                     const ProductLayout& layout)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      a(problem.transpose_a, s.kmajorA != 0, s.bm, s.padA, problem.m, problem.k, s, layout.a),
      b(!problem.transpose_b, true, s.bn, s.padB, problem.n, problem.k, s, layout.b) {
  a.atRunTime = sizes.rows;
  grid.streamK = s.streamK;
  grid.leastShare = std::max(BlockGrid::kLeastShare, s.stages);
  ln = 32 / s.lm;
  warpM = s.lm * s.tm;
  warpN = ln * s.tn;
  warpsM = s.bm / warpM;
  warpsN = s.bn / warpN;
  threads = s.sliceK * std::max<int64_t>(1, s.bm / s.tm * (s.bn / s.tn));
  fragmentM = VectorWidth(s.tm);
  fragmentN = VectorWidth(s.tn);
  rowStrideC = layout.any() ? layout.c.rowStride : problem.n;
  storeC = VectorWidth(RowAlignment(layout.c, problem.n), fragmentN);
}

int64_t FmaTiling::RegisterEstimate() const {
  const FmaSchedule& s = schedule;
  int64_t accumulators = s.tm * s.tn;
  // A tile [m][k] is read four k values at a time.
  int64_t fragments = s.fragments * ((s.kmajorA ? s.tm : 4 * s.tm) + s.tn);
  // What waits in registers is also moved about while it waits.
  int64_t staged =
      s.async ? 0 : a.PiecesFor(threads).PerThread() * a.copyWidth + b.PiecesFor(threads).PerThread() * b.copyWidth;
  int64_t staging = staged + staged / 4;
  int64_t addresses = 22;
  if (!s.async) addresses += a.transposes() ? 10 : 4;  // Transposing stores keep more addresses alive.
  if (s.unrollK != KOfSlice()) addresses += 2;         // The inner loop carries its own.
  // Where the block's part ends, and what the sums of other blocks are loaded to.
  if (s.reduction == kOrderedReduction) addresses += 16;
  return accumulators + fragments + staging + addresses;
}

}  // namespace mmtune
