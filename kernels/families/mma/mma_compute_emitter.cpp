// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_compute_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

/// Bytes of a row of a tile that ldmatrix reads.
constexpr int64_t kChunk = 16;

void appendTf32(KernelBuilder& builder, Value word, TermWords& to) {
  for (size_t term = 0; term < to.size(); ++term) {
    Value rounded = builder.roundToTf32(word);
    to[term].push_back(rounded);
    if (term + 1 == to.size()) return;
    Value exact = builder.bitcast(word, builder.f32());
    Value rest = builder.subtractFloats(exact, builder.bitcast(rounded, builder.f32()));
    word = builder.bitcast(rest, builder.i32());
  }
}

void appendBf16(KernelBuilder& builder, Value low, Value high, TermWords& to) {
  KernelBuilder::Values rest = {builder.bitcast(low, builder.f32()), builder.bitcast(high, builder.f32())};
  for (size_t term = 0; term < to.size(); ++term) {
    Value word =
        builder.bitcast(builder.convert(builder.concatenate(rest), builder.typeOf(DataType::kBf16)), builder.i32());
    to[term].push_back(word);
    if (term + 1 == to.size()) return;
    for (auto [left, rounded] : llvm::zip(rest, builder.unpackBf16(word))) left = builder.subtractFloats(left, rounded);
  }
}

}  // namespace

MmaWarp::MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, Value thread) {
  lane = builder.rem(thread, 32);
  tile = number = builder.div(thread, 32);
  if (tiling.schedule.sliceK > 1) {
    slice = builder.div(number, tiling.WarpTiles());
    tile = builder.rem(number, tiling.WarpTiles());
  }
  row = builder.mul(builder.div(tile, tiling.warpsN), tiling.schedule.wm);
  column = builder.mul(builder.rem(tile, tiling.warpsN), tiling.schedule.wn);
}

void appendTerms(KernelBuilder& builder, const SplitPrecision& split, llvm::ArrayRef<Value> words, TermWords& to) {
  if (split.type == DataType::kF32) {
    for (Value word : words) appendTf32(builder, word, to);
  } else if (split.IsSplit()) {
    size_t half = words.size() / 2;
    for (size_t i = 0; i < half; ++i) appendBf16(builder, words[i], words[half + i], to);
  } else {
    to.front().append(words.begin(), words.end());
  }
}

MmaCompute::MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread)
    : builder(builder),
      tiling(tiling),
      tileA(builder, tiling.a, 0),
      tileB(builder, tiling.b, tiling.a.bytes()),
      warp(builder, tiling, thread) {}

Value MmaCompute::inSlice(Value k, int64_t unit) {
  if (!warp.slice) return k;
  return builder.add(k, builder.mul(warp.slice, tiling.schedule.bk / tiling.schedule.sliceK * unit));
}

MmaCompute::Values MmaCompute::accumulators() {
  return Values(4 * tiling.rowsM * tiling.columnsN, builder.zero(builder.typeOf(tiling.problem.AccumulatorType())));
}

MmaCompute::Values MmaCompute::load(Value stage, int64_t step) {
  Values words;
  int64_t loads = tiling.LoadsPerStep();
  for (int64_t load = 0; load < loads; ++load) loadA(stage, loads * step + load, words);
  for (int64_t load = 0; load < loads; ++load) loadB(stage, loads * step + load, words);
  return words;
}

Value MmaCompute::loadElement(const MmaSharedTile& shared, const MmaOperandTile& tile, Value stage, Value first,
                              int64_t k, int64_t outer) {
  int64_t bytes = tile.elementBytes;
  mlir::Type type = bytes == 8 ? builder.typeOf(DataType::kF64) : builder.i32();
  if (tile.rowsAreK) {
    Value column = builder.mul(builder.add(first, builder.div(warp.lane, 4)), bytes);
    return builder.load(type, shared.address(stage, inSlice(builder.rem(warp.lane, 4), 1), k, column, bytes * outer),
                        1);
  }
  Value row = builder.add(first, builder.div(warp.lane, 4));
  Value column = inSlice(builder.mul(builder.rem(warp.lane, 4), bytes), bytes);
  return builder.load(type, shared.address(stage, row, outer, column, bytes * k), 1);
}

