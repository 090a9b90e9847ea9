// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/block_work_emitter.h"

#include <optional>
#include <tuple>
#include <utility>

#include "kernels/families/common/block_grid.h"
#include "mlir/IR/Matchers.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Returns the constant that `value` is, if it is one.
std::optional<int64_t> constantOf(Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return std::nullopt;
  return constant.getSExtValue();
}

/// Returns row and column of tile `within` in a group of `height` rows of tiles, which is traversed column by column.
template <typename Height>
std::pair<Value, Value> tileInGroup(KernelBuilder& builder, Value within, Height height) {
  return {builder.rem(within, height), builder.div(within, height)};
}

/// Returns row and column of point `number` on the Hilbert curve through a square of `side` (a power of two) tiles. It
/// begins in the first row and column and ends in the first row and last column:
///
///   for half in 1, 2, 4, ... below side:          // the quarters of a square of 2 * half tiles
///     right = bit 1 of number;  lower = right ^ bit 0 of number;  number /= 4
///     if not lower:  if right: turn the curve within the quarter around;  swap its rows and columns
///     row += lower * half;  column += right * half
std::pair<Value, Value> tileOnHilbertCurve(KernelBuilder& builder, Value number, int64_t side) {
  Value row = builder.constant(0), column = row;
  for (int64_t half = 1; half < side; half *= 2) {
    Value right = builder.rem(builder.div(number, 2), 2), lower = builder.exclusiveOr(right, builder.rem(number, 2));
    Value isUpper = builder.equal(lower, 0), isRight = builder.equal(right, 1), last = builder.constant(half - 1);
    Value turnedRow = builder.select(isRight, builder.sub(last, row), row);
    Value turnedColumn = builder.select(isRight, builder.sub(last, column), column);
    Value rowInQuarter = builder.select(isUpper, turnedColumn, row);
    Value columnInQuarter = builder.select(isUpper, turnedRow, column);
    row = builder.add(rowInQuarter, builder.mul(lower, half));
    column = builder.add(columnInQuarter, builder.mul(right, half));
    number = builder.div(number, 4);
  }
  return {row, column};
}

/// Returns row and column of tile `number` of a grid of `rows` x `columns` tiles, which are numbered in groups of
/// `height` rows; the last group may be lower. With `isHilbert`, the squares of `height` tiles of a whole group are
/// traversed along curves, and what is left of it column by column.
std::pair<Value, Value> tileInGroups(KernelBuilder& builder, Value number, int64_t height, int64_t rows,
                                     int64_t columns, bool isHilbert) {
  if (height == 1) return {builder.div(number, columns), builder.rem(number, columns)};
  int64_t perGroup = height * columns;
  Value first = builder.mul(builder.div(number, perGroup), height), within = builder.rem(number, perGroup);
  // Divide by constants: with a divisor that differs between blocks, ptxas allocates the loop's registers worse.
  auto [row, column] = tileInGroup(builder, within, height);
  if (isHilbert && columns >= height) {
    const int64_t square = height * height, squares = columns / height;
    auto [rowInSquare, columnInSquare] = tileOnHilbertCurve(builder, builder.rem(within, square), height);
    Value inSquares = builder.add(builder.mul(builder.div(within, square), height), columnInSquare);
    Value isInSquare = columns % height == 0 ? Value() : builder.less(within, squares * square);
    row = builder.select(isInSquare, rowInSquare, row);
    column = builder.select(isInSquare, inSquares, column);
  }
  if (int64_t rest = rows % height; rest != 0) {
    auto [lastRow, lastColumn] = tileInGroup(builder, within, rest);
    Value isLast = builder.equal(first, rows - rest);
    row = builder.select(isLast, lastRow, row);
    column = builder.select(isLast, lastColumn, column);
  }
  return {builder.add(first, row), column};
}

