// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an `mma` schedule. The main kernel is, for each tile of C that a block computes,
//
//   copy the first stages-1 tiles
//   for each k step:                            one barrier each, two with one stage
//     wait for its tiles;  begin to copy the tiles stages-1 steps ahead
//     for each instruction along k:  load fragments (with prefetch those of the next one);  sums += A * B
//   add the sums of other blocks (ordered reduction), and store through shared memory (MmaEpilogue)
#include <algorithm>
#include <utility>

#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/mma/mma_compute_emitter.h"
#include "kernels/families/mma/mma_tile_copy_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Rows of C that pass through shared memory at a time: those of an instruction.
constexpr int64_t kRows = 16;
constexpr int64_t kLanes = 32;

/// Stores the warp tiles of C. Contiguous elements lie in accumulators of several lanes, so for each 16 rows a warp
///
///   writes its accumulators to its part of shared memory;  waits for the warps that share the tile
///   reads vectors as wide as a store of C, summed over the slices of k, and stores epilogue(vector)
///
/// Consecutive lanes store consecutive vectors. With slices, all warps of a tile read and store some of its vectors.
/// Emits at the builder's insertion point.
class MmaEpilogue {
 public:
  MmaEpilogue(KernelBuilder& builder, const MmaTiling& tiling, Value shared, Value thread);

  /// Stores `sums` (MmaCompute::accumulators) to the matrix of `result` as the block's tile, or adds them atomically,
  /// as the schedule says. Nothing beyond the matrix is accessed. All threads have finished reading the tiles in shared
  /// memory.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  /// Source and target of the vector at some row and column of the warp's tile.
  struct Place {
    Value shared;
    ResultWriter result;
    Value rowsLeft, columnsLeft;  ///< Extents of C from there on; null where all tiles are within C.
  };

  /// Emits a barrier of the warps that share a tile; all warps of the block execute it equally often.
  void barrierOfTile();
  void exchange(llvm::ArrayRef<Value> sums);
  Place placeOf(const ResultWriter& result, Value row, Value column);
  /// Stores the warp's 16 rows in shared memory, which are the rows of its tile from `firstRow` on.
  void storeRows(const ResultWriter& result, int64_t firstRow);
  /// Loads `count` contiguous sums, and adds those of all slices.
  Value loadSum(Value shared, int64_t count);
  /// Stores the vector that is `sharedRows` rows of shared memory, and `rows` rows of C, below `place`.
  void storeVector(const Place& place, int64_t sharedRows, int64_t rows);

  KernelBuilder& builder;
  const MmaTiling& tiling;
  MmaWarp warp;
  mlir::Type sumType;
  int64_t workers;  ///< Number of lanes that store a warp tile.
  Value worker;     ///< Number of this lane among them.
  Value warpRows;   ///< The warp's 16 rows in shared memory.
  Value tileRows;   ///< Those of the tile's first warp; a slice's follow those of the slice before.
  BlockWork work;   ///< The argument of store().
};

MmaEpilogue::MmaEpilogue(KernelBuilder& builder, const MmaTiling& tiling, Value shared, Value thread)
    : builder(builder),
      tiling(tiling),
      warp(builder, tiling, thread),
      sumType(builder.typeOf(tiling.problem.AccumulatorType())),
      workers(kLanes * tiling.schedule.sliceK) {
  worker = warp.slice ? builder.add(builder.mul(warp.slice, kLanes), warp.lane) : warp.lane;
  warpRows = builder.offsetBytes(shared, builder.mul(warp.number, tiling.ResultBytesPerWarp()));
  tileRows = builder.offsetBytes(shared, builder.mul(warp.tile, tiling.ResultBytesPerWarp()));
}

void MmaEpilogue::store(const Values& sums, const ResultWriter& result, const BlockWork& work) {
  this->work = work;
  int64_t perRows = 4 * tiling.columnsN;
  for (int64_t i = 0; i < tiling.rowsM; ++i) {
    if (i > 0) {
      KernelBuilder::ScopedName at(builder, "wait for the tile's last rows to be read");
      barrierOfTile();
    }
    exchange(llvm::ArrayRef(sums).slice(i * perRows, perRows));
    storeRows(result, kRows * i);
  }
}

void MmaEpilogue::barrierOfTile() {
  if (tiling.schedule.sliceK == 1)
    builder.warpBarrier();
  else
    builder.barrier();
}

