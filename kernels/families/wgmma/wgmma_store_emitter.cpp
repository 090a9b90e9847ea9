// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/wgmma/wgmma_store_emitter.h"

#include <algorithm>

#include "kernels/builder/mbarrier.h"
#include "kernels/builder/tensor_copy.h"
#include "kernels/builder/wgmma.h"
#include "kernels/families/common/fragment_epilogue_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Rows of a warp.
constexpr int64_t kWarpRows = 16;

}  // namespace

WgmmaStore::WgmmaStore(KernelBuilder& builder, const WgmmaTiling& tiling, llvm::ArrayRef<Value> buffers, Value shared,
                       const WgmmaConsumer& consumer)
    : builder(builder), tiling(tiling), s(tiling.schedule), buffers(buffers), consumer(consumer) {
  rowsInShared = builder.offsetBytes(shared, tiling.StoreOffset());
  lane = builder.rem(consumer.thread, kWarpThreads);
  warp = builder.div(consumer.thread, kWarpThreads);
  if (tiling.StoresByCopies()) isFirst = builder.equal(consumer.thread, 0);
}

void WgmmaStore::begin(const BlockWork& work, Value number) {
  this->work = work;
  tilesBefore = number;
  if (s.addend != kAddendByCopies) return;
  KernelBuilder::ScopedName at(builder, "load the first parts of the addend");
  builder.when(isFirst, [&] {
    if (tiling.IsPersistent()) waitForStores(builder, 0, /*readOnly=*/true);
    for (int64_t part = 0; part < s.epiBuffers; ++part) loadAddend(part);
  });
}

void WgmmaStore::store(const BlockWork& work, llvm::ArrayRef<Value> sums) {
  this->work = work;
  if (tiling.StoresByCopies())
    storeByCopies(sums);
  else if (s.epiColumns > 0)
    storeThroughShared(sums);
  else
    storeDirectly(sums);
}

void WgmmaStore::finish() {
  if (!tiling.StoresByCopies()) return;
  KernelBuilder::ScopedName at(builder, "wait until the last parts are read");
  builder.when(isFirst, [&] { waitForStores(builder, 0, /*readOnly=*/true); });
}

/// A thread has two neighbours of each 8 columns, in row lane / 4 of its warp's 16 rows and in the row eight below.
void WgmmaStore::storeDirectly(llvm::ArrayRef<Value> sums) {
  Value rowOfWarp = builder.mul(warp, kWarpRows), rowOfConsumer = builder.add(rowOfWarp, builder.div(lane, 4));
  Value row = builder.add(work.row, builder.add(builder.mul(consumer.tileNumber, 64 * s.mi), rowOfConsumer));
  Value column = builder.add(work.column, builder.mul(builder.rem(lane, 4), 2));
  const int64_t n = tiling.problem.n;
  Value firstOfRow = builder.mul(builder.extendToI64(row), n);
  const ResultWriter result = this->result().at(builder.add(firstOfRow, builder.extendToI64(column)), column);
  Value rowsLeft = builder.sub(work.rows, row), columnsLeft = builder.sub(builder.constant(n), column);
  for (int64_t i = 0; i < s.mi; ++i)
    for (int64_t half : {0, 1}) {
      const int64_t below = 64 * i + 8 * half;
      builder.when(isRaggedM() ? builder.greater(rowsLeft, below) : Value(), [&] {
        for (int64_t j = 0; j < s.bn / 8; ++j)
          for (int64_t first = 0; first < 2; first += tiling.storeC) {
            const int64_t right = 8 * j + first;
            builder.when(isRaggedN() ? builder.greater(columnsLeft, right) : Value(), [&] {
              auto at = sums.begin() + i * accumulators() + 4 * j + 2 * half + first;
              result.at(below * n + right, right).store(builder.concatenate(Values(at, at + tiling.storeC)));
            });
          }
      });
    }
}

