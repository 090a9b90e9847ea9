// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/fma_tile_copy.h"

#include "kernels/families/space_family.h"

using mlir::Value;

namespace mmtune {

FmaTileCopy::Shape FmaTileCopy::shapeOfA(const FmaTiling& tiling) {
  const FmaSchedule& s = tiling.schedule;
  Shape shape;
  shape.operand = 'A';
  shape.rows = s.bm;
  shape.columns = s.bk;
  shape.chunkWidth = tiling.copyA;
  shape.matrixStride = tiling.problem.k;
  shape.rowsAreK = false;
  shape.outerExtent = tiling.problem.m;
  shape.outerRagged = tiling.problem.m % s.bm != 0;
  shape.kRagged = tiling.problem.k % s.bk != 0;
  shape.sharedRowStride = s.kmajorA ? 1 : tiling.strideA;
  shape.sharedColumnStride = s.kmajorA ? tiling.strideA : 1;
  shape.sharedBase = 0;
  return shape;
}

FmaTileCopy::Shape FmaTileCopy::shapeOfB(const FmaTiling& tiling) {
  const FmaSchedule& s = tiling.schedule;
  bool transposed = tiling.problem.transpose_b;
  Shape shape;
  shape.operand = 'B';
  shape.rows = tiling.rowsB;
  shape.columns = tiling.columnsB;
  shape.chunkWidth = tiling.copyB;
  shape.matrixStride = transposed ? tiling.problem.k : tiling.problem.n;
  shape.rowsAreK = !transposed;
  shape.outerExtent = tiling.problem.n;
  shape.outerRagged = tiling.problem.n % s.bn != 0;
  shape.kRagged = tiling.problem.k % s.bk != 0;
  // The tile in shared memory is [k][n] whatever the matrix is.
  shape.sharedRowStride = transposed ? 1 : tiling.strideB;
  shape.sharedColumnStride = transposed ? tiling.strideB : 1;
  shape.sharedBase = tiling.elementsA;
  return shape;
}

FmaTileCopy::FmaTileCopy(KernelBuilder& builder, const FmaTiling& tiling, char operand, Value base, Value shared,
                         Value thread, Value firstOuter, Value firstK)
    : builder(builder),
      shape(operand == 'A' ? shapeOfA(tiling) : shapeOfB(tiling)),
      threads(tiling.threads),
      base(base),
      shared(shared),
      thread(thread) {
  int64_t perRow = shape.columns / shape.chunkWidth;
  Value row = builder.div(thread, perRow);
  Value column = builder.mul(builder.rem(thread, perRow), shape.chunkWidth);
  sharedFirst =
      builder.add(builder.add(builder.mul(row, shape.sharedRowStride), builder.mul(column, shape.sharedColumnStride)),
                  shape.sharedBase);
  kFirst = shape.rowsAreK ? row : column;
  Value outer = builder.add(firstOuter, shape.rowsAreK ? column : row);
  if (shape.outerRagged) outerLeft = builder.sub(builder.constant(shape.outerExtent), outer);
  Value matrixRow = shape.rowsAreK ? builder.add(firstK, row) : outer;
  Value matrixColumn = shape.rowsAreK ? outer : builder.add(firstK, column);
  start = builder.offset(
      base, builder.add(builder.mul(builder.wide(matrixRow), shape.matrixStride), builder.wide(matrixColumn)));
  advance = tiling.schedule.bk * (shape.rowsAreK ? shape.matrixStride : 1);
}

int64_t FmaTileCopy::chunks() const { return ceilDiv(shape.rows * (shape.columns / shape.chunkWidth), threads); }

int64_t FmaTileCopy::rowOf(int64_t chunk) const { return chunk * threads / (shape.columns / shape.chunkWidth); }

int64_t FmaTileCopy::columnOf(int64_t chunk) const {
  return chunk * threads % (shape.columns / shape.chunkWidth) * shape.chunkWidth;
}

int64_t FmaTileCopy::globalOffset(int64_t chunk) const { return rowOf(chunk) * shape.matrixStride + columnOf(chunk); }

int64_t FmaTileCopy::sharedOffset(int64_t chunk) const {
  return rowOf(chunk) * shape.sharedRowStride + columnOf(chunk) * shape.sharedColumnStride;
}

Value FmaTileCopy::live(int64_t chunk) {
  int64_t left = shape.rows * (shape.columns / shape.chunkWidth) - chunk * threads;
  return left >= threads ? Value() : builder.less(thread, left);
}

Value FmaTileCopy::inRange(int64_t chunk, Value remaining) {
  int64_t outerOf = shape.rowsAreK ? columnOf(chunk) : rowOf(chunk);
  int64_t kOf = shape.rowsAreK ? rowOf(chunk) : columnOf(chunk);
  Value within = shape.kRagged ? builder.greater(builder.sub(remaining, kFirst), kOf) : builder.greater(remaining, 0);
  return shape.outerRagged ? builder.both(builder.greater(outerLeft, outerOf), within) : within;
}

Value FmaTileCopy::sharedAddress(int64_t chunk, Value stage) {
  return builder.offset(builder.offset(shared, builder.add(stage, sharedFirst)), sharedOffset(chunk));
}

void FmaTileCopy::copyAsync(Value pointer, Value remaining, Value stage) {
  KernelBuilder::At at(builder,
                       shape.operand == 'A' ? "copy the A tile to shared memory" : "copy the B tile to shared memory");
  for (int64_t i = 0; i < chunks(); ++i)
    builder.when(live(i), [&] {
      builder.copyAsync(sharedAddress(i, stage), builder.offset(pointer, globalOffset(i)), 4 * shape.chunkWidth,
                        inRange(i, remaining));
    });
}

FmaTileCopy::Values FmaTileCopy::load(Value pointer, Value remaining) {
  KernelBuilder::At at(builder, shape.operand == 'A' ? "load the A tile" : "load the B tile");
  Values values;
  for (int64_t i = 0; i < chunks(); ++i) {
    Value address = builder.offset(pointer, globalOffset(i));
    Value readable = builder.both(live(i), inRange(i, remaining));
    // Where a chunk is out of range, the first one of the matrix is read in its place.
    Value value = builder.load(builder.choose(readable, address, base), shape.chunkWidth);
    if (shape.kRagged) value = builder.choose(readable, value, builder.zero(value.getType()));
    values.push_back(value);
  }
  return values;
}

void FmaTileCopy::store(const Values& values, Value stage) {
  KernelBuilder::At at(
      builder, shape.operand == 'A' ? "store the A tile to shared memory" : "store the B tile to shared memory");
  for (int64_t i = 0; i < chunks(); ++i)
    builder.when(live(i), [&] {
      Value address = sharedAddress(i, stage);
      if (shape.sharedColumnStride == 1) return builder.store(values[i], address);
      for (int64_t e = 0; e < shape.chunkWidth; ++e)
        builder.store(builder.element(values[i], e), builder.offset(address, e * shape.sharedColumnStride));
    });
}

}  // namespace mmtune