/// A lane has two neighbours in row lane / 4 and two in the row eight below, for each 8 columns. With transposed bytes
/// of A the two rows are consecutive. With transposed bytes of B the neighbours are two columns apart, and those of the
/// next 8 columns lie between and behind them.
void MmaEpilogue::exchange(llvm::ArrayRef<Value> sums) {
  int64_t pitch = tiling.stagePitch;
  auto [apart, lower] = tiling.a.TransposesBytes() ? std::pair(2, 1) : std::pair(1, 8);
  int64_t together = tiling.b.TransposesBytes() ? 2 : 1;
  Value row = builder.mul(builder.div(warp.lane, 4), apart * pitch);
  Value place = builder.add(row, builder.mul(builder.rem(warp.lane, 4), 2 * together));
  Value first = builder.offset(warpRows, place, sumType);
  KernelBuilder::ScopedName at(builder, "write finished rows to shared memory");
  for (int64_t j = 0; j < tiling.columnsN; j += together)
    for (int64_t half : {0, 1}) {
      Values neighbours;
      for (int64_t i = 0; i < 2 * together; ++i)
        neighbours.push_back(sums[4 * (j + i % together) + 2 * half + i / together]);
      Value vector = builder.concatenate(neighbours);
      builder.store(vector, builder.offset(first, lower * half * pitch + 8 * j, sumType));
    }
  barrierOfTile();
}

MmaEpilogue::Place MmaEpilogue::placeOf(const ResultWriter& result, Value row, Value column) {
  const MmaTiling& t = tiling;
  Value shared = builder.offset(tileRows, builder.add(builder.mul(row, t.stagePitch), column), sumType);
  Value rowOfC = builder.add(builder.add(work.row, warp.row), row);
  Value columnOfC = builder.add(builder.add(work.column, warp.column), column);
  Value firstOfRow = builder.mul(builder.extendToI64(rowOfC), t.rowStrideC);
  Value element = builder.add(firstOfRow, builder.extendToI64(columnOfC));
  Place place{shared, result.at(element, columnOfC), {}, {}};
  if (t.a.outerRagged) place.rowsLeft = builder.sub(work.rows, rowOfC);
  if (t.b.outerRagged) place.columnsLeft = builder.sub(builder.constant(t.problem.n), columnOfC);
  return place;
}

void MmaEpilogue::storeRows(const ResultWriter& result, int64_t firstRow) {
  int64_t width = tiling.storeC, perRow = tiling.schedule.wn / width, vectors = kRows * perRow;
  auto placeOfVector = [&](Value index) {
    Value row = builder.div(index, perRow);
    return placeOf(result, row, builder.mul(builder.rem(index, perRow), width));
  };
  if (workers % perRow != 0) {
    builder.loop(builder.constant(vectors), workers, {}, [&](Value done, Values) {
      Value index = builder.add(done, worker);
      builder.when(vectors % workers == 0 ? Value() : builder.less(index, vectors),
                   [&] { storeVector(placeOfVector(index), 0, firstRow); });
      return Values();
    });
    return;
  }
  // A lane's vectors lie in one column, a constant distance apart.
  Place place = placeOfVector(worker);
  for (int64_t first = 0; first < vectors; first += workers) {
    int64_t rows = first / perRow;
    builder.when(first + workers <= vectors ? Value() : builder.less(worker, vectors - first),
                 [&] { storeVector(place, rows, firstRow + rows); });
  }
}

Value MmaEpilogue::loadSum(Value shared, int64_t count) {
  Value sum = builder.load(sumType, shared, count);
  for (int64_t slice = 1; slice < tiling.schedule.sliceK; ++slice) {
    Value other = builder.offsetBytes(shared, slice * tiling.WarpTiles() * tiling.ResultBytesPerWarp());
    sum = builder.addAccumulators(sum, builder.load(sumType, other, count));
  }
  return sum;
}

void MmaEpilogue::storeVector(const Place& place, int64_t sharedRows, int64_t rows) {
  Value within;
  if (place.rowsLeft) within = builder.greater(place.rowsLeft, rows);
  if (place.columnsLeft) within = builder.logicalAnd(within, builder.greater(place.columnsLeft, 0));
  builder.when(within, [&] {
    Values sums;
    {
      KernelBuilder::ScopedName at(builder, "read finished rows from shared memory");
      Value shared = builder.offset(place.shared, sharedRows * tiling.stagePitch, sumType);
      int64_t count = std::min(tiling.storeC, kWidestAccess / tiling.SumBytes());
      for (int64_t i = 0; i < tiling.storeC; i += count) {
        Value part = loadSum(builder.offset(shared, i, sumType), count);
        for (int64_t j = 0; j < count; ++j) sums.push_back(builder.element(part, j));
      }
    }
    ResultWriter result = place.result.at(rows * tiling.rowStrideC, int64_t{0});
    Value vector = builder.concatenate(sums);
    if (tiling.schedule.reduction == kAtomicReduction)
      result.addAtomically(vector);
    else
      result.store(vector);
  });
}