/// Returns the tile of C with this number in the whole batch.
BlockWork assignTile(KernelBuilder& builder, const BlockGrid& grid, Value block, Value rows) {
  BlockWork work;
  work.rows = rows;
  Value tilesM = builder.div(builder.add(rows, grid.bm - 1), grid.bm), tileM, tileN;
  if (grid.batch != 1) {
    Value blocksPerMatrix = builder.mul(tilesM, grid.gridN);
    work.matrix = builder.div(block, blocksPerMatrix);
    block = builder.rem(block, blocksPerMatrix);
  }
  const std::optional<int64_t> knownM = constantOf(tilesM);
  if (grid.raster == kAlongM) {
    std::tie(tileN, tileM) = tileInGroups(builder, block, grid.groupM, grid.gridN, grid.gridM, /*isHilbert=*/false);
  } else if (grid.groupM == 1 || knownM) {
    // The number of rows does not matter without groups.
    std::tie(tileM, tileN) =
        tileInGroups(builder, block, grid.groupM, knownM.value_or(grid.gridM), grid.gridN, grid.raster == kHilbert);
  } else {
    int64_t perGroup = grid.groupM * grid.gridN;
    Value first = builder.mul(builder.div(block, perGroup), grid.groupM), within = builder.rem(block, perGroup);
    Value left = builder.sub(tilesM, first);
    Value height = builder.min(left, builder.constant(grid.groupM));
    std::tie(tileM, tileN) = tileInGroup(builder, within, height);
    tileM = builder.add(first, tileM);
  }
  work.row = builder.mul(tileM, grid.bm);
  work.column = builder.mul(tileN, grid.bn);
  return work;
}

/// Adds the range of k with number `split` to `work`, which has the tile with number `tile`. Null: those of blockIdx,
/// which are read where they are used, as code depends on the order of operations.
void assignSplit(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value tile, Value split, BlockWork& work) {
  work.firstK = builder.constant(0);
  work.remainingK = builder.constant(k);
  work.tilesK = builder.constant(grid.kTiles);
  if (grid.splitK == 1) return;
  int64_t perSplit = grid.tilesPerSplit * grid.bk;
  work.split = split ? split : builder.blockZ();
  work.firstK = builder.mul(work.split, perSplit);
  Value left = builder.sub(work.remainingK, work.firstK);
  work.remainingK = builder.min(left, builder.constant(perSplit));
  work.tilesK = builder.div(builder.add(work.remainingK, grid.bk - 1), grid.bk);
  work.parts = builder.constant(grid.splitK);
  work.part = work.split;
  work.counter = tile ? tile : builder.blockX();
}

/// Returns the block that has this k step of all tiles.
Value shareOf(KernelBuilder& builder, const StreamKShares& shares, Value step) {
  Value later = builder.div(builder.sub(step, builder.constant(shares.longer)), shares.each);
  if (shares.longer == 0) return later;
  Value isLonger = builder.less(step, shares.longer * (shares.each + 1));
  return builder.select(isLonger, builder.div(step, shares.each + 1), later);
}

/// Vectors of a part that a thread loads before it adds: all of them would need as many registers as there are sums.
constexpr size_t kVectorsAtOnce = 8;

/// Returns the number of the slot in OrderedReductionWorkspace of a part of a tile.
Value slotOf(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work, Value part) {
  if (!grid.IsStreamK()) return builder.add(builder.mul(work.counter, grid.splitK), part);
  Value number = builder.add(work.counter, part);
  Value isFirst = builder.equal(part, 0);
  return builder.select(isFirst, builder.add(work.counter, grid.blocks()), number);
}

/// Returns the elements of `sums` in vectors as wide as a thread stores at once.
Values widestVectors(KernelBuilder& builder, const Values& sums, mlir::Type type) {
  Values elements, vectors;
  const size_t widest = 8 * kWidestAccess / type.getIntOrFloatBitWidth();
  for (Value sum : sums)
    for (int64_t i = 0; i < builder.widthOf(sum); ++i) elements.push_back(builder.element(sum, i));
  for (llvm::ArrayRef<Value> rest = elements; !rest.empty(); rest = rest.drop_front(builder.widthOf(vectors.back())))
    vectors.push_back(builder.concatenate(Values(rest.take_front(llvm::bit_floor(std::min(rest.size(), widest))))));
  return vectors;
}

