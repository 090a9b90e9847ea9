// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_compute_emitter.h"

#include "kernels/families/fma/fma_tile_copy_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

/// k values that are read at once from a row of A's tile; divides bk.
constexpr int64_t kStepK = 4;

/// The rows (or columns) of a block's tile of C from a thread's first one on.
struct Extent {
  /// `ofBlock` is the begin of the block's tile of C, `inTile` the thread's first row or column in the tiles that the
  /// block multiplies.
  Extent(KernelBuilder& builder, const FmaOperandTile& tile, const OuterRange& ofBlock, Value inTile)
      : first(builder.add(firstOfTile(builder, tile, ofBlock.first), inTile)) {
    if (tile.ExceedsMatrix()) left = builder.sub(ofBlock.extent, first);
    if (tile.Overlaps()) before = builder.sub(ofBlock.first, first);
  }

  /// True if the block stores the row `offset` behind the first one; null where it stores all.
  Value has(KernelBuilder& builder, int64_t offset) const {
    if (left) return builder.greater(left, offset);
    return before ? builder.less(before, offset + 1) : Value();
  }

  Value first;
  Value left;    ///< Rows left in the matrix; null where the tile is not larger.
  Value before;  ///< Rows that the block before stores, if positive; null where tiles do not overlap.
};

}  // namespace

FmaCompute::FmaCompute(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread)
    : builder(builder), tiling(tiling), shared(shared) {
  const FmaSchedule& s = tiling.schedule;
  Value warp = builder.div(thread, 32), lane = builder.rem(thread, 32);
  Value laneM, laneN;
  // See FmaTiling::LaneAt().
  if (tiling.LanesInPairs()) {
    Value pair = builder.mul(builder.div(lane, 2 * tiling.ln), 2);
    laneM = builder.add(pair, builder.rem(lane, 2));
    laneN = builder.rem(builder.div(lane, 2), tiling.ln);
  } else {
    laneM = builder.div(lane, tiling.ln);
    laneN = builder.rem(lane, tiling.ln);
  }
  if (s.sliceK > 1) {
    int64_t warps = tiling.warpsM * tiling.warpsN;
    slice = builder.div(warp, warps);
    warp = builder.rem(warp, warps);
  }
  Value warpRow = builder.mul(builder.div(warp, tiling.warpsN), tiling.warpM);
  Value warpColumn = builder.mul(builder.rem(warp, tiling.warpsN), tiling.warpN);
  row = builder.add(warpRow, builder.mul(laneM, s.kmajorA ? tiling.fragmentM : 1));
  column = builder.add(warpColumn, builder.mul(laneN, tiling.fragmentN));
  fragmentA = s.kmajorA ? row : builder.mul(row, tiling.a.stride);
  fragmentB = builder.add(column, tiling.a.elements);
  if (!slice) return;
  Value firstK = builder.mul(slice, tiling.KOfSlice());
  fragmentA = builder.add(fragmentA, builder.mul(firstK, s.kmajorA ? tiling.a.stride : 1));
  fragmentB = builder.add(fragmentB, builder.mul(firstK, tiling.b.stride));
}

int64_t FmaCompute::groupsN() const { return tiling.schedule.tn / tiling.fragmentN; }

int64_t FmaCompute::rowOf(int64_t i) const {
  const FmaSchedule& s = tiling.schedule;
  if (!s.kmajorA) return i * s.lm;
  return i / tiling.fragmentM * s.lm * tiling.fragmentM + i % tiling.fragmentM;
}

int64_t FmaCompute::columnOf(int64_t group) const { return group * tiling.ln * tiling.fragmentN; }

FmaCompute::Values FmaCompute::accumulators() {
  if (isSerpentine()) return Values(tiling.schedule.tm * tiling.schedule.tn, builder.zero(builder.f32()));
  return Values(tiling.schedule.tm * groupsN(), builder.zero(builder.floats(tiling.fragmentN)));
}