class MmaEmitter {
 public:
  MmaEmitter(KernelBuilder& builder, const MmaTiling& tiling, const MatmulLayout& layout)
      : builder(builder),
        tiling(tiling),
        s(tiling.schedule),
        layout(layout),
        thread(builder.threadX()),
        shared(builder.sharedMemory()) {}

  void emit(llvm::ArrayRef<Value> buffers) {
    Value rows = rowsOf(builder, tiling.problem, tiling.sizes, buffers);
    forEachTileOfBlock(builder, tiling.grid, tiling.problem.k, rows, [&](const BlockWork& work) {
      if (tiling.grid.IsStreamK()) {
        KernelBuilder::ScopedName at(builder, "wait until finished rows are read");
        builder.barrier();
      }
      emitTile(work, buffers);
    });
  }

 private:
  void emitTile(const BlockWork& work, llvm::ArrayRef<Value> buffers) {
    const MatmulProblem& problem = tiling.problem;
    MmaCompute compute(builder, tiling, thread);
    mlir::Type element = builder.typeOf(problem.dtype);
    Value columns = builder.constant(problem.n);
    Value a = work.matrixOf(builder, buffers[0], work.rows, problem.k, element, layout, layout.a);
    Value b = work.matrixOf(builder, buffers[1], columns, problem.k, element, layout, layout.b);
    MmaTileCopy copyA(builder, tiling, 'A', a, thread, {work.row, work.rows}, work.firstK);
    MmaTileCopy copyB(builder, tiling, 'B', b, thread, {work.column, columns}, work.firstK);
    Values sums = multiplyTiles(work, compute, copyA, copyB);
    {
      KernelBuilder::ScopedName at(builder, "wait until all tiles are read");
      if (s.async) builder.waitCopies(0);
      builder.barrier();
    }
    OrderedReductionResult finished{sums, Value()};
    if (s.reduction == kOrderedReduction)
      finished = reduceInOrder(builder, tiling.grid, work, tiling.threads, buffers.back(), shared, sums);
    builder.when(finished.isComplete, [&] {
      ResultWriter result = resultOf(builder, problem, s.reduction, work, buffers, layout);
      MmaEpilogue(builder, tiling, shared, thread).store(finished.sums, result, work);
    });
  }

  /// The next tile to copy: the thread's addresses in it, and the k values from its first one on.
  struct Cursor {
    Value a, b, remaining;
  };
  /// Chunks that pass through registers on the way to shared memory.
  struct Waiting {
    Values a, b;
  };

  Value stageAt(Value offset) { return builder.offsetBytes(shared, offset); }

  Value nextStage(Value stage) {
    if (s.stages == 1) return stage;
    Value next = builder.add(stage, tiling.StageBytes());
    Value isLast = builder.equal(next, s.stages * tiling.StageBytes());
    return builder.select(isLast, builder.constant(0), next);
  }

  /// Begins to copy the tiles at `cursor`, and advances it.
  Waiting beginCopies(MmaTileCopy& copyA, MmaTileCopy& copyB, Cursor& cursor, Value stage) {
    Waiting waiting;
    waiting.a = copyA.begin(cursor.a, cursor.remaining, stageAt(stage));
    waiting.b = copyB.begin(cursor.b, cursor.remaining, stageAt(stage));
    if (s.async) builder.commitCopies();
    cursor.a = builder.offsetBytes(cursor.a, copyA.advance);
    cursor.b = builder.offsetBytes(cursor.b, copyB.advance);
    cursor.remaining = builder.sub(cursor.remaining, builder.constant(s.bk));
    return waiting;
  }

  void finishCopies(MmaTileCopy& copyA, MmaTileCopy& copyB, const Waiting& waiting, Value stage) {
    copyA.finish(waiting.a, stageAt(stage));
    copyB.finish(waiting.b, stageAt(stage));
  }