/// Inverts widestVectors(): returns the elements of `vectors` in values of the types of `sums`.
Values likeSums(KernelBuilder& builder, const Values& sums, const Values& vectors) {
  Values elements, like;
  for (Value vector : vectors)
    for (int64_t i = 0; i < builder.widthOf(vector); ++i) elements.push_back(builder.element(vector, i));
  llvm::ArrayRef<Value> rest = elements;
  for (Value sum : sums) {
    like.push_back(builder.concatenate(Values(rest.take_front(builder.widthOf(sum)))));
    rest = rest.drop_front(builder.widthOf(sum));
  }
  return like;
}

}  // namespace

Value BlockWork::matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type) const {
  if (!matrix) return base;
  Value elements = builder.mul(builder.extendToI64(rows), columns);
  return builder.offset(base, builder.mul(builder.extendToI64(matrix), elements), type);
}

Value BlockWork::matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                          const MatmulLayout& layout, const OperandLayout& operand) const {
  if (!layout.any() || !matrix) return matrixOf(builder, base, rows, columns, type);
  return builder.offset(base, offsetOf(builder, layout, operand), type);
}

Value BlockWork::offsetOf(KernelBuilder& builder, const MatmulLayout& layout, const OperandLayout& operand) const {
  Value rest = matrix, offset = builder.extendToI64(builder.constant(0));
  for (size_t i = layout.matrices.size(); i-- > 0;) {
    Value number = i == 0 ? rest : builder.rem(rest, layout.matrices[i]);
    offset = builder.add(offset, builder.mul(builder.extendToI64(number), operand.matrixStrides[i]));
    if (i != 0) rest = builder.div(rest, layout.matrices[i]);
  }
  return offset;
}

BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value rows) {
  BlockWork work = assignTile(builder, grid, builder.blockX(), rows);
  assignSplit(builder, grid, k, /*tile=*/{}, /*split=*/{}, work);
  return work;
}

BlockWork assignWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value rows, Value tile, Value split) {
  BlockWork work = assignTile(builder, grid, tile, rows);
  assignSplit(builder, grid, k, tile, split, work);
  return work;
}

void forEachTileOfBlock(KernelBuilder& builder, const BlockGrid& grid, int64_t k, Value rows,
                        llvm::function_ref<void(const BlockWork&)> body) {
  if (!grid.IsStreamK()) return body(assignBlockWork(builder, grid, k, rows));
  StreamKShares shares = grid.Shares();
  Value share = builder.blockX();
  Value before = builder.mul(share, shares.each);
  Value first = builder.add(before, builder.min(share, builder.constant(shares.longer)));
  Value isLonger = builder.less(share, shares.longer), one = builder.constant(1), none = builder.constant(0);
  Value more = builder.select(isLonger, one, none);
  Value end = builder.add(builder.add(first, shares.each), more);
  Value firstTile = builder.div(first, grid.kTiles);
  Value lastTile = builder.div(builder.sub(end, builder.constant(1)), grid.kTiles);
  auto tile = [&](Value number, KernelBuilder::Values) {
    Value tile = builder.add(firstTile, number), firstStep = builder.mul(tile, grid.kTiles);
    BlockWork work = assignTile(builder, grid, tile, rows);
    Value isFirst = builder.equal(number, 0), within = builder.sub(first, firstStep), none = builder.constant(0);
    Value begin = builder.select(isFirst, within, none), left = builder.sub(end, firstStep);
    work.tilesK = builder.sub(builder.min(left, builder.constant(grid.kTiles)), begin);
    work.firstK = builder.mul(begin, grid.bk);
    Value leftK = builder.sub(builder.constant(k), work.firstK);
    work.remainingK = builder.min(leftK, builder.mul(work.tilesK, grid.bk));
    work.counter = shareOf(builder, shares, firstStep);
    Value lastShare = shareOf(builder, shares, builder.add(firstStep, grid.kTiles - 1));
    work.parts = builder.add(builder.sub(lastShare, work.counter), 1);
    work.part = builder.sub(share, work.counter);
    body(work);
    return KernelBuilder::Values();
  };
  builder.loop(builder.add(builder.sub(lastTile, firstTile), 1), 1, {}, tile, Unrolling::kNone);
}