llvm::SmallVector<FmaCompute::Values> FmaCompute::loadA(Value pointer, int64_t k, int64_t count) {
  const FmaSchedule& s = tiling.schedule;
  KernelBuilder::ScopedName at(builder, "read the A tile from shared memory");
  llvm::SmallVector<Values> scalars(count);
  if (!s.kmajorA) {
    for (int64_t i = 0; i < s.tm; ++i) {
      Value vector = builder.load(builder.offset(pointer, rowOf(i) * tiling.a.stride + k), count);
      for (int64_t j = 0; j < count; ++j) scalars[j].push_back(builder.element(vector, j));
    }
    return scalars;
  }
  for (int64_t j = 0; j < count; ++j) scalars[j] = scalarsOf(loadRowsA(pointer, k + j));
  return scalars;
}

FmaCompute::Values FmaCompute::loadRowsA(Value pointer, int64_t k) {
  KernelBuilder::ScopedName at(builder, "read the A tile from shared memory");
  Values vectors;
  for (int64_t i = 0; i < tiling.schedule.tm; i += tiling.fragmentM)
    vectors.push_back(builder.load(builder.offset(pointer, k * tiling.a.stride + rowOf(i)), tiling.fragmentM));
  return vectors;
}

FmaCompute::Values FmaCompute::scalarsOf(llvm::ArrayRef<Value> vectors) {
  Values elements;
  for (Value vector : vectors)
    for (int64_t e = 0; e < builder.widthOf(vector); ++e) elements.push_back(builder.element(vector, e));
  return elements;
}

FmaCompute::Values FmaCompute::loadB(Value pointer, int64_t k) {
  KernelBuilder::ScopedName at(builder, "read the B tile from shared memory");
  Values vectors;
  for (int64_t group = 0; group < groupsN(); ++group)
    vectors.push_back(builder.load(builder.offset(pointer, k * tiling.b.stride + columnOf(group)), tiling.fragmentN));
  return vectors;
}

void FmaCompute::step(Value a, Value b, int64_t k, Values& sums) {
  // A k-major tile is read one k at a time, so that few fragments are live.
  int64_t count = tiling.schedule.kmajorA ? 1 : kStepK;
  for (int64_t first = k; first < k + kStepK; first += count) {
    llvm::SmallVector<Values> scalars = loadA(a, first, count);
    for (int64_t j = 0; j < count; ++j) {
      multiplyAdd(scalars[j], loadB(b, first + j), sums);
    }
  }
}

void FmaCompute::multiplyAdd(const Values& a, llvm::ArrayRef<Value> b, Values& sums) {
  // Back and forth, neighbours share an operand also where a row ends: it stays in the reuse cache.
  Values columns = isSerpentine() ? scalarsOf(b) : Values(b);
  int64_t count = static_cast<int64_t>(columns.size());
  for (int64_t i = 0; i < tiling.schedule.tm; ++i)
    for (int64_t j = 0; j < count; ++j) {
      int64_t column = isSerpentine() && i % 2 == 1 ? count - 1 - j : j;
      Value& sum = sums[i * count + column];
      sum = builder.multiplyAdd(a[i], columns[column], sum);
    }
}

FmaCompute::Values FmaCompute::multiply(Value stage, Values sums) {
  const FmaSchedule& s = tiling.schedule;
  Value a = builder.offset(shared, builder.add(stage, fragmentA));
  Value b = builder.offset(shared, builder.add(stage, fragmentB));
  if (s.unrollK == tiling.KOfSlice()) {
    for (int64_t k = 0; k < tiling.KOfSlice(); k += kStepK) step(a, b, k, sums);
    return sums;
  }
  return builder.loop(builder.constant(tiling.KOfSlice()), s.unrollK, sums, [&](Value k, Values carried) {
    Value stepA = builder.offset(a, builder.mul(k, s.kmajorA ? tiling.a.stride : 1));
    Value stepB = builder.offset(b, builder.mul(k, tiling.b.stride));
    for (int64_t inner = 0; inner < s.unrollK; inner += kStepK) step(stepA, stepB, inner, carried);
    return carried;
  });
}

FmaCompute::Values FmaCompute::fragments(Value stage, int64_t k) {
  Values vectors = loadRowsA(builder.offset(shared, builder.add(stage, fragmentA)), k);
  vectors.append(loadB(builder.offset(shared, builder.add(stage, fragmentB)), k));
  return vectors;
}