  /// Waits for the copies of this thread, and at the barrier for those of the others; behind it all threads have read
  /// the stage that is filled next.
  void waitForTile(int64_t behind) {
    KernelBuilder::ScopedName at(builder, "wait for the tiles");
    if (s.async) builder.waitCopies(behind);
    builder.barrier();
  }

  /// Multiplies all tiles of a range of k, with one barrier for each, two with one stage.
  Values multiplyTiles(const BlockWork& work, MmaCompute& compute, MmaTileCopy& copyA, MmaTileCopy& copyB) {
    Cursor cursor{copyA.start, copyB.start, work.remainingK};
    int64_t inFlight = s.stages - 1;
    for (int64_t stage = 0; stage < inFlight; ++stage) {
      Value offset = builder.constant(stage * tiling.StageBytes());
      finishCopies(copyA, copyB, beginCopies(copyA, copyB, cursor, offset), offset);
    }
    Values carried = compute.accumulators();
    size_t sums = carried.size();
    if (s.prefetch) {
      waitForTile(s.stages - 2);
      carried.append(compute.load(stageAt(builder.constant(0)), 0));
    }
    size_t fragments = carried.size() - sums;
    carried.append({builder.constant(0), builder.constant(inFlight * tiling.StageBytes())});
    carried.append({cursor.a, cursor.b, cursor.remaining});
    carried = builder.loop(
        work.tilesK, 1, carried,
        [&](Value, Values in) {
          llvm::ArrayRef<Value> rest = llvm::ArrayRef(in).drop_front(sums + fragments);
          Value readStage = rest[0], writeStage = rest[1];
          Cursor next{rest[2], rest[3], rest[4]};
          Values out(in.begin(), in.begin() + sums);
          Values early(in.begin() + sums, in.begin() + sums + fragments);
          auto begin = [&] { return beginCopies(copyA, copyB, next, writeStage); };
          auto finish = [&](const Waiting& waiting) { finishCopies(copyA, copyB, waiting, writeStage); };
          if (s.prefetch)
            multiplyPrefetched(compute, readStage, begin, finish, out, early);
          else
            multiplyTile(compute, readStage, begin, finish, out);
          out.append(early);
          out.append({nextStage(readStage), nextStage(writeStage), next.a, next.b, next.remaining});
          return out;
        },
        Unrolling::kNone);
    carried.truncate(sums);
    return carried;
  }

  /// Multiplies a tile while that of `begin` is copied; with one stage it is the same tile.
  template <typename Begin, typename Finish>
  void multiplyTile(MmaCompute& compute, Value readStage, Begin begin, Finish finish, Values& sums) {
    Waiting waiting;
    if (s.stages == 1) {
      barrierBeforeRefill();
      finish(begin());
      waitForTile(0);
    } else {
      waitForTile(s.stages - 2);
      waiting = begin();
    }
    for (int64_t step = 0; step < tiling.stepsK; ++step) compute.multiply(compute.load(stageAt(readStage), step), sums);
    if (s.stages > 1) finish(waiting);
  }

  void barrierBeforeRefill() {
    KernelBuilder::ScopedName at(builder, "barrier before the refill");
    builder.barrier();
  }

  /// Like multiplyTile(), with `fragments` prefetched one instruction ahead, the first ones of the next tile too.
  template <typename Begin, typename Finish>
  void multiplyPrefetched(MmaCompute& compute, Value readStage, Begin begin, Finish finish, Values& sums,
                          Values& fragments) {
    Waiting waiting;
    for (int64_t step = 0; step < tiling.stepsK; ++step) {
      bool last = step + 1 == tiling.stepsK;
      if (last) {
        finish(waiting);
        waitForTile(s.stages - 2);
      }
      Values next = compute.load(stageAt(last ? nextStage(readStage) : readStage), last ? 0 : step + 1);
      if (step == 0) waiting = begin();
      compute.multiply(fragments, sums);
      fragments = next;
    }
  }

  KernelBuilder& builder;
  const MmaTiling& tiling;
  const MmaSchedule& s;
  const MatmulLayout& layout;
  Value thread, shared;
};

}  // namespace

void emitMma(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes,
             const MatmulLayout& layout) {
  MmaTiling tiling(problem, MmaSchedule::FromSchedule(schedule), sizes, layout);
  const MmaSchedule& s = tiling.schedule;
  Values buffers = beginMainKernel(builder, problem, kMmaKernel, tiling.threads, s.minBlocks, s.reduction, sizes);
  MmaEmitter(builder, tiling, layout).emit(buffers);
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
