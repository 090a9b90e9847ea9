// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/mma_tile_copy.h"

using mlir::Value;

namespace mmtune {

MmaTileCopy::MmaTileCopy(KernelBuilder& builder, const MmaTiling& tiling, char operand, Value base, Value thread,
                         Value firstOuter, Value firstK)
    : builder(builder),
      operand(operand),
      tile(operand == 'A' ? tiling.a : tiling.b),
      shared(builder, tile, operand == 'A' ? 0 : tiling.a.bytes()),
      pieces(tile.PiecesFor(tiling.threads)),
      base(base),
      thread(thread) {
  row = builder.div(thread, pieces.perRow);
  column = builder.mul(builder.rem(thread, pieces.perRow), pieces.width);
  Value element = builder.div(column, tile.elementBytes);
  kFirst = tile.rowsAreK ? row : element;
  Value outer = builder.add(firstOuter, tile.rowsAreK ? element : row);
  if (tile.outerRagged) outerLeft = builder.sub(builder.constant(tile.outerExtent), outer);
  Value matrixRow = tile.rowsAreK ? builder.add(firstK, row) : outer;
  Value matrixColumn =
      builder.mul(builder.wide(tile.rowsAreK ? outer : builder.add(firstK, element)), tile.elementBytes);
  start =
      builder.offsetBytes(base, builder.add(builder.mul(builder.wide(matrixRow), tile.matrixRowBytes), matrixColumn));
  advance = tiling.schedule.bk * (tile.rowsAreK ? tile.matrixRowBytes : tile.elementBytes);
}

Value MmaTileCopy::live(int64_t piece) {
  int64_t having = pieces.ThreadsWith(piece);
  return having == pieces.threads ? Value() : builder.less(thread, having);
}

Value MmaTileCopy::inRange(int64_t piece, int64_t element, Value k) {
  int64_t column = pieces.ColumnsTo(piece) / tile.elementBytes + element;
  Value within = builder.greater(k, tile.kRagged ? (tile.rowsAreK ? pieces.RowsTo(piece) : column) : 0);
  if (!tile.outerRagged) return within;
  return builder.both(builder.greater(outerLeft, tile.rowsAreK ? column : pieces.RowsTo(piece)), within);
}

Value MmaTileCopy::sharedAddress(int64_t piece, Value stage) {
  return shared.address(stage, row, pieces.RowsTo(piece), column, pieces.ColumnsTo(piece));
}

Value MmaTileCopy::loadElement(Value pointer, int64_t piece, int64_t element, Value k) {
  Value address = builder.offsetBytes(
      pointer, pieces.RowsTo(piece) * tile.matrixRowBytes + pieces.ColumnsTo(piece) + element * tile.elementBytes);
  Value readable = builder.both(live(piece), inRange(piece, element, k));
  // What is out of range is not read: the first element of the matrix is in its place.
  Value value = builder.load(builder.i16(), builder.choose(readable, address, base), 1);
  return tile.kRagged ? builder.choose(readable, value, builder.zero(value.getType())) : value;
}

MmaTileCopy::Values MmaTileCopy::begin(Value pointer, Value remaining, Value stage) {
  Value k = tile.kRagged ? builder.sub(remaining, kFirst) : remaining;
  if (tile.IsAsync()) {
    KernelBuilder::At at(builder,
                         operand == 'A' ? "copy the A tile to shared memory" : "copy the B tile to shared memory");
    for (int64_t i = 0; i < pieces.PerThread(); ++i)
      builder.when(live(i), [&] {
        Value address = builder.offsetBytes(pointer, pieces.RowsTo(i) * tile.matrixRowBytes + pieces.ColumnsTo(i));
        builder.copyAsync(sharedAddress(i, stage), address, tile.PieceBytes(), inRange(i, 0, k));
      });
    return {};
  }
  KernelBuilder::At at(builder, operand == 'A' ? "load the A tile" : "load the B tile");
  Values waiting;
  for (int64_t i = 0; i < pieces.PerThread(); ++i)
    for (int64_t element = 0; element < 2; ++element) waiting.push_back(loadElement(pointer, i, element, k));
  return waiting;
}

void MmaTileCopy::finish(const Values& waiting, Value stage) {
  if (tile.IsAsync()) return;
  KernelBuilder::At at(builder,
                       operand == 'A' ? "store the A tile to shared memory" : "store the B tile to shared memory");
  for (int64_t i = 0; i < pieces.PerThread(); ++i)
    builder.when(live(i),
                 [&] { builder.store(builder.join({waiting[2 * i], waiting[2 * i + 1]}), sharedAddress(i, stage)); });
}

}  // namespace mmtune
