// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/mma_compute.h"

using mlir::Value;

namespace mmtune {
namespace {

/// Bytes of a row of a tile that ldmatrix reads.
constexpr int64_t kChunk = 16;

}  // namespace

MmaCompute::MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread)
    : builder(builder),
      tiling(tiling),
      tileA(builder, tiling.a, 0),
      tileB(builder, tiling.b, tiling.a.bytes()),
      lane(builder.rem(thread, 32)) {
  Value warp = builder.div(thread, 32);
  firstRow = builder.mul(builder.div(warp, tiling.warpsN), tiling.schedule.wm);
  firstColumn = builder.mul(builder.rem(warp, tiling.warpsN), tiling.schedule.wn);
}

MmaCompute::Values MmaCompute::accumulators() {
  return Values(4 * tiling.rowsM * tiling.columnsN, builder.zero(builder.f32()));
}

MmaCompute::Values MmaCompute::load(Value stage, int64_t step) {
  Values words;
  loadA(stage, step, words);
  loadB(stage, step, words);
  return words;
}

Value MmaCompute::loadWord(const MmaSharedTile& tile, Value stage, Value first, int64_t k, int64_t outer) {
  Value column = builder.mul(builder.add(first, builder.div(lane, 4)), 4);
  return builder.load(builder.i32(), tile.address(stage, builder.rem(lane, 4), k, column, 4 * outer), 1);
}

void MmaCompute::loadA(Value stage, int64_t step, Values& words) {
  KernelBuilder::At at(builder, "read the A tile from shared memory");
  const MmaOperandTile& tile = tiling.a;
  // An instruction takes 16 rows of two chunks of k each, as four tiles: rows first.
  Value low = builder.rem(lane, 8), second = builder.rem(builder.div(lane, 8), 2), third = builder.div(lane, 16);
  for (int64_t i = 0; i < tiling.rowsM; ++i) {
    if (!tile.rowsAreK) {
      Value row = builder.add(firstRow, builder.rem(lane, 16));
      Value address = tileA.address(stage, row, 16 * i, builder.mul(third, kChunk), 2 * kChunk * step);
      words.append(builder.loadMatrices(address, 4, /*transposed=*/false));
    } else if (tile.elementBytes == 2) {
      Value k = builder.add(low, builder.mul(third, 8));
      Value column = builder.mul(builder.add(firstRow, builder.mul(second, 8)), 2);
      Value address = tileA.address(stage, k, tiling.fragmentK * step, column, 2 * kChunk * i);
      words.append(builder.loadMatrices(address, 4, /*transposed=*/true));
    } else {
      for (int64_t k : {0, 4})
        for (int64_t m : {0, 8})
          words.push_back(loadWord(tileA, stage, firstRow, tiling.fragmentK * step + k, 16 * i + m));
    }
  }
}

void MmaCompute::loadB(Value stage, int64_t step, Values& words) {
  KernelBuilder::At at(builder, "read the B tile from shared memory");
  const MmaOperandTile& tile = tiling.b;
  if (tile.rowsAreK && tile.elementBytes == 4) {
    for (int64_t j = 0; j < tiling.columnsN; ++j)
      for (int64_t k : {0, 4}) words.push_back(loadWord(tileB, stage, firstColumn, tiling.fragmentK * step + k, 8 * j));
    return;
  }
  // An instruction takes 8 columns of two chunks of k each, as two tiles; two instructions' at once.
  Value low = builder.rem(lane, 8), second = builder.rem(builder.div(lane, 8), 2), third = builder.div(lane, 16);
  for (int64_t j = 0; j < tiling.columnsN; j += 2) {
    bool last = j + 1 == tiling.columnsN;
    Value address;
    if (tile.rowsAreK) {
      Value column = builder.mul(last ? firstColumn : builder.add(firstColumn, builder.mul(third, 8)), 2);
      address = tileB.address(stage, builder.rem(lane, 16), tiling.fragmentK * step, column, kChunk * j);
    } else {
      Value row = builder.add(firstColumn, last ? low : builder.add(low, builder.mul(third, 8)));
      address = tileB.address(stage, row, 8 * j, builder.mul(second, kChunk), 2 * kChunk * step);
    }
    words.append(builder.loadMatrices(address, last ? 2 : 4, tile.rowsAreK));
  }
}

void MmaCompute::multiply(const Values& fragments, Values& sums) {
  DataType type = tiling.problem.dtype;
  Values words = fragments;
  if (type == DataType::kF32)
    for (Value& word : words) word = builder.roundToTf32(word);
  llvm::ArrayRef<Value> a = llvm::ArrayRef(words).take_front(4 * tiling.rowsM),
                        b = llvm::ArrayRef(words).drop_front(a.size());
  for (int64_t i = 0; i < tiling.rowsM; ++i)
    for (int64_t j = 0; j < tiling.columnsN; ++j) {
      // To and fro, so that neighbouring instructions share an operand.
      int64_t column = i % 2 == 0 ? j : tiling.columnsN - 1 - j;
      int64_t first = 4 * (i * tiling.columnsN + column);
      llvm::ArrayRef<Value> sum = llvm::ArrayRef(sums).slice(first, 4);
      Values next = builder.multiplyMatrices(type, a.slice(4 * i, 4), b.slice(2 * column, 2), sum);
      llvm::copy(next, sums.begin() + first);
    }
}

}  // namespace mmtune
