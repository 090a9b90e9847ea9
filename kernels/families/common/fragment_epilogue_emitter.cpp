// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/fragment_epilogue_emitter.h"

#include <algorithm>
#include <utility>

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Rows of C that pass through shared memory at a time: those of an instruction.
constexpr int64_t kRows = 16;

}  // namespace

FragmentEpilogue::FragmentEpilogue(KernelBuilder& builder, const FragmentTile& tile, const ThreadGroup& group,
                                   const FragmentWarp& warp, Value shared)
    : builder(builder),
      tile(tile),
      group(group),
      warp(warp),
      sumType(builder.typeOf(tile.sumType)),
      workers(kWarpThreads * tile.slices) {
  worker = warp.slice ? builder.add(builder.mul(warp.slice, kWarpThreads), warp.lane) : warp.lane;
  warpRows = builder.offsetBytes(shared, builder.mul(warp.number, tile.BytesPerWarp()));
  tileRows = builder.offsetBytes(shared, builder.mul(warp.tile, tile.BytesPerWarp()));
}

void FragmentEpilogue::store(const Values& sums, const ResultWriter& result, const BlockWork& work) {
  this->work = work;
  int64_t perRows = tile.columns / 2;
  for (int64_t i = 0; i < tile.rowsM; ++i) {
    if (i > 0) {
      KernelBuilder::ScopedName at(builder, "wait for the tile's last rows to be read");
      barrierOfTile();
    }
    exchange(llvm::ArrayRef(sums).slice(i * perRows, perRows));
    storeRows(result, tile.rowStep * i);
  }
}

void FragmentEpilogue::barrierOfTile() {
  if (tile.slices == 1)
    builder.warpBarrier();
  else
    group.synchronize(builder);
}

/// Writes the accumulators of 16 rows to shared memory, row by row. The header says which elements a lane has: adjacent
/// columns are written together.
void FragmentEpilogue::exchange(llvm::ArrayRef<Value> sums) {
  int64_t pitch = tile.pitch;
  auto [apart, lower] = tile.isTransposedA ? std::pair(2, 1) : std::pair(1, 8);
  int64_t together = tile.isTransposedB ? 2 : 1;
  Value row = builder.mul(builder.div(warp.lane, 4), apart * pitch);
  Value place = builder.add(row, builder.mul(builder.rem(warp.lane, 4), 2 * together));
  Value first = builder.offset(warpRows, place, sumType);
  KernelBuilder::ScopedName at(builder, "write finished rows to shared memory");
  for (int64_t j = 0; j < tile.columns / 8; j += together)
    for (int64_t half : {0, 1}) {
      Values neighbours;
      for (int64_t i = 0; i < 2 * together; ++i)
        neighbours.push_back(sums[4 * (j + i % together) + 2 * half + i / together]);
      Value vector = builder.concatenate(neighbours);
      builder.store(vector, builder.offset(first, lower * half * pitch + 8 * j, sumType));
    }
  barrierOfTile();
}

FragmentEpilogue::Place FragmentEpilogue::placeOf(const ResultWriter& result, Value row, Value column) {
  Value shared = builder.offset(tileRows, builder.add(builder.mul(row, tile.pitch), column), sumType);
  Value rowOfC = builder.add(builder.add(work.row, warp.row), row);
  Value columnOfC = builder.add(builder.add(work.column, warp.column), column);
  Value firstOfRow = builder.mul(builder.extendToI64(rowOfC), tile.rowStrideC);
  Value element = builder.add(firstOfRow, builder.extendToI64(columnOfC));
  Place place{shared, result.at(element, columnOfC), {}, {}};
  if (tile.mayOverhangRows) place.rowsLeft = builder.sub(work.rows, rowOfC);
  if (tile.mayOverhangColumns) place.columnsLeft = builder.sub(builder.constant(tile.columnsC), columnOfC);
  return place;
}

void FragmentEpilogue::storeRows(const ResultWriter& result, int64_t firstRow) {
  int64_t width = tile.vector, perRow = tile.columns / width, vectors = kRows * perRow;
  auto placeOfVector = [&](Value index) {
    Value row = builder.div(index, perRow);
    return placeOf(result, row, builder.mul(builder.rem(index, perRow), width));
  };
  if (workers % perRow != 0) {
    builder.loop(builder.constant(vectors), workers, {}, [&](Value done, Values) {
      Value index = builder.add(done, worker);
      builder.when(vectors % workers == 0 ? Value() : builder.less(index, vectors),
                   [&] { storeVector(placeOfVector(index), 0, firstRow); });
      return Values();
    });
    return;
  }
  // A lane's vectors lie in one column, a constant distance apart.
  Place place = placeOfVector(worker);
  for (int64_t first = 0; first < vectors; first += workers) {
    int64_t rows = first / perRow;
    builder.when(first + workers <= vectors ? Value() : builder.less(worker, vectors - first),
                 [&] { storeVector(place, rows, firstRow + rows); });
  }
}

Value FragmentEpilogue::loadSum(Value shared, int64_t count) {
  Value sum = builder.load(sumType, shared, count);
  for (int64_t slice = 1; slice < tile.slices; ++slice) {
    Value other = builder.offsetBytes(shared, slice * tile.warpTiles * tile.BytesPerWarp());
    sum = builder.addAccumulators(sum, builder.load(sumType, other, count));
  }
  return sum;
}

void FragmentEpilogue::storeVector(const Place& place, int64_t sharedRows, int64_t rows) {
  Value within;
  if (place.rowsLeft) within = builder.greater(place.rowsLeft, rows);
  if (place.columnsLeft) within = builder.logicalAnd(within, builder.greater(place.columnsLeft, 0));
  builder.when(within, [&] {
    Values sums;
    {
      KernelBuilder::ScopedName at(builder, "read finished rows from shared memory");
      Value shared = builder.offset(place.shared, sharedRows * tile.pitch, sumType);
      int64_t count = std::min(tile.vector, kWidestAccess / DataTypeBytes(tile.sumType));
      for (int64_t i = 0; i < tile.vector; i += count) {
        Value part = loadSum(builder.offset(shared, i, sumType), count);
        for (int64_t j = 0; j < count; ++j) sums.push_back(builder.element(part, j));
      }
    }
    ResultWriter result = place.result.at(rows * tile.rowStrideC, int64_t{0});
    Value vector = builder.concatenate(sums);
    if (tile.isAtomic)
      result.addAtomically(vector);
    else
      result.store(vector);
  });
}

}  // namespace mmtune