KernelSignature mainKernelSignature(const MatmulProblem& problem, llvm::StringRef name, int64_t threads,
                                    int64_t minBlocks, int64_t reduction, RunTimeSizes sizes) {
  KernelSignature signature;
  signature.name = name;
  bool atomic = reduction == kAtomicReduction;
  signature.buffers = {BufferUse::kRead, BufferUse::kRead, atomic ? BufferUse::kReadWrite : BufferUse::kWrite};
  signature.threads[0] = static_cast<int32_t>(threads);
  signature.minBlocks = static_cast<int32_t>(minBlocks);
  if (reduction != kWorkspaceReduction) signature.buffers.append(epilogueBuffers(problem));
  if (reduction == kOrderedReduction) signature.buffers.push_back(BufferUse::kReadWrite);
  if (sizes.rows) signature.integers = 1;
  return signature;
}

KernelBuilder::Values beginMainKernel(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                      int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes) {
  return builder.beginKernel(mainKernelSignature(problem, name, threads, minBlocks, reduction, sizes));
}

Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
             llvm::ArrayRef<Value> parameters) {
  return sizes.rows ? parameters.back() : builder.constant(problem.m);
}

ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<Value> buffers, const MatmulLayout& layout) {
  Value c = buffers[2];
  if (reduction == kWorkspaceReduction) {
    mlir::Type sums = builder.typeOf(problem.AccumulatorType());
    c = builder.offset(c, builder.mul(builder.extendToI64(work.split), problem.ElementsC()), sums);
    return ResultWriter(builder, sums, work.matrixOf(builder, c, work.rows, problem.n, sums));
  }
  ResultWriter result(builder, problem, c, buffers.slice(3, epilogueBuffers(problem).size()));
  if (!work.matrix) return result;
  Value first;
  if (layout.any()) {
    first = work.offsetOf(builder, layout, layout.c);
  } else {
    Value elements = builder.mul(builder.extendToI64(work.rows), problem.n);
    first = builder.mul(builder.extendToI64(work.matrix), elements);
  }
  return result.at(first, builder.constant(0));
}

