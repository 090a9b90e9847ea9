// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an `fma` schedule. The main kernel is, for each tile of C that a block computes,
//
//   copy the first stages-1 tiles (async), or the first tile through registers
//   for each k step:
//     begin to copy a later tile;  sums += A * B from shared memory;  wait for the next tile
//   add the sums of slices and of other blocks (ordered reduction), and store
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/fma/fma_compute_emitter.h"
#include "kernels/families/fma/fma_tile_copy_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

class FmaEmitter {
 public:
  FmaEmitter(KernelBuilder& builder, const FmaTiling& tiling, const MatmulLayout& layout)
      : builder(builder), tiling(tiling), s(tiling.schedule), layout(layout) {}

  void emit(llvm::ArrayRef<Value> buffers) {
    const MatmulProblem& problem = tiling.problem;
    Value thread = builder.threadX(), shared = builder.sharedMemory();
    Value rows = rowsOf(builder, problem, tiling.sizes, buffers), columns = builder.constant(problem.n);
    forEachTileOfBlock(builder, tiling.grid, problem.k, rows, [&](const BlockWork& work) {
      if (tiling.grid.IsStreamK()) barrier("wait until the tiles before are read");
      emitTile(work, buffers, thread, shared, columns);
    });
  }

 private:
  void emitTile(const BlockWork& work, llvm::ArrayRef<Value> buffers, Value thread, Value shared, Value columns) {
    const MatmulProblem& problem = tiling.problem;
    Value rows = work.rows;
    Value a = work.matrixOf(builder, buffers[0], rows, problem.k, builder.f32(), layout, layout.a);
    Value b = work.matrixOf(builder, buffers[1], columns, problem.k, builder.f32(), layout, layout.b);
    FmaTileCopy copyA(builder, tiling, 'A', a, shared, thread, {work.row, rows}, work.firstK);
    FmaTileCopy copyB(builder, tiling, 'B', b, shared, thread, {work.column, columns}, work.firstK);
    FmaCompute compute(builder, tiling, shared, thread);
    Values sums = s.async ? asyncLoop(work, copyA, copyB, compute) : syncLoop(work, copyA, copyB, compute);
    if (s.sliceK > 1) {
      barrier("wait until all tiles are read");
      sums = sumSlices(builder, tiling, shared, thread, compute.vectors(sums));
    }
    OrderedReductionResult finished{sums, Value()};
    if (s.reduction == kOrderedReduction)
      finished =
          reduceInOrder(builder, tiling.grid, work, ThreadGroup::block(tiling.threads), buffers.back(), shared, sums);
    builder.when(finished.isComplete, [&] {
      compute.store(finished.sums, resultOf(builder, problem, s.reduction, work, buffers, layout), work);
    });
  }

  Value nextStage(Value stage) {
    Value next = builder.add(stage, tiling.StageElements());
    Value isLast = builder.equal(next, s.stages * tiling.StageElements());
    return builder.select(isLast, builder.constant(0), next);
  }

  /// The next tiles of both operands to copy, see FmaTileCopy::Tile.
  struct Source {
    Value a, b, remaining, count;

    FmaTileCopy::Tile ofA() const { return {a, remaining, count}; }
    FmaTileCopy::Tile ofB() const { return {b, remaining, count}; }
    Values values() const { return {a, b, remaining}; }
    static Source later(llvm::ArrayRef<Value> values) { return {values[0], values[1], values[2], Value()}; }
  };

  /// Returns the first tiles. The first step is the short one, so that copies in the loop need no bounds check along k.
  Source first(const BlockWork& work, const FmaTileCopy& copyA, const FmaTileCopy& copyB) {
    Source source{copyA.start, copyB.start, work.remainingK, Value()};
    if (tiling.problem.k % s.bk != 0)
      source.count = builder.sub(work.remainingK, builder.mul(builder.sub(work.tilesK, builder.constant(1)), s.bk));
    return source;
  }

  Source next(const Source& at, FmaTileCopy& copyA, FmaTileCopy& copyB) {
    Value count = at.count ? at.count : builder.constant(s.bk);
    return {copyA.next(at.ofA(), count), copyB.next(at.ofB(), count), builder.sub(at.remaining, count), Value()};
  }

