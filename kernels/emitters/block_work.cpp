// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/block_work.h"

using mlir::Value;

namespace mmtune {
namespace {

void assignSplit(KernelBuilder& builder, const BlockGrid& grid, int64_t k, BlockWork& work) {
  work.firstK = builder.constant(0);
  work.remainingK = builder.constant(k);
  work.tilesK = builder.constant(grid.kTiles);
  if (grid.splitK == 1) return;
  int64_t perSplit = grid.tilesPerSplit * grid.bk;
  work.split = builder.blockZ();
  work.firstK = builder.mul(work.split, perSplit);
  work.remainingK = builder.min(builder.sub(work.remainingK, work.firstK), builder.constant(perSplit));
  work.tilesK = builder.div(builder.add(work.remainingK, grid.bk - 1), grid.bk);
}

}  // namespace

Value BlockWork::matrixOf(KernelBuilder& builder, Value base, int64_t elements, mlir::Type type) const {
  if (!matrix) return base;
  return builder.offset(base, builder.mul(builder.wide(matrix), elements), type);
}

BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k) {
  BlockWork work;
  Value block = builder.blockX(), tileM, tileN;
  if (grid.batch != 1) {
    work.matrix = builder.div(block, grid.BlocksPerMatrix());
    block = builder.rem(block, grid.BlocksPerMatrix());
  }
  if (grid.groupM == 1) {
    tileM = builder.div(block, grid.gridN);
    tileN = builder.rem(block, grid.gridN);
  } else {
    // Groups of group_m rows of blocks, walked column by column; the last group may be lower.
    int64_t perGroup = grid.groupM * grid.gridN;
    Value first = builder.mul(builder.div(block, perGroup), grid.groupM);
    Value height = builder.constant(grid.groupM);
    if (grid.gridM % grid.groupM != 0) height = builder.min(builder.sub(builder.constant(grid.gridM), first), height);
    Value within = builder.rem(block, perGroup);
    tileM = builder.add(first, builder.rem(within, height));
    tileN = builder.div(within, height);
  }
  work.row = builder.mul(tileM, grid.bm);
  work.column = builder.mul(tileN, grid.bn);
  assignSplit(builder, grid, k, work);
  return work;
}

}  // namespace mmtune