std::array<Value, 4> MmaCompute::loadTransposedBytes(const MmaSharedTile& shared, Value stage, Value first,
                                                     int64_t number, int64_t outer) {
  Value address = shared.address(stage, inSlice(warp.lane, 1), tiling.loadK * number, first, outer);
  Values words = builder.loadMatrices(address, 4, /*transposed=*/true);
  return {builder.packAlternateBytes(words[0], words[1], 0), builder.packAlternateBytes(words[2], words[3], 0),
          builder.packAlternateBytes(words[0], words[1], 1), builder.packAlternateBytes(words[2], words[3], 1)};
}

void MmaCompute::loadA(Value stage, int64_t number, Values& words) {
  KernelBuilder::ScopedName at(builder, "read the A tile from shared memory");
  const MmaOperandTile& tile = tiling.a;
  // An instruction takes 16 rows of two chunks of k each, as four tiles: rows first.
  Value low = builder.rem(warp.lane, 8), second = builder.rem(builder.div(warp.lane, 8), 2),
        third = builder.div(warp.lane, 16);
  for (int64_t i = 0; i < tiling.rowsM; ++i) {
    if (tile.elementBytes == 8) {
      for (int64_t m : {0, 8})
        words.push_back(loadElement(tileA, tile, stage, warp.row, tiling.loadK * number, 16 * i + m));
    } else if (tile.TransposesBytes()) {
      auto [even, evenLater, odd, oddLater] = loadTransposedBytes(tileA, stage, warp.row, number, 16 * i);
      words.append({even, odd, evenLater, oddLater});
    } else if (!tile.rowsAreK) {
      Value row = builder.add(warp.row, builder.rem(warp.lane, 16));
      Value column = inSlice(builder.mul(third, kChunk), tile.elementBytes);
      Value address = tileA.address(stage, row, 16 * i, column, 2 * kChunk * number);
      words.append(builder.loadMatrices(address, 4, /*transposed=*/false));
    } else if (tile.elementBytes == 2) {
      Value k = inSlice(builder.add(low, builder.mul(third, 8)), 1);
      Value column = builder.mul(builder.add(warp.row, builder.mul(second, 8)), 2);
      Value address = tileA.address(stage, k, tiling.loadK * number, column, 2 * kChunk * i);
      words.append(builder.loadMatrices(address, 4, /*transposed=*/true));
    } else {
      for (int64_t k : {0, 4})
        for (int64_t m : {0, 8})
          words.push_back(loadElement(tileA, tile, stage, warp.row, tiling.loadK * number + k, 16 * i + m));
    }
  }
}

void MmaCompute::loadB(Value stage, int64_t number, Values& words) {
  KernelBuilder::ScopedName at(builder, "read the B tile from shared memory");
  const MmaOperandTile& tile = tiling.b;
  if (tile.elementBytes == 8 || (tile.rowsAreK && tile.elementBytes == 4)) {
    for (int64_t j = 0; j < tiling.columnsN; ++j)
      for (int64_t k = 0; k < tiling.loadK; k += 4)
        words.push_back(loadElement(tileB, tile, stage, warp.column, tiling.loadK * number + k, 8 * j));
    return;
  }
  if (tile.TransposesBytes()) {
    for (int64_t j = 0; j < tiling.columnsN; j += 2) {
      std::array<Value, 4> pair = loadTransposedBytes(tileB, stage, warp.column, number, 8 * j);
      words.append(pair.begin(), pair.end());
    }
    return;
  }
  // An instruction takes 8 columns of two chunks of k each, as two tiles; two instructions' at once.
  Value low = builder.rem(warp.lane, 8), second = builder.rem(builder.div(warp.lane, 8), 2),
        third = builder.div(warp.lane, 16);
  for (int64_t j = 0; j < tiling.columnsN; j += 2) {
    bool last = j + 1 == tiling.columnsN;
    Value address;
    if (tile.rowsAreK) {
      Value column = builder.mul(last ? warp.column : builder.add(warp.column, builder.mul(third, 8)), 2);
      Value k = inSlice(builder.rem(warp.lane, 16), 1);
      address = tileB.address(stage, k, tiling.loadK * number, column, kChunk * j);
    } else {
      Value row = builder.add(warp.column, last ? low : builder.add(low, builder.mul(third, 8)));
      Value column = inSlice(builder.mul(second, kChunk), tile.elementBytes);
      address = tileB.address(stage, row, 8 * j, column, 2 * kChunk * number);
    }
    words.append(builder.loadMatrices(address, last ? 2 : 4, tile.rowsAreK));
  }
}

