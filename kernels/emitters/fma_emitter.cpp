// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of an `fma` schedule.
#include "kernels/emitters/block_work.h"
#include "kernels/emitters/emitters.h"
#include "kernels/emitters/fma_compute.h"
#include "kernels/emitters/fma_tile_copy.h"
#include "kernels/emitters/result_writer.h"
#include "kernels/emitters/split_reduction_emitter.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

class FmaEmitter {
 public:
  FmaEmitter(KernelBuilder& builder, const FmaTiling& tiling) : builder(builder), tiling(tiling), s(tiling.schedule) {}

  void emit(llvm::ArrayRef<Value> buffers) {
    const MatmulProblem& problem = tiling.problem;
    Value thread = builder.threadX(), shared = builder.sharedMemory();
    BlockWork work = assignBlockWork(builder, tiling.grid, problem.k);
    Value a = work.matrixOf(builder, buffers[0], problem.m * problem.k);
    Value b = work.matrixOf(builder, buffers[1], problem.k * problem.n);
    FmaTileCopy copyA(builder, tiling, 'A', a, shared, thread, work.row, work.firstK);
    FmaTileCopy copyB(builder, tiling, 'B', b, shared, thread, work.column, work.firstK);
    FmaCompute compute(builder, tiling, shared, thread);
    Values sums = s.async ? asyncLoop(work, copyA, copyB, compute) : syncLoop(work, copyA, copyB, compute);
    compute.store(sums, resultOf(builder, problem, s.reduction, work, buffers), work.row, work.column);
  }

 private:
  Value nextStage(Value stage) {
    Value next = builder.add(stage, tiling.StageElements());
    return builder.choose(builder.equal(next, s.stages * tiling.StageElements()), builder.constant(0), next);
  }

  /// stages-1 tiles are in flight while one is consumed; one barrier per k step.
  Values asyncLoop(const BlockWork& work, FmaTileCopy& copyA, FmaTileCopy& copyB, FmaCompute& compute) {
    Value a = copyA.start, b = copyB.start, remaining = work.remainingK;
    auto copyTile = [&](Value stage) {
      copyA.copyAsync(a, remaining, stage);
      copyB.copyAsync(b, remaining, stage);
      builder.commitCopies();
      a = builder.offset(a, copyA.advance);
      b = builder.offset(b, copyB.advance);
      remaining = builder.sub(remaining, builder.constant(s.bk));
    };
    int64_t ahead = s.stages - 1;
    for (int64_t stage = 0; stage < ahead; ++stage) copyTile(builder.constant(stage * tiling.StageElements()));

    Values carried = compute.accumulators();
    size_t sums = carried.size();
    carried.append({builder.constant(0), builder.constant(ahead * tiling.StageElements()), a, b, remaining});
    carried = builder.loop(work.tilesK, 1, carried, [&](Value, Values in) {
      Value readStage = in[sums], writeStage = in[sums + 1];
      a = in[sums + 2], b = in[sums + 3], remaining = in[sums + 4];
      waitForTile();
      copyTile(writeStage);
      in.truncate(sums);
      Values out = compute.multiply(readStage, in);
      out.append({nextStage(readStage), nextStage(writeStage), a, b, remaining});
      return out;
    });
    KernelBuilder::At at(builder, "wait for the last copies");
    builder.waitCopies(0);
    carried.truncate(sums);
    return carried;
  }

  /// Of this thread by the wait, of the others by the barrier, which also says that all have read
  /// the stage that is filled next.
  void waitForTile() {
    KernelBuilder::At at(builder, "wait for the tiles");
    builder.waitCopies(s.stages - 2);
    builder.barrier();
  }

  void barrier(llvm::StringRef name) {
    KernelBuilder::At at(builder, name);
    builder.barrier();
  }

  /// The next tile is on its way to registers while one is consumed.
  Values syncLoop(const BlockWork& work, FmaTileCopy& copyA, FmaTileCopy& copyB, FmaCompute& compute) {
    Value first = builder.constant(0);
    copyA.store(copyA.load(copyA.start, work.remainingK), first);
    copyB.store(copyB.load(copyB.start, work.remainingK), first);
    barrier("barrier after the first fill");

    Values carried = compute.accumulators();
    size_t sums = carried.size();
    carried.append({first, copyA.start, copyB.start, work.remainingK});
    carried = builder.loop(work.tilesK, 1, carried, [&](Value, Values in) {
      Value stage = in[sums];
      Value a = builder.offset(in[sums + 1], copyA.advance);
      Value b = builder.offset(in[sums + 2], copyB.advance);
      Value remaining = builder.sub(in[sums + 3], builder.constant(s.bk));
      Values chunksA = copyA.load(a, remaining), chunksB = copyB.load(b, remaining);
      in.truncate(sums);
      Values out = compute.multiply(stage, in);
      Value next = s.stages == 1 ? stage : nextStage(stage);
      if (s.stages == 1) barrier("barrier before the refill");
      copyA.store(chunksA, next);
      copyB.store(chunksB, next);
      barrier("barrier after the fill");
      out.append({next, a, b, remaining});
      return out;
    });
    carried.truncate(sums);
    return carried;
  }

  KernelBuilder& builder;
  const FmaTiling& tiling;
  const FmaSchedule& s;
};

}  // namespace

void emitFma(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule) {
  FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule));
  const FmaSchedule& s = tiling.schedule;
  Values buffers = beginProduct(builder, problem, kFmaKernel, tiling.threads, s.minBlocks, s.reduction);
  FmaEmitter(builder, tiling).emit(buffers);
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