FmaCompute::Values FmaCompute::multiplyPrefetched(Value stage, Values& prefetched, Values sums,
                                                  llvm::function_ref<Value()> wait) {
  int64_t vectorsA = tiling.schedule.tm / tiling.fragmentM, count = tiling.KOfSlice();
  for (int64_t k = 0; k < count; ++k) {
    Values next = k + 1 < count ? fragments(stage, k + 1) : fragments(wait(), 0);
    llvm::ArrayRef<Value> now(prefetched);
    multiplyAdd(scalarsOf(now.take_front(vectorsA)), now.drop_front(vectorsA), sums);
    prefetched = next;
  }
  return sums;
}

void FmaCompute::store(const Values& sums, const ResultWriter& result, const BlockWork& work) {
  const int64_t strideC = tiling.rowStrideC;
  Extent rows(builder, tiling.a, {work.row, work.rows}, row);
  Extent columns(builder, tiling.b, {work.column, builder.constant(tiling.problem.n)}, column);
  Value firstOfRow = builder.mul(builder.extendToI64(rows.first), strideC);
  Value element = builder.add(firstOfRow, builder.extendToI64(columns.first));
  ResultWriter first = result.at(element, columns.first);
  auto storeNumber = [&](int64_t number) {
    for (int64_t e = 0; e < tiling.fragmentN; e += tiling.storeC) {
      int64_t rowTo = rowOf(number / groupsN()), columnTo = columnOf(number % groupsN()) + e;
      Value hasRow = rows.has(builder, rowTo);
      builder.when(builder.logicalAnd(hasRow, columns.has(builder, columnTo)), [&] {
        Value vector = slice ? builder.slice(sums[number / tiling.schedule.sliceK], e, tiling.storeC)
                             : partOf(sums, number, e, tiling.storeC);
        storeVector(vector, first.at(rowTo * strideC + columnTo, columnTo));
      });
    }
  };
  int64_t slices = tiling.schedule.sliceK;
  for (int64_t mine = 0; mine < slices; ++mine)
    builder.when(slice ? builder.equal(slice, mine) : Value(), [&] {
      for (int64_t number = mine; number < tiling.VectorsOfC(); number += slices) storeNumber(number);
    });
}

FmaCompute::Values FmaCompute::vectors(const Values& sums) {
  Values vectors;
  for (int64_t number = 0; number < tiling.VectorsOfC(); ++number)
    vectors.push_back(partOf(sums, number, 0, tiling.fragmentN));
  return vectors;
}

Value FmaCompute::partOf(const Values& sums, int64_t number, int64_t e, int64_t width) {
  if (!isSerpentine()) return builder.slice(sums[number], e, width);
  const Value* first = sums.begin() + number * tiling.fragmentN + e;
  return builder.concatenate(Values(first, first + width));
}

void FmaCompute::storeVector(Value vector, const ResultWriter& result) const {
  if (tiling.schedule.reduction == kAtomicReduction)
    result.addAtomically(vector);
  else
    result.store(vector);
}

KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread,
                                const KernelBuilder::Values& vectors) {
  int64_t slices = tiling.schedule.sliceK, width = tiling.fragmentN, count = tiling.VectorsOfC();
  // Shared memory is [slice][vector][thread of the slice], so neighbouring lanes access neighbouring addresses.
  int64_t perVector = tiling.ThreadsOfSlice() * width;
  Value slice = builder.div(thread, tiling.ThreadsOfSlice());
  Value inVector = builder.mul(builder.rem(thread, tiling.ThreadsOfSlice()), width);
  {
    KernelBuilder::ScopedName at(builder, "write the sums of a slice to shared memory");
    Value first = builder.offset(shared, builder.add(builder.mul(slice, count * perVector), inVector));
    for (int64_t number = 0; number < count; ++number)
      builder.store(vectors[number], builder.offset(first, number * perVector));
  }
  {
    KernelBuilder::ScopedName at(builder, "wait for the sums of all slices");
    builder.barrier();
  }
  KernelBuilder::ScopedName at(builder, "read the sums of all slices");
  Value first = builder.offset(shared, builder.add(builder.mul(slice, perVector), inVector));
  KernelBuilder::Values sums;
  for (int64_t number = 0; number < count; number += slices) {
    Value sum = builder.load(builder.offset(first, number * perVector), width);
    for (int64_t of = 1; of < slices; ++of)
      sum = builder.addAccumulators(sum, builder.load(builder.offset(first, (of * count + number) * perVector), width));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace mmtune