OrderedReductionResult reduceInOrder(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work,
                                     const ThreadGroup& group, Value workspace, Value shared, const Values& sums) {
  mlir::Type type = mlir::getElementTypeOrSelf(sums.front());
  Value thread = group.thread(builder);
  Value slots = builder.offsetBytes(workspace, OrderedReductionWorkspace(grid).CounterBytes());
  auto slotAt = [&](Value part) {
    Value number = builder.extendToI64(slotOf(builder, grid, work, part));
    return builder.offset(slots, builder.mul(number, grid.AccumulatorsOfTile()), type);
  };
  auto share = [&] {
    Values mine = widestVectors(builder, sums, type);
    // Neighbouring threads store neighbouring vectors.
    llvm::SmallVector<int64_t> offsets;
    for (int64_t elements = 0; Value vector : mine) {
      offsets.push_back(elements * group.threads);
      elements += builder.widthOf(vector);
    }
    auto addressOf = [&](Value slot, size_t i) {
      return builder.offset(builder.offset(slot, builder.mul(thread, builder.widthOf(mine[i])), type), offsets[i],
                            type);
    };
    {
      KernelBuilder::ScopedName at(builder, "store partial sums");
      Value slot = slotAt(work.part);
      for (size_t i = 0; i < mine.size(); ++i) builder.store(mine[i], addressOf(slot, i));
    }
    {
      KernelBuilder::ScopedName at(builder, "wait for the block's partial sums");
      group.synchronize(builder);
    }
    builder.when(builder.equal(thread, 0), [&] {
      KernelBuilder::ScopedName at(builder, "count the tile's parts");
      builder.fence();
      Value before = builder.atomicIncrement(builder.offset(workspace, work.counter));
      KernelBuilder::ScopedName then(builder, "see the tile's other parts");
      builder.fence();
      builder.store(before, shared);
    });
    Value before;
    {
      KernelBuilder::ScopedName at(builder, "wait for the count of parts");
      group.synchronize(builder);
      before = builder.load(builder.i32(), shared, 1);
      KernelBuilder::ScopedName then(builder, "leave the count of parts");
      group.synchronize(builder);
    }
    Value last = builder.equal(builder.sub(work.parts, before), 1);
    KernelBuilder::ScopedName at(builder, "load partial sums");
    Values totals;
    while (totals.size() < mine.size()) {
      size_t first = totals.size();
      Values zeros;
      for (Value vector : llvm::ArrayRef(mine).drop_front(first).take_front(kVectorsAtOnce))
        zeros.push_back(builder.zero(vector.getType()));
      auto addPart = [&](Value part, Values sumsSoFar) {
        Value slot = slotAt(part);
        for (auto [i, sum] : llvm::enumerate(sumsSoFar))
          sum = builder.addAccumulators(sum, builder.load(type, addressOf(slot, first + i), builder.widthOf(sum)));
        return sumsSoFar;
      };
      totals.append(
          builder.loop(builder.select(last, work.parts, builder.constant(0)), 1, zeros, addPart, Unrolling::kNone));
    }
    Values results = likeSums(builder, sums, totals);
    results.push_back(last);
    return results;
  };
  Values own = sums;
  own.push_back(builder.trueConstant());
  Values results = builder.whenElse(builder.greater(work.parts, 1), share, own);
  Value isComplete = results.pop_back_val();
  return {results, isComplete};
}

void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits) {
  constexpr int64_t kThreads = kSplitReductionThreads;
  KernelSignature signature;
  signature.name = kSplitReductionKernel;
  signature.buffers = {BufferUse::kRead, BufferUse::kWrite};
  signature.buffers.append(epilogueBuffers(problem));
  signature.threads[0] = kThreads;
  Values buffers = builder.beginKernel(signature);

  mlir::Type sums = builder.typeOf(problem.AccumulatorType());
  int64_t elements = problem.ElementsC(), width = ReductionWidth(problem);
  int64_t vectors = elements / width;
  Value firstOfBlock = builder.mul(builder.extendToI64(builder.blockX()), kThreads);
  Value vector = builder.add(firstOfBlock, builder.extendToI64(builder.threadX()));
  Value within = vectors % kThreads == 0 ? Value() : builder.less(vector, vectors);
  builder.when(within, [&] {
    Value first = builder.mul(vector, width);
    Value source = builder.offset(buffers[0], first, sums);
    KernelBuilder::ScopedName at(builder, "load partial sums");
    Value others = builder.constant(splits - 1);
    Values sum = builder.loop(others, 1, {builder.load(sums, source, width), source}, [&](Value, Values in) {
      Value next = builder.offset(in[1], elements, sums);
      return Values{builder.addAccumulators(in[0], builder.load(sums, next, width)), next};
    });
    Value column = problem.HasBias() ? builder.rem(first, problem.n) : Value();
    ResultWriter result(builder, problem, buffers[1], llvm::ArrayRef(buffers).drop_front(2));
    result.at(first, column).store(sum[0]);
  });
  builder.finishKernel();
}

}  // namespace mmtune
