// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an `mma` schedule. The main kernel is, for each tile of C that a block computes,
//
//   copy the first stages-1 tiles
//   for each k step:                            one barrier each, two with one stage
//     wait for its tiles;  begin to copy the tiles stages-1 steps ahead
//     for each instruction along k:  load fragments (with prefetch those of the next one);  sums += A * B
//   add the sums of other blocks (ordered reduction), and store through shared memory (FragmentEpilogue)
#include <algorithm>
#include <utility>

#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/fragment_epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/mma/mma_compute_emitter.h"
#include "kernels/families/mma/mma_tile_copy_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Returns how the result of a schedule is stored.
FragmentTile fragmentTileOf(const MmaTiling& tiling) {
  FragmentTile tile;
  tile.sumType = tiling.problem.AccumulatorType();
  tile.rowsM = tiling.rowsM;
  tile.columns = tiling.schedule.wn;
  tile.slices = tiling.schedule.sliceK;
  tile.warpTiles = tiling.WarpTiles();
  tile.vector = tiling.storeC;
  tile.pitch = tiling.stagePitch;
  tile.rowStrideC = tiling.rowStrideC;
  tile.columnsC = tiling.problem.n;
  tile.mayOverhangRows = tiling.a.outerRagged;
  tile.mayOverhangColumns = tiling.b.outerRagged;
  tile.isAtomic = tiling.schedule.reduction == kAtomicReduction;
  tile.isTransposedA = tiling.a.TransposesBytes();
  tile.isTransposedB = tiling.b.TransposesBytes();
  return tile;
}

class MmaEmitter {
 public:
  MmaEmitter(KernelBuilder& builder, const MmaTiling& tiling, const MatmulLayout& layout)
      : builder(builder),
        tiling(tiling),
        s(tiling.schedule),
        layout(layout),
        group(ThreadGroup::block(tiling.threads)),
        thread(group.thread(builder)),
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
      finished = reduceInOrder(builder, tiling.grid, work, group, buffers.back(), shared, sums);
    builder.when(finished.isComplete, [&] {
      ResultWriter result = resultOf(builder, problem, s.reduction, work, buffers, layout);
      MmaWarp warp(builder, tiling, thread);
      FragmentTile tile = fragmentTileOf(tiling);
      FragmentEpilogue(builder, tile, group, warp, shared).store(finished.sums, result, work);
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
  const ThreadGroup group;
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
