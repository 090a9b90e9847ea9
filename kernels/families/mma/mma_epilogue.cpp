// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_epilogue.h"

#include <algorithm>
#include <utility>

using mlir::Value;

namespace mmtune {
namespace {

/// Rows that pass through shared memory at a time: those of an instruction.
constexpr int64_t kRows = 16;
constexpr int64_t kLanes = 32;

}  // namespace

MmaEpilogue::MmaEpilogue(KernelBuilder& builder, const MmaTiling& tiling, Value shared, Value thread)
    : builder(builder),
      tiling(tiling),
      warp(builder, tiling, thread),
      sumType(builder.typeOf(tiling.problem.AccumulatorType())),
      workers(kLanes * tiling.schedule.sliceK) {
  worker = warp.slice ? builder.add(builder.mul(warp.slice, kLanes), warp.lane) : warp.lane;
  warpRows = builder.offsetBytes(shared, builder.mul(warp.number, tiling.ResultBytesPerWarp()));
  tileRows = builder.offsetBytes(shared, builder.mul(warp.tile, tiling.ResultBytesPerWarp()));
}

void MmaEpilogue::store(const Values& sums, const ResultWriter& result, const BlockWork& work) {
  this->work = work;
  int64_t perRows = 4 * tiling.columnsN;
  for (int64_t i = 0; i < tiling.rowsM; ++i) {
    if (i > 0) {
      KernelBuilder::At at(builder, "wait for the tile's last rows to be read");
      barrierOfTile();
    }
    exchange(llvm::ArrayRef(sums).slice(i * perRows, perRows));
    storeRows(result, kRows * i);
  }
}

void MmaEpilogue::barrierOfTile() {
  if (tiling.schedule.sliceK == 1)
    builder.barrierOfWarp();
  else
    builder.barrier();
}

/// A lane has two neighbours in row lane / 4 and two in the row eight below, for each 8 columns. Where bytes of A were
/// transposed, these are two rows that follow one another. Where those of B were, two neighbours are two columns apart,
/// and those of the next 8 columns lie between and behind them.
void MmaEpilogue::exchange(llvm::ArrayRef<Value> sums) {
  int64_t pitch = tiling.stagePitch;
  auto [apart, lower] = tiling.a.TransposesBytes() ? std::pair(2, 1) : std::pair(1, 8);
  int64_t together = tiling.b.TransposesBytes() ? 2 : 1;
  Value place = builder.add(builder.mul(builder.div(warp.lane, 4), apart * pitch),
                            builder.mul(builder.rem(warp.lane, 4), 2 * together));
  Value first = builder.offset(warpRows, place, sumType);
  KernelBuilder::At at(builder, "write finished rows to shared memory");
  for (int64_t j = 0; j < tiling.columnsN; j += together)
    for (int64_t half : {0, 1}) {
      Values neighbours;
      for (int64_t i = 0; i < 2 * together; ++i)
        neighbours.push_back(sums[4 * (j + i % together) + 2 * half + i / together]);
      builder.store(builder.join(neighbours), builder.offset(first, lower * half * pitch + 8 * j, sumType));
    }
  barrierOfTile();
}

MmaEpilogue::Place MmaEpilogue::placeOf(const ResultWriter& result, Value row, Value column) {
  const MmaTiling& t = tiling;
  Value shared = builder.offset(tileRows, builder.add(builder.mul(row, t.stagePitch), column), sumType);
  Value rowOfC = builder.add(builder.add(work.row, warp.row), row);
  Value columnOfC = builder.add(builder.add(work.column, warp.column), column);
  Value element = builder.add(builder.mul(builder.wide(rowOfC), t.rowStrideC), builder.wide(columnOfC));
  Place place{shared, result.at(element, columnOfC), {}, {}};
  if (t.a.outerRagged) place.rowsLeft = builder.sub(work.rows, rowOfC);
  if (t.b.outerRagged) place.columnsLeft = builder.sub(builder.constant(t.problem.n), columnOfC);
  return place;
}

void MmaEpilogue::storeRows(const ResultWriter& result, int64_t firstRow) {
  int64_t width = tiling.storeC, perRow = tiling.schedule.wn / width, pieces = kRows * perRow;
  auto placeOfPiece = [&](Value index) {
    return placeOf(result, builder.div(index, perRow), builder.mul(builder.rem(index, perRow), width));
  };
  if (workers % perRow != 0) {
    builder.loop(builder.constant(pieces), workers, {}, [&](Value done, Values) {
      Value index = builder.add(done, worker);
      builder.when(pieces % workers == 0 ? Value() : builder.less(index, pieces),
                   [&] { storePiece(placeOfPiece(index), 0, firstRow); });
      return Values();
    });
    return;
  }
  // A lane's pieces lie in one column, constants apart.
  Place place = placeOfPiece(worker);
  for (int64_t first = 0; first < pieces; first += workers) {
    int64_t rows = first / perRow;
    builder.when(first + workers <= pieces ? Value() : builder.less(worker, pieces - first),
                 [&] { storePiece(place, rows, firstRow + rows); });
  }
}

Value MmaEpilogue::loadSum(Value shared, int64_t count) {
  Value sum = builder.load(sumType, shared, count);
  for (int64_t slice = 1; slice < tiling.schedule.sliceK; ++slice) {
    Value other = builder.offsetBytes(shared, slice * tiling.WarpTiles() * tiling.ResultBytesPerWarp());
    sum = builder.addSums(sum, builder.load(sumType, other, count));
  }
  return sum;
}

void MmaEpilogue::storePiece(const Place& place, int64_t sharedRows, int64_t rows) {
  Value within;
  if (place.rowsLeft) within = builder.greater(place.rowsLeft, rows);
  if (place.columnsLeft) within = builder.both(within, builder.greater(place.columnsLeft, 0));
  builder.when(within, [&] {
    Values sums;
    {
      KernelBuilder::At at(builder, "read finished rows from shared memory");
      Value shared = builder.offset(place.shared, sharedRows * tiling.stagePitch, sumType);
      int64_t count = std::min(tiling.storeC, kWidestAccess / tiling.SumBytes());
      for (int64_t i = 0; i < tiling.storeC; i += count) {
        Value part = loadSum(builder.offset(shared, i, sumType), count);
        for (int64_t j = 0; j < count; ++j) sums.push_back(builder.element(part, j));
      }
    }
    ResultWriter result = place.result.at(rows * tiling.rowStrideC, int64_t{0});
    Value piece = builder.join(sums);
    if (tiling.schedule.reduction == kAtomicReduction)
      result.addAtomically(piece);
    else
      result.store(piece);
  });
}

}  // namespace mmtune
