// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/block_work.h"

#include <optional>
#include <tuple>
#include <utility>

#include "mlir/IR/Matchers.h"

using mlir::Value;

namespace mmtune {
namespace {

/// Where it is known.
std::optional<int64_t> constantOf(Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return std::nullopt;
  return constant.getSExtValue();
}

/// The place of tile `within` of a group of `height` rows of tiles, which is walked column by column.
template <typename Height>
std::pair<Value, Value> placeInGroup(KernelBuilder& builder, Value within, Height height) {
  return {builder.rem(within, height), builder.div(within, height)};
}

/// The tile of C that has this number in the whole batch.
BlockWork assignTile(KernelBuilder& builder, const BlockGrid& grid, Value block, Value rows) {
  BlockWork work;
  work.rows = rows;
  Value tilesM = builder.div(builder.add(rows, grid.bm - 1), grid.bm), tileM, tileN;
  if (grid.batch != 1) {
    Value blocksPerMatrix = builder.mul(tilesM, grid.gridN);
    work.matrix = builder.div(block, blocksPerMatrix);
    block = builder.rem(block, blocksPerMatrix);
  }
  if (grid.groupM == 1) {
    tileM = builder.div(block, grid.gridN);
    tileN = builder.rem(block, grid.gridN);
  } else {
    // Groups of group_m rows of blocks; the last group may be lower.
    int64_t perGroup = grid.groupM * grid.gridN;
    Value first = builder.mul(builder.div(block, perGroup), grid.groupM), within = builder.rem(block, perGroup);
    std::optional<int64_t> known = constantOf(tilesM);
    if (known) {
      // By constants: a division by what only a block knows takes registers, and ptxas other ones for the loop.
      std::tie(tileM, tileN) = placeInGroup(builder, within, grid.groupM);
      if (int64_t rest = *known % grid.groupM; rest != 0) {
        auto [lastM, lastN] = placeInGroup(builder, within, rest);
        Value isLast = builder.equal(first, *known - rest);
        tileM = builder.choose(isLast, lastM, tileM);
        tileN = builder.choose(isLast, lastN, tileN);
      }
    } else {
      Value height = builder.min(builder.sub(tilesM, first), builder.constant(grid.groupM));
      std::tie(tileM, tileN) = placeInGroup(builder, within, height);
    }
    tileM = builder.add(first, tileM);
  }
  work.row = builder.mul(tileM, grid.bm);
  work.column = builder.mul(tileN, grid.bn);
  return work;
}

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
  work.parts = builder.constant(grid.splitK);
  work.part = work.split;
  work.counter = builder.blockX();
}

/// The block that has this k step among those of all tiles.
Value shareOf(KernelBuilder& builder, const StreamShares& shares, Value step) {
  Value later = builder.div(builder.sub(step, builder.constant(shares.longer)), shares.each);
  if (shares.longer == 0) return later;
  return builder.choose(builder.less(step, shares.longer * (shares.each + 1)), builder.div(step, shares.each + 1),
                        later);
}

}  // namespace

Value BlockWork::matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type) const {
  if (!matrix) return base;
  Value elements = builder.mul(builder.wide(rows), columns);
  return builder.offset(base, builder.mul(builder.wide(matrix), elements), type);
}

Value BlockWork::matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                          const ProductLayout& layout, const OperandLayout& operand) const {
  if (!layout.any() || !matrix) return matrixOf(builder, base, rows, columns, type);
  return builder.offset(base, offsetOf(builder, layout, operand), type);
}

Value BlockWork::offsetOf(KernelBuilder& builder, const ProductLayout& layout, const OperandLayout& operand) const {
  Value rest = matrix, offset = builder.wide(builder.constant(0));
  for (size_t i = layout.matrices.size(); i-- > 0;) {
    Value number = i == 0 ? rest : builder.rem(rest, layout.matrices[i]);
    offset = builder.add(offset, builder.mul(builder.wide(number), operand.matrixStrides[i]));
    if (i != 0) rest = builder.div(rest, layout.matrices[i]);
  }
  return offset;
}

BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value rows) {
  BlockWork work = assignTile(builder, grid, builder.blockX(), rows);
  assignSplit(builder, grid, k, work);
  return work;
}

void forEachWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value rows,
                 llvm::function_ref<void(const BlockWork&)> body) {
  if (!grid.IsStream()) return body(assignBlockWork(builder, grid, k, rows));
  StreamShares shares = grid.Shares();
  Value share = builder.blockX();
  Value first = builder.add(builder.mul(share, shares.each), builder.min(share, builder.constant(shares.longer)));
  Value more = builder.choose(builder.less(share, shares.longer), builder.constant(1), builder.constant(0));
  Value end = builder.add(builder.add(first, shares.each), more);
  Value firstTile = builder.div(first, grid.kTiles);
  Value lastTile = builder.div(builder.sub(end, builder.constant(1)), grid.kTiles);
  auto tile = [&](Value number, KernelBuilder::Values) {
    Value tile = builder.add(firstTile, number), firstStep = builder.mul(tile, grid.kTiles);
    BlockWork work = assignTile(builder, grid, tile, rows);
    Value begin = builder.choose(builder.equal(number, 0), builder.sub(first, firstStep), builder.constant(0));
    work.tilesK = builder.sub(builder.min(builder.sub(end, firstStep), builder.constant(grid.kTiles)), begin);
    work.firstK = builder.mul(begin, grid.bk);
    work.remainingK = builder.min(builder.sub(builder.constant(k), work.firstK), builder.mul(work.tilesK, grid.bk));
    work.counter = shareOf(builder, shares, firstStep);
    Value lastShare = shareOf(builder, shares, builder.add(firstStep, grid.kTiles - 1));
    work.parts = builder.add(builder.sub(lastShare, work.counter), 1);
    work.part = builder.sub(share, work.counter);
    body(work);
    return KernelBuilder::Values();
  };
  builder.loop(builder.add(builder.sub(lastTile, firstTile), 1), 1, {}, tile, Unrolling::kNone);
}

}  // namespace mmtune
