// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma_schedule.h"

#include <algorithm>
#include <numeric>

namespace mmtune {
namespace {

constexpr ScheduleField<MmaSchedule> kFields[] = {
    {"bm", &MmaSchedule::bm, 16, 256},
    {"bn", &MmaSchedule::bn, 8, 256},
    {"wm", &MmaSchedule::wm, 16, 128},
    {"wn", &MmaSchedule::wn, 8, 128},
    {"slice_k", &MmaSchedule::sliceK, 1, 4, /*absent=*/1},
    {"bk", &MmaSchedule::bk, 8, 256},
    {"split_k", &MmaSchedule::splitK, 1, 1024},
    {"stream_k", &MmaSchedule::streamK, 1, 1 << 16, /*absent=*/1},
    {"reduction", &MmaSchedule::reduction, 0, 3},
    {"stages", &MmaSchedule::stages, 1, 8},
    {"prefetch", &MmaSchedule::prefetch, 0, 1},
    {"min_blocks", &MmaSchedule::minBlocks, 1, 32},
    {"group_m", &MmaSchedule::groupM, 1, 1024},
};

/// Bytes after which shared memory's banks repeat.
constexpr int64_t kBankBytes = 128;
/// Bytes of an instruction's k for one row of A or column of B, whatever the type of its planes.
constexpr int64_t kFragmentBytes = 32;
}  // namespace

std::span<const ScheduleField<MmaSchedule>> MmaSchedule::fields() { return kFields; }

MmaOperandTile::MmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t matrixOuter, int64_t matrixK,
                               int64_t elementBytes)
    : rowsAreK(rowsAreK), elementBytes(elementBytes), outerExtent(matrixOuter), kExtent(matrixK) {
  rows = rowsAreK ? bk : outer;
  rowBytes = elementBytes * (rowsAreK ? outer : bk);
  matrixRowBytes = elementBytes * (rowsAreK ? matrixOuter : matrixK);
  outerRagged = matrixOuter % outer != 0;
  kRagged = matrixK % bk != 0;
  copyBytes = std::gcd(matrixRowBytes, kWidestAccess);
  // ldmatrix reads 16 bytes of each of eight rows at once. It transposes 16-bit elements only: a warp reads others from
  // rows of k one by one, eight neighbours (32 bytes) of each of four rows.
  unit = rowsAreK && elementBytes == 4 ? 32 : 16;
  int64_t unitsPerRow = std::max<int64_t>(1, rowBytes / unit);
  turns = std::gcd(unitsPerRow, kBankBytes / unit);
  rowsPerTurn = kBankBytes / unit / turns;
}

MmaTiling::MmaTiling(const MatmulProblem& problem, const MmaSchedule& s)
    : problem(problem),
      schedule(s),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      planes(PlanesOf(problem)),
      a(problem.transpose_a, s.bm, s.bk, problem.m, problem.k, DataTypeBytes(problem.dtype)),
      b(!problem.transpose_b, s.bn, s.bk, problem.n, problem.k, DataTypeBytes(problem.dtype)) {
  grid.streamK = s.streamK;
  grid.leastShare = std::max(BlockGrid::kLeastShare, s.stages);
  grid.slices = s.sliceK;
  warpsM = s.bm / s.wm;
  warpsN = s.bn / s.wn;
  threads = 32 * std::max<int64_t>(1, WarpTiles() * s.sliceK);
  loadK = kFragmentBytes / DataTypeBytes(problem.dtype);
  fragmentK = kFragmentBytes / DataTypeBytes(planes.type);
  stepsK = s.bk / (fragmentK * s.sliceK);
  rowsM = s.wm / 16;
  columnsN = s.wn / 8;
  int64_t bytesC = s.reduction == kWorkspaceReduction ? 4 : DataTypeBytes(problem.TypeOfC());
  storeC = std::gcd(std::gcd(problem.n, s.wn), kWidestAccess / bytesC);
  // Lanes add one float after another, so that a warp's additions are neighbours.
  if (s.reduction == kAtomicReduction) storeC = 1;
  // A warp writes two floats a lane, four rows of eight floats at once: an odd multiple of eight apart.
  stagePitch = s.wn % 16 == 8 ? s.wn : s.wn + 8;
}

int64_t MmaTiling::SharedBytes() const {
  return std::max(schedule.stages * StageBytes(), WarpTiles() * schedule.sliceK * ResultBytesPerWarp());
}

int64_t MmaTiling::RegisterEstimate() const {
  int64_t accumulators = 4 * rowsM * columnsN, fragments = WordsA() + WordsB();
  // Of many copies, addresses and conditions, of narrow ones more; of those through registers, elements in one of their
  // own, too. Of more than some of these, ptxas computes all addresses beforehand.
  constexpr int64_t kFew = 16;
  int64_t waiting = 0, throughRegisters = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    int64_t pieces = tile->PiecesFor(threads).PerThread();
    if (!tile->IsAsync())
      throughRegisters += pieces;
    else
      waiting += tile->copyBytes < kWidestAccess ? pieces * 5 / 4 : pieces / 5;
  }
  waiting += 4 * throughRegisters + 12 * std::max<int64_t>(0, throughRegisters - kFew);
  if (planes.AreSplit()) {
    // ptxas splits ahead, and lets the products of neighbouring rows run at once, whose sums are then promoted.
    int64_t promoted = accumulators, words = planes.count * fragments / LoadsPerStep(), others = 64;
    return accumulators + promoted + fragments + words + 2 * waiting + others;
  }
  // The loop over tiles, and what the sums of other blocks are loaded to.
  int64_t sharing = schedule.reduction == kOrderedReduction ? 16 : 0;
  int64_t addresses = 36 + sharing;
  return accumulators + fragments * (schedule.prefetch ? 2 : 1) + waiting + addresses;
}

}  // namespace mmtune
