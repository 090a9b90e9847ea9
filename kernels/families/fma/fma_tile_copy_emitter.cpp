// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_tile_copy_emitter.h"

#include "kernels/families/common/family_base.h"

using mlir::Value;

namespace mmtune {

Value firstOfTile(KernelBuilder& builder, const FmaOperandTile& tile, Value first) {
  return tile.Overlaps() ? builder.min(first, builder.constant(tile.outerExtent - tile.outer)) : first;
}

FmaTileCopy::FmaTileCopy(KernelBuilder& builder, const FmaTiling& tiling, char operand, Value base, Value shared,
                         Value thread, const OuterRange& range, Value firstK)
    : builder(builder),
      operand(operand),
      tile(operand == 'A' ? tiling.a : tiling.b),
      chunks(tile.ChunksFor(tiling.threads)),
      base(base),
      shared(shared),
      thread(thread) {
  auto [row, column] = firstChunk();
  Value sharedRow = tile.transposes() ? column : row, sharedColumn = tile.transposes() ? row : column;
  sharedFirst = builder.add(builder.add(builder.mul(sharedRow, tile.stride), sharedColumn),
                            operand == 'A' ? 0 : tiling.a.elements);
  kFirst = tile.rowsAreK ? row : column;
  Value outer = builder.add(firstOfTile(builder, tile, range.first), tile.rowsAreK ? column : row);
  if (tile.ExceedsMatrix()) outerLeft = builder.sub(range.extent, outer);
  Value matrixRow = tile.rowsAreK ? builder.add(firstK, row) : outer;
  Value matrixColumn = tile.rowsAreK ? outer : builder.add(firstK, column);
  Value firstOfRow = builder.mul(builder.extendToI64(matrixRow), tile.matrixStride);
  start = builder.offset(base, builder.add(firstOfRow, builder.extendToI64(matrixColumn)));
}

std::pair<Value, Value> FmaTileCopy::firstChunk() {
  // See TileChunks::RowOf() and ColumnOf().
  Value row = builder.div(thread, chunks.panel), column = builder.rem(thread, chunks.panel);
  if (chunks.threads > chunks.rows * chunks.panel) {
    column = builder.add(builder.mul(builder.div(row, chunks.rows), chunks.panel), column);
    row = builder.rem(row, chunks.rows);
  }
  return {rowOf(row), builder.mul(column, chunks.width)};
}

Value FmaTileCopy::rowOf(Value number) {
  const RowOrder& order = chunks.order;
  if (order.IsPlain()) return number;
  // See RowOrder::RowOf().
  Value index = builder.rem(builder.div(number, order.run), order.together * order.apart);
  Value together = builder.div(index, order.together);
  Value run = builder.add(together, builder.mul(builder.rem(index, order.together), order.apart));
  Value before = builder.mul(builder.div(number, order.period()), order.period());
  Value firstOfRun = builder.add(before, builder.mul(run, order.run));
  return builder.add(firstOfRun, builder.rem(number, order.run));
}

Value FmaTileCopy::next(const Tile& at, Value count) {
  if (tile.rowsAreK) return builder.offset(at.pointer, builder.mul(builder.extendToI64(count), tile.matrixStride));
  return builder.offset(at.pointer, builder.extendToI64(count));
}

int64_t FmaTileCopy::globalOffset(int64_t chunk) const {
  return chunks.RowsTo(chunk) * tile.matrixStride + chunks.ColumnsTo(chunk);
}

int64_t FmaTileCopy::sharedOffset(int64_t chunk) const {
  int64_t row = chunks.RowsTo(chunk), column = chunks.ColumnsTo(chunk);
  return tile.transposes() ? column * tile.stride + row : row * tile.stride + column;
}

Value FmaTileCopy::ownsChunk(int64_t chunk) {
  int64_t having = chunks.ThreadsWith(chunk);
  return having == chunks.threads ? Value() : builder.less(thread, having);
}

Value FmaTileCopy::outerWithin(const Tile& at) {
  // One select for all chunks: a conjunction for each chunk becomes nested selects in LLVM.
  if (!tile.ExceedsMatrix()) return Value();
  Value hasTile = builder.greater(at.remaining, 0);
  return builder.select(hasTile, outerLeft, builder.constant(0));
}

Value FmaTileCopy::inRange(int64_t chunk, const Tile& at, Value outerLeft) {
  int64_t outerOf = tile.rowsAreK ? chunks.ColumnsTo(chunk) : chunks.RowsTo(chunk);
  int64_t kOf = tile.rowsAreK ? chunks.RowsTo(chunk) : chunks.ColumnsTo(chunk);
  Value within = tile.ExceedsMatrix() ? builder.greater(outerLeft, outerOf) : builder.greater(at.remaining, 0);
  if (!at.count) return within;
  Value withinK = builder.greater(builder.sub(at.count, kFirst), kOf);
  return tile.ExceedsMatrix() ? builder.logicalAnd(within, withinK) : withinK;
}

Value FmaTileCopy::sharedAddress(int64_t chunk, Value stage) {
  return builder.offset(builder.offset(shared, builder.add(stage, sharedFirst)), sharedOffset(chunk));
}

void FmaTileCopy::copyAsync(const Tile& from, Value stage) {
  KernelBuilder::ScopedName at(
      builder, operand == 'A' ? "copy the A tile to shared memory" : "copy the B tile to shared memory");
  Value outer = outerWithin(from);
  for (int64_t i = 0; i < chunks.PerThread(); ++i)
    builder.when(ownsChunk(i), [&] {
      Value target = sharedAddress(i, stage), source = builder.offset(from.pointer, globalOffset(i));
      builder.copyAsync(target, source, 4 * tile.copyWidth, inRange(i, from, outer));
    });
}

FmaTileCopy::Values FmaTileCopy::load(const Tile& from) {
  KernelBuilder::ScopedName at(builder, operand == 'A' ? "load the A tile" : "load the B tile");
  Values values;
  Value outer = outerWithin(from);
  for (int64_t i = 0; i < chunks.PerThread(); ++i) {
    Value address = builder.offset(from.pointer, globalOffset(i));
    Value owned = ownsChunk(i);
    Value readable = builder.logicalAnd(owned, inRange(i, from, outer));
    // A chunk out of range is replaced by the first one of the matrix.
    Value value = builder.load(builder.select(readable, address, base), tile.copyWidth);
    if (from.count) value = builder.select(readable, value, builder.zero(value.getType()));
    values.push_back(value);
  }
  return values;
}

void FmaTileCopy::store(const Values& values, Value stage) {
  KernelBuilder::ScopedName at(
      builder, operand == 'A' ? "store the A tile to shared memory" : "store the B tile to shared memory");
  for (int64_t i = 0; i < chunks.PerThread(); ++i)
    builder.when(ownsChunk(i), [&] {
      Value address = sharedAddress(i, stage);
      if (!tile.transposes()) return builder.store(values[i], address);
      for (int64_t e = 0; e < tile.copyWidth; ++e) {
        Value element = builder.element(values[i], e);
        builder.store(element, builder.offset(address, e * tile.stride));
      }
    });
}

}  // namespace mmtune