/// Stores some columns after others: what FragmentEpilogue does with those of the consumers' warps.
void WgmmaStore::storeThroughShared(llvm::ArrayRef<Value> sums) {
  const ResultWriter result = this->result();
  FragmentTile tile;
  tile.sumType = tiling.problem.AccumulatorType();
  tile.rowsM = s.mi;
  tile.rowStep = kWgmmaRows;
  tile.warpTiles = 4 * s.consumers;
  tile.vector = tiling.storeC;
  tile.pitch = tiling.StorePitch();
  tile.rowStrideC = tile.columnsC = tiling.problem.n;
  tile.mayOverhangRows = isRaggedM();
  tile.mayOverhangColumns = isRaggedN();
  FragmentWarp fragment;
  fragment.lane = lane;
  fragment.number = fragment.tile = builder.add(builder.mul(consumer.number, 4), warp);
  Value rowOfConsumer = builder.mul(consumer.tileNumber, kWgmmaRows * s.mi);
  fragment.row = builder.add(rowOfConsumer, builder.mul(warp, kWarpRows));
  for (int64_t first = 0; first < s.bn; first += s.epiColumns) {
    tile.columns = std::min(s.epiColumns, s.bn - first);
    fragment.column = builder.constant(first);
    Values ofColumns;
    for (int64_t i = 0; i < s.mi; ++i)
      llvm::append_range(ofColumns, sums.slice(i * accumulators() + first / 2, tile.columns / 2));
    {
      KernelBuilder::ScopedName at(builder, "wait until finished rows are read");
      builder.warpBarrier();
    }
    FragmentEpilogue(builder, tile, ThreadGroup(), fragment, rowsInShared).store(ofColumns, result, work);
  }
}

void WgmmaStore::storeByCopies(llvm::ArrayRef<Value> sums) {
  int64_t part = 0;
  for (int64_t row = 0; row < kWgmmaRows * s.mi; row += kWgmmaRows)
    for (int64_t column = 0; column < s.bn; column += s.epiColumns, ++part) {
      Value buffer = bufferOf(part);
      // Every tile begins with the first buffer. So if the parts of a tile are no multiple of the buffers, the last
      // part of the tile before has had the buffer of the first.
      const bool followsItself = part == 0 && tiling.PartsOfTile() % s.epiBuffers != 0;
      if (s.addend == kAddendByCopies) {
        if (const int64_t next = part + s.epiBuffers - 1; part > 0 && next < tiling.PartsOfTile()) {
          KernelBuilder::ScopedName at(builder, "load a part of the addend");
          builder.when(isFirst, [&] {
            waitForStores(builder, 0, /*readOnly=*/true);
            loadAddend(next);
          });
        }
        waitForAddend(part);
      } else if (part >= s.epiBuffers || tiling.IsPersistent()) {
        KernelBuilder::ScopedName at(builder, "wait until the buffer is read");
        builder.when(isFirst, [&] { waitForStores(builder, followsItself ? 0 : s.epiBuffers - 1, /*readOnly=*/true); });
        consumer.group.synchronize(builder);
      }
      {
        KernelBuilder::ScopedName at(builder, "write a part of the tile to shared memory");
        writePart(buffer, row, column, sums);
        fenceAsyncProxy(builder);
      }
      KernelBuilder::ScopedName at(builder, "store a part of the tile");
      consumer.group.synchronize(builder);
      builder.when(isFirst, [&] { copyPart(buffer, row, column); });
    }
}

void WgmmaStore::writePart(Value buffer, int64_t firstRow, int64_t firstColumn, llvm::ArrayRef<Value> sums) {
  // Elements beyond C are not stored, but their bias and addend would be read: they get those of the last ones within.
  const MatmulProblem& problem = tiling.problem;
  const bool loadsAddend = problem.HasAddend() && s.addend == kAddendByThreads;
  const bool readsOperands = s.reduction != kWorkspaceReduction && (problem.HasBias() || loadsAddend);
  const bool clampsRows = readsOperands && isRaggedM(), clampsColumns = readsOperands && isRaggedN();
  Value rowOfWarp = builder.mul(warp, kWarpRows), rowOfConsumer = builder.add(rowOfWarp, builder.div(lane, 4));
  Value rowOfTile = builder.add(builder.mul(consumer.tileNumber, kWgmmaRows * s.mi), rowOfConsumer);
  Value row = builder.add(builder.add(work.row, rowOfTile), firstRow);
  Value column = builder.add(builder.add(work.column, builder.mul(builder.rem(lane, 4), 2)), firstColumn);
  const ResultWriter result = this->result();
  Values pairs(s.epiColumns / 4), addend;
  if (s.addend == kAddendByCopies) addend = readPairs(buffer);
  const auto finish = [&](const ResultWriter& writer, Value pair, int64_t number) {
    return (addend.empty() ? writer : writer.withAddend(addend[number])).finish(pair);
  };
  for (int64_t half : {0, 1}) {
    Value inRow = builder.add(row, 8 * half);
    if (clampsRows) inRow = builder.min(inRow, builder.sub(work.rows, builder.constant(1)));
    Value firstOfRow = builder.mul(builder.extendToI64(inRow), problem.n);
    const ResultWriter ofRow = result.at(firstOfRow, builder.constant(0)), ofColumn = ofRow.at(column, column);
    for (int64_t j = 0; j < s.epiColumns / 8; ++j) {
      auto at = sums.begin() + firstRow / kWgmmaRows * accumulators() + firstColumn / 2 + 4 * j + 2 * half;
      Value pair = builder.concatenate({at[0], at[1]});
      if (clampsColumns) {
        Value last = builder.constant(problem.n - 2), within = builder.min(builder.add(column, 8 * j), last);
        pairs[2 * j + half] = finish(ofRow.at(within, within), pair, 2 * j + half);
      } else {
        pairs[2 * j + half] = finish(ofColumn.at(8 * j, 8 * j), pair, 2 * j + half);
      }
    }
  }
  writePairs(buffer, pairs);
}