  /// Multiplies all tiles with cp.async: stages-1 tiles are in flight while one is multiplied; one barrier per k step.
  Values asyncLoop(const BlockWork& work, FmaTileCopy& copyA, FmaTileCopy& copyB, FmaCompute& compute) {
    Source source = first(work, copyA, copyB);
    auto copyTile = [&](Value stage) {
      copyA.copyAsync(source.ofA(), stage);
      copyB.copyAsync(source.ofB(), stage);
      builder.commitCopies();
      source = next(source, copyA, copyB);
    };
    int64_t inFlight = s.stages - 1;
    for (int64_t stage = 0; stage < inFlight; ++stage) copyTile(builder.constant(stage * tiling.StageElements()));
    Value readStage = builder.constant(0), writeStage = builder.constant(inFlight * tiling.StageElements());

    Values carried = compute.accumulators(), prefetched;
    size_t sums = carried.size();
    if (tiling.PrefetchesFragments()) {
      waitForTile();
      prefetched = compute.fragments(readStage, 0);
    }
    carried.append({readStage, writeStage});
    carried.append(source.values());
    carried.append(prefetched);
    carried = builder.loop(work.tilesK, 1, carried, [&](Value, Values in) {
      readStage = in[sums], writeStage = in[sums + 1];
      source = Source::later(llvm::ArrayRef(in).slice(sums + 2, 3));
      prefetched.assign(in.begin() + sums + 5, in.end());
      in.truncate(sums);
      if (!tiling.PrefetchesFragments()) waitForTile();
      // All threads have read this stage before the last barrier.
      copyTile(writeStage);
      Value nextRead = nextStage(readStage);
      Values out = tiling.PrefetchesFragments() ? compute.multiplyPrefetched(readStage, prefetched, in,
                                                                             [&] {
                                                                               waitForTile();
                                                                               return nextRead;
                                                                             })
                                                : compute.multiply(readStage, in);
      out.append({nextRead, nextStage(writeStage)});
      out.append(source.values());
      out.append(prefetched);
      return out;
    });
    KernelBuilder::ScopedName at(builder, "wait for the last copies");
    builder.waitCopies(0);
    carried.truncate(sums);
    return carried;
  }

  /// Waits for the copies of this thread, and at the barrier for those of the others; behind it all threads have read
  /// the stage that is filled next.
  void waitForTile() {
    KernelBuilder::ScopedName at(builder, "wait for the tiles");
    builder.waitCopies(s.stages - 2);
    builder.barrier();
  }

  void barrier(llvm::StringRef name) {
    KernelBuilder::ScopedName at(builder, name);
    builder.barrier();
  }

  /// Multiplies all tiles with copies through registers: the next tile is loaded while one is multiplied.
  Values syncLoop(const BlockWork& work, FmaTileCopy& copyA, FmaTileCopy& copyB, FmaCompute& compute) {
    Source source = first(work, copyA, copyB);
    Value stage = builder.constant(0);
    copyA.store(copyA.load(source.ofA()), stage);
    copyB.store(copyB.load(source.ofB()), stage);
    barrier("barrier after the first fill");

    Values carried = compute.accumulators(), prefetched;
    size_t sums = carried.size();
    if (tiling.PrefetchesFragments()) prefetched = compute.fragments(stage, 0);
    source = next(source, copyA, copyB);
    carried.push_back(stage);
    carried.append(source.values());
    carried.append(prefetched);
    carried = builder.loop(work.tilesK, 1, carried, [&](Value, Values in) {
      stage = in[sums];
      source = Source::later(llvm::ArrayRef(in).slice(sums + 1, 3));
      prefetched.assign(in.begin() + sums + 4, in.end());
      in.truncate(sums);
      Values chunksA = copyA.load(source.ofA()), chunksB = copyB.load(source.ofB());
      Value filled = s.stages == 1 ? stage : nextStage(stage);
      auto fill = [&] {
        if (s.stages == 1) barrier("barrier before the refill");
        copyA.store(chunksA, filled);
        copyB.store(chunksB, filled);
        barrier("barrier after the fill");
        return filled;
      };
      Values out = tiling.PrefetchesFragments() ? compute.multiplyPrefetched(stage, prefetched, in, fill)
                                                : compute.multiply(stage, in);
      if (!tiling.PrefetchesFragments()) fill();
      source = next(source, copyA, copyB);
      out.push_back(filled);
      out.append(source.values());
      out.append(prefetched);
      return out;
    });
    carried.truncate(sums);
    return carried;
  }

  KernelBuilder& builder;
  const FmaTiling& tiling;
  const FmaSchedule& s;
  const MatmulLayout& layout;
};

}  // namespace

void emitFma(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes,
             const MatmulLayout& layout) {
  FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule), sizes, layout);
  const FmaSchedule& s = tiling.schedule;
  Values buffers = beginMainKernel(builder, problem, kFmaKernel, tiling.threads, s.minBlocks, s.reduction, sizes);
  FmaEmitter(builder, tiling, layout).emit(buffers);
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