TermWords MmaCompute::termsAt(llvm::ArrayRef<Value> words, int64_t index, int64_t count) {
  TermWords terms(tiling.split.count);
  size_t each = words.size() / (count * tiling.LoadsPerStep());
  for (int64_t load = 0; load < tiling.LoadsPerStep(); ++load)
    appendTerms(builder, tiling.split, words.slice((load * count + index) * each, each), terms);
  return terms;
}

void MmaCompute::multiply(const Values& fragments, Values& sums) {
  llvm::ArrayRef<Value> a = llvm::ArrayRef(fragments).take_front(tiling.WordsA()),
                        b = llvm::ArrayRef(fragments).drop_front(tiling.WordsA());
  llvm::SmallVector<TermWords> columns;
  for (int64_t j = 0; j < tiling.columnsN; ++j) columns.push_back(termsAt(b, j, tiling.columnsN));
  llvm::MutableArrayRef<Value> rest(sums);
  for (int64_t i = 0; i < tiling.rowsM; ++i) {
    // Alternate directions, so that neighbouring instructions share an operand.
    multiplyRows(termsAt(a, i, tiling.rowsM), columns, /*backwards=*/i % 2 != 0, rest.take_front(4 * tiling.columnsN));
    rest = rest.drop_front(4 * tiling.columnsN);
  }
}

MmaCompute::Values MmaCompute::multiplyAdd(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b,
                                           llvm::ArrayRef<Value> sums) {
  DataType type = tiling.split.type;
  if (tiling.InstructionsEach() == 1) return builder.multiplyMatrices(type, a, b, sums);
  if (type == DataType::kF64) {
    Values all = builder.multiplyMatrices(type, a[0], b, sums.take_front(2));
    all.append(builder.multiplyMatrices(type, a[1], b, sums.drop_front(2)));
    return all;
  }
  Values half = builder.multiplyMatrices(type, a.take_front(2), b[0], sums);
  return builder.multiplyMatrices(type, a.drop_front(2), b[1], half);
}

void MmaCompute::multiplyRows(const TermWords& a, llvm::ArrayRef<TermWords> columns, bool backwards,
                              llvm::MutableArrayRef<Value> sums) {
  const SplitPrecision& split = tiling.split;
  Values products = split.IsSplit() ? Values(sums.size(), builder.zero(builder.f32())) : Values(sums);
  for (const TermPair& product : split.products)
    for (size_t j = 0; j < columns.size(); ++j) {
      size_t column = backwards ? columns.size() - 1 - j : j;
      llvm::ArrayRef<Value> sum = llvm::ArrayRef(products).slice(4 * column, 4);
      Values next = multiplyAdd(a[product.a], columns[column][product.b], sum);
      llvm::copy(next, products.begin() + 4 * column);
    }
  for (auto [sum, added] : llvm::zip(sums, products)) sum = split.IsSplit() ? builder.addFloats(sum, added) : added;
}

}  // namespace mmtune