void WgmmaStore::writePairs(Value buffer, llvm::ArrayRef<Value> pairs) {
  if (tiling.staging.elementBytes == 2)
    forEachWords(buffer, [&](Value address) {
      Values words;
      for (Value pair : pairs.take_front(4)) words.push_back(builder.bitcast(pair, builder.i32()));
      pairs = pairs.drop_front(4);
      storeMatrices(builder, address, words);
    });
  else
    forEachPair(buffer, [&](Value early, Value late, Value isOddFirst) {
      Value even = builder.element(pairs.front(), 0), odd = builder.element(pairs.front(), 1);
      pairs = pairs.drop_front();
      builder.store(builder.select(isOddFirst, odd, even), early);
      builder.store(builder.select(isOddFirst, even, odd), late);
    });
}

Values WgmmaStore::readPairs(Value buffer) {
  mlir::Type type = builder.typeOf(tiling.problem.TypeOfC());
  Values pairs;
  if (tiling.staging.elementBytes == 2) {
    forEachWords(buffer, [&](Value address) {
      for (Value word : builder.loadMatrices(address, 4, /*transposed=*/false))
        pairs.push_back(builder.bitcast(word, builder.vectorOf(type, 2)));
    });
    builder.warpBarrier();  // Other lanes write what this one has read.
  } else {
    forEachPair(buffer, [&](Value early, Value late, Value isOddFirst) {
      Value first = builder.load(type, early, 1), second = builder.load(type, late, 1);
      pairs.push_back(
          builder.concatenate({builder.select(isOddFirst, second, first), builder.select(isOddFirst, first, second)}));
    });
  }
  return pairs;
}

Value WgmmaStore::permutationOf(Value row) {
  return builder.rem(builder.div(row, tiling.staging.RowsOfLine()), tiling.staging.ChunksOfRow());
}

Value WgmmaStore::offsetOfChunk(Value row, Value chunk) {
  Value permuted = builder.exclusiveOr(chunk, permutationOf(row));
  Value ofRow = builder.mul(builder.add(builder.mul(warp, kWarpRows), row), tiling.staging.rowBytes);
  return builder.add(ofRow, builder.mul(permuted, WgmmaStaging::kChunkBytes));
}

/// Lanes 0 to 15 have the addresses of the 16 rows of the first 8 columns, lanes 16 to 31 those of the others. As rows
/// begin at multiples of their size, the next 16 columns invert a bit of the offset.
void WgmmaStore::forEachWords(Value buffer, llvm::function_ref<void(Value address)> use) {
  Value row = builder.rem(lane, kWarpRows), chunk = builder.div(lane, kWarpRows), offset = offsetOfChunk(row, chunk);
  for (int64_t column = 0; column < s.epiColumns; column += 16) {
    constexpr int64_t kBytes = 2 * WgmmaStaging::kChunkBytes;
    Value columns = builder.exclusiveOr(offset, builder.constant(column / 16 * kBytes));
    use(builder.offsetBytes(buffer, columns));
  }
}

