// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_tile_copy_emitter.h"

#include <algorithm>

using mlir::Value;

namespace mmtune {
namespace {

/// Bytes within which the permutation moves bytes.
constexpr int64_t kSpan = 128;

/// Emits MmaOperandTile::KOfRow().
Value kOfRow(KernelBuilder& builder, const MmaOperandTile& tile, Value row) {
  if (!tile.TransposesBytes()) return row;
  auto bits = [&](int64_t above, int64_t below) { return builder.rem(builder.div(row, above), below); };
  Value group = builder.mul(builder.div(row, 16), 16), pair = builder.mul(bits(2, 4), 4);
  Value second = builder.mul(bits(8, 2), 2);
  Value firstOfPair = builder.add(group, pair);
  return builder.add(firstOfPair, builder.add(second, bits(1, 2)));
}

}  // namespace
Value MmaSharedTile::address(Value stage, Value row, int64_t moreRows, Value column, int64_t moreColumns) const {
  int64_t apart = first + moreColumns / kSpan * kSpan;
  Value byte = builder.add(column, moreColumns % kSpan);
  if (moreRows % tile.period() == 0)
    apart += moreRows * tile.rowBytes;
  else
    row = builder.add(row, moreRows);
  if (tile.permutations > 1) {
    Value permutation = builder.rem(builder.div(row, tile.rowsPerPermutation), tile.permutations);
    byte = builder.exclusiveOr(byte, builder.mul(permutation, tile.unit));
  }
  Value within = builder.add(builder.mul(row, tile.rowBytes), byte);
  return builder.offsetBytes(builder.offsetBytes(stage, within), apart);
}

MmaTileCopy::MmaTileCopy(KernelBuilder& builder, const MmaTiling& tiling, char operand, Value base, Value thread,
                         const OuterRange& range, Value firstK)
    : builder(builder),
      operand(operand),
      tile(operand == 'A' ? tiling.a : tiling.b),
      shared(builder, tile, operand == 'A' ? 0 : tiling.a.bytes()),
      chunks(tile.ChunksFor(tiling.threads)),
      base(base),
      thread(thread) {
  row = builder.div(thread, chunks.perRow);
  column = builder.mul(builder.rem(thread, chunks.perRow), chunks.width);
  Value element = builder.div(column, tile.elementBytes);
  kFirst = tile.rowsAreK ? kOfRow(builder, tile, row) : element;
  Value outer = builder.add(range.first, tile.rowsAreK ? element : row);
  if (tile.outerRagged) outerLeft = builder.sub(range.extent, outer);
  Value matrixRow = tile.rowsAreK ? builder.add(firstK, kFirst) : outer;
  Value matrixColumn =
      builder.mul(builder.extendToI64(tile.rowsAreK ? outer : builder.add(firstK, element)), tile.elementBytes);
  start = builder.offsetBytes(
      base, builder.add(builder.mul(builder.extendToI64(matrixRow), tile.matrixRowBytes), matrixColumn));
  advance = tiling.schedule.bk * (tile.rowsAreK ? tile.matrixRowBytes : tile.elementBytes);
}

Value MmaTileCopy::ownsChunk(int64_t chunk) {
  int64_t having = chunks.ThreadsWith(chunk);
  return having == chunks.threads ? Value() : builder.less(thread, having);
}

Value MmaTileCopy::inRange(int64_t chunk, int64_t element, Value k) {
  int64_t column = chunks.ColumnsTo(chunk) / tile.elementBytes + element;
  Value within = builder.greater(k, tile.kRagged ? (tile.rowsAreK ? MatrixRowsTo(chunk) : column) : 0);
  if (!tile.outerRagged) return within;
  return builder.logicalAnd(builder.greater(outerLeft, tile.rowsAreK ? column : chunks.RowsTo(chunk)), within);
}

int64_t MmaTileCopy::MatrixRowsTo(int64_t chunk) const { return tile.KOfRow(chunks.RowsTo(chunk)); }

Value MmaTileCopy::sharedAddress(int64_t chunk, Value stage) {
  return shared.address(stage, row, chunks.RowsTo(chunk), column, chunks.ColumnsTo(chunk));
}

Value MmaTileCopy::readPart(Value pointer, int64_t chunk, int64_t read, Value k) {
  int64_t bytes = tile.copyBytes;
  Value address =
      builder.offsetBytes(pointer, MatrixRowsTo(chunk) * tile.matrixRowBytes + chunks.ColumnsTo(chunk) + read * bytes);
  Value owned = ownsChunk(chunk);
  Value readable = builder.logicalAnd(owned, inRange(chunk, read * bytes / tile.elementBytes, k));
  // Elements out of range are not read: the first element of the matrix is read in their place.
  mlir::Type type = bytes == 1 ? builder.i8() : bytes == 2 ? builder.i16() : builder.i32();
  Value value = builder.load(type, builder.select(readable, address, base), std::max<int64_t>(1, bytes / 4));
  return tile.kRagged ? builder.select(readable, value, builder.zero(value.getType())) : value;
}

MmaTileCopy::Values MmaTileCopy::begin(Value pointer, Value remaining, Value stage) {
  Value k = tile.kRagged ? builder.sub(remaining, kFirst) : remaining;
  if (tile.IsAsync()) {
    KernelBuilder::ScopedName at(
        builder, operand == 'A' ? "copy the A tile to shared memory" : "copy the B tile to shared memory");
    for (int64_t i = 0; i < chunks.PerThread(); ++i)
      builder.when(ownsChunk(i), [&] {
        Value address = builder.offsetBytes(pointer, MatrixRowsTo(i) * tile.matrixRowBytes + chunks.ColumnsTo(i));
        Value target = sharedAddress(i, stage);
        builder.copyAsync(target, address, tile.ChunkBytes(), inRange(i, 0, k));
      });
    return {};
  }
  KernelBuilder::ScopedName at(builder, operand == 'A' ? "load the A tile" : "load the B tile");
  Values waiting;
  for (int64_t i = 0; i < chunks.PerThread(); ++i)
    for (int64_t read = 0; read < tile.ReadsPerChunk(); ++read) waiting.push_back(readPart(pointer, i, read, k));
  return waiting;
}

void MmaTileCopy::finish(const Values& waiting, Value stage) {
  if (tile.IsAsync()) return;
  KernelBuilder::ScopedName at(
      builder, operand == 'A' ? "store the A tile to shared memory" : "store the B tile to shared memory");
  llvm::ArrayRef<Value> rest(waiting);
  for (int64_t i = 0; i < chunks.PerThread(); ++i, rest = rest.drop_front(tile.ReadsPerChunk()))
    builder.when(ownsChunk(i), [&] {
      Value chunk = builder.concatenate(Values(rest.take_front(tile.ReadsPerChunk())));
      builder.store(chunk, sharedAddress(i, stage));
    });
}

}  // namespace mmtune