/// Four lanes have 8 columns of a row, two chunks. The chunks of two neighbouring rows with different permutations lie
/// in the same banks: one row writes its even columns first, the other its odd ones.
void WgmmaStore::forEachPair(Value buffer, llvm::function_ref<void(Value early, Value late, Value isOddFirst)> use) {
  constexpr int64_t kElementBytes = 4, kChunkElements = WgmmaStaging::kChunkBytes / kElementBytes;
  const WgmmaStaging& staging = tiling.staging;
  Value row = builder.div(lane, 4), pairInRow = builder.rem(lane, 4);
  Value chunk = builder.div(pairInRow, 2), inChunk = builder.mul(builder.rem(pairInRow, 2), 2 * kElementBytes);
  Value bit = builder.rem(permutationOf(row), 2), isOddFirst = builder.equal(bit, 1);
  Value pair = builder.add(offsetOfChunk(row, chunk), inChunk),
        first = builder.add(pair, builder.mul(bit, kElementBytes));
  for (int64_t column = 0; column < s.epiColumns; column += 8)
    for (int64_t half : {0, 1}) {
      const int64_t slab = column / staging.RowElements(), inSlab = column % staging.RowElements();
      Value ofColumns =
          builder.exclusiveOr(first, builder.constant(inSlab / kChunkElements * WgmmaStaging::kChunkBytes));
      Value other = builder.exclusiveOr(ofColumns, builder.constant(kElementBytes));
      Value target = builder.offsetBytes(buffer, slab * staging.SlabBytes() + half * 8 * staging.rowBytes);
      use(builder.offsetBytes(target, ofColumns), builder.offsetBytes(target, other), isOddFirst);
    }
}

Value WgmmaStore::bufferOf(int64_t part) {
  Value first = builder.offsetBytes(rowsInShared, builder.mul(consumer.number, tiling.StoreBytes()));
  return builder.offsetBytes(first, part % s.epiBuffers * tiling.staging.bytes());
}

Value WgmmaStore::addendBarrierOf(int64_t part) {
  const int64_t offset = tiling.AddendBarrierOffset() - tiling.StoreOffset();
  Value first = builder.offsetBytes(rowsInShared, builder.mul(consumer.number, s.epiBuffers * kMbarrierBytes));
  return builder.offsetBytes(first, offset + part % s.epiBuffers * kMbarrierBytes);
}

void WgmmaStore::loadAddend(int64_t part) {
  Value barrier = addendBarrierOf(part), buffer = bufferOf(part);
  arriveExpectingBytes(builder, barrier, builder.constant(tiling.staging.bytes()));
  for (int64_t slab = 0; slab < tiling.staging.slabs; ++slab)
    loadTensor(builder,
               {builder.offsetBytes(buffer, slab * tiling.staging.SlabBytes()), buffers[tiling.AddendArgument()],
                coordinatesOf(rowOfPart(part), columnOfPart(part), slab, work.matrix), barrier});
}

void WgmmaStore::waitForAddend(int64_t part) {
  KernelBuilder::ScopedName at(builder, "wait for a part of the addend");
  // Each part with the same buffer in this tile and those before completes one phase.
  const int64_t ofTile = CeilDiv(tiling.PartsOfTile() - part % s.epiBuffers, s.epiBuffers);
  Value phases = builder.add(builder.mul(tilesBefore, ofTile), part / s.epiBuffers);
  waitMbarrier(builder, addendBarrierOf(part), builder.rem(phases, 2));
}

Values WgmmaStore::coordinatesOf(int64_t firstRow, int64_t firstColumn, int64_t slab, Value matrix) {
  Value rowOfTile = builder.add(builder.mul(consumer.tileNumber, kWgmmaRows * s.mi), firstRow);
  Value row = builder.add(work.row, rowOfTile);
  Values coordinates = {builder.add(work.column, firstColumn + slab * tiling.staging.RowElements()), row};
  if (matrix) coordinates.push_back(matrix);
  return coordinates;
}

void WgmmaStore::copyPart(Value buffer, int64_t firstRow, int64_t firstColumn) {
  Value matrix = work.matrix;
  if (s.reduction == kWorkspaceReduction) {
    Value before = builder.mul(work.split, tiling.problem.batch);
    matrix = matrix ? builder.add(before, matrix) : before;
  }
  for (int64_t slab = 0; slab < tiling.staging.slabs; ++slab)
    storeTensor(builder, buffers[2], builder.offsetBytes(buffer, slab * tiling.staging.SlabBytes()),
                coordinatesOf(firstRow, firstColumn, slab, matrix));
  commitStores(builder);
}

}  // namespace mmtune
