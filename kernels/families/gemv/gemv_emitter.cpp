// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a `gemv` schedule.
#include <algorithm>

#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/gemv/gemv_family.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Floats that a thread accesses at once in shared memory.
constexpr int64_t kWidestShared = 4;

/// Emits, for each thread,
///
///   for steps of unroll chunks along k:  load the vector and the matrix;  sums += vector * matrix
///   sums += sums of the other lanes along k (shuffles), then of the other warps along k (shared memory)
///   store epilogue(sums)
///
/// Consecutive lanes read consecutive chunks of a row of the matrix; a thread's chunks along k are StrideK() apart.
/// Outputs beyond the matrix read its last chunk and are not stored; elements beyond k count as zero.
class GemvEmitter {
 public:
  GemvEmitter(KernelBuilder& builder, const GemvTiling& tiling, const MatmulLayout& layout)
      : builder(builder), t(tiling), s(tiling.schedule), layout(layout), type(builder.typeOf(tiling.problem.dtype)) {}

  void emit(llvm::ArrayRef<Value> buffers) {
    const MatmulProblem& problem = t.problem;
    BlockWork work = assignBlockWork(builder, t.grid, problem.k, builder.constant(problem.m));
    Value outputs = builder.constant(t.outputs), one = builder.constant(1);
    matrix = work.matrixOf(builder, buffers[t.matrixIsA ? 0 : 1], outputs, problem.k, type, layout,
                           t.matrixIsA ? layout.a : layout.b);
    vector = work.matrixOf(builder, buffers[t.matrixIsA ? 1 : 0], one, problem.k, type, layout,
                           t.matrixIsA ? layout.b : layout.a);
    setAddresses(work);
    Values sums = sumOverLanes(multiply(work));
    share(sums);
    ResultWriter result = resultOf(builder, problem, s.reduction, work, buffers, layout);
    builder.when(isFirstAlongK(), [&] {
      addOtherWarps(sums);
      for (int64_t i = 0; i < s.pieces; ++i) store(sums[i], result, i);
    });
  }

 private:
  void setAddresses(const BlockWork& work) {
    Value thread = builder.threadX(), lane = builder.rem(thread, 32), warp = builder.div(thread, 32);
    warpK = builder.rem(warp, s.warpsK);
    Value warpOut = builder.div(warp, s.warpsK), laneOut;
    if (t.rowsAlongK) {
      laneK = builder.rem(lane, s.lanesK);
      laneOut = builder.div(lane, s.lanesK);
    } else {
      laneK = builder.div(lane, t.lanesOut);
      laneOut = builder.rem(lane, t.lanesOut);
    }
    Value outputOfWarp = builder.mul(warpOut, t.WarpOutputs());
    outputInBlock = builder.add(outputOfWarp, builder.mul(laneOut, t.ChunkOut()));
    output = builder.add(t.matrixIsA ? work.row : work.column, outputInBlock);
    firstK = builder.mul(builder.add(builder.mul(warpK, s.lanesK), laneK), t.ChunkK());
    Value k = builder.extendToI64(builder.add(work.firstK, firstK));
    vectorAt = builder.offset(vector, builder.mul(k, t.vectorStride), type);
    for (int64_t i = 0; i < s.pieces; ++i) {
      Value at = builder.add(output, outputsTo(i));
      if (outputsRagged()) at = builder.min(at, builder.constant(t.outputs - t.ChunkOut()));
      Value row = t.rowsAlongK ? builder.extendToI64(at) : k, column = t.rowsAlongK ? k : builder.extendToI64(at);
      chunks.push_back(builder.offset(matrix, builder.add(builder.mul(row, t.rowStride), column), type));
    }
  }

  bool outputsRagged() const { return t.outputs % t.BlockOutputs() != 0; }
  /// Returns the distance from a thread's first chunk to another one, along the outputs.
  int64_t outputsTo(int64_t chunk) const { return chunk * t.lanesOut * t.ChunkOut(); }
  /// Returns the distance of consecutive k in the matrix.
  int64_t elementsPerK() const { return t.rowsAlongK ? 1 : t.rowStride; }

  /// Returns the sums of this thread for each chunk along the outputs.
  Values multiply(const BlockWork& work) {
    Values sums(s.pieces, builder.zero(builder.floats(t.ChunkOut())));
    bool ragged = t.problem.k % t.grid.bk != 0;
    Value steps = ragged ? builder.div(work.remainingK, t.grid.bk) : work.tilesK;
    sums = builder.loop(
        steps, 1, sums, [&](Value index, Values in) { return step(builder.mul(index, t.grid.bk), {}, in); },
        Unrolling::kNone);
    if (!ragged) return sums;
    Value done = builder.mul(steps, t.grid.bk);
    return step(done, builder.sub(builder.sub(work.remainingK, done), firstK), sums);
  }

  /// Adds the products of `unroll` chunks along k to the sums, from the k-th value of the block on. `remaining` counts
  /// the values of k from this thread's first chunk on, and is null where all are within the range.
  Values step(Value k, Value remaining, Values sums) {
    Value advance = builder.mul(builder.extendToI64(k), elementsPerK());
    llvm::SmallVector<Values> loaded(s.unroll);
    Values vectors;
    for (int64_t u = 0; u < s.unroll; ++u) {
      int64_t further = u * t.StrideK();
      Value within = remaining ? builder.greater(remaining, further) : Value();
      {
        KernelBuilder::ScopedName at(builder, "load the vector");
        Value first = builder.offset(vectorAt, builder.mul(builder.extendToI64(k), t.vectorStride), type);
        vectors.push_back(load(builder.offset(first, further * t.vectorStride, type), vector, within,
                               {t.ChunkK(), t.loadVector, t.vectorStride}));
      }
      KernelBuilder::ScopedName at(builder, "load the matrix");
      for (Value chunk : chunks)
        loaded[u].push_back(load(builder.offset(builder.offset(chunk, advance, type), further * elementsPerK(), type),
                                 matrix, within, {t.width, t.loadMatrix, 1}));
    }
    for (int64_t u = 0; u < s.unroll; ++u) {
      Value x = builder.convert(vectors[u], builder.f32());
      for (int64_t i = 0; i < s.pieces; ++i) {
        Value chunk = builder.convert(loaded[u][i], builder.f32());
        if (t.rowsAlongK)
          for (int64_t e = 0; e < t.width; ++e) {
            Value factor = builder.element(x, e);
            sums[i] = builder.multiplyAdd(factor, builder.element(chunk, e), sums[i]);
          }
        else
          sums[i] = builder.multiplyAdd(x, chunk, sums[i]);
      }
    }
    return sums;
  }

  /// A chunk of `count` elements, `stride` apart in memory, loaded `atOnce` at a time.
  struct Chunk {
    int64_t count, atOnce, stride;
  };

  /// Loads a chunk; zeros where `within` is false, in whose place the first elements of the operand are read, which
  /// exist.
  Value load(Value address, Value first, Value within, Chunk chunk) {
    address = builder.select(within, address, first);
    Values elements;
    Value value;
    for (int64_t e = 0; e < chunk.count; e += chunk.atOnce) {
      value = builder.load(type, builder.offset(address, e * chunk.stride, type), chunk.atOnce);
      if (chunk.atOnce == chunk.count) break;
      for (int64_t i = 0; i < chunk.atOnce; ++i) elements.push_back(builder.element(value, i));
    }
    if (!elements.empty()) value = builder.concatenate(elements);
    return within ? builder.select(within, value, builder.zero(value.getType())) : value;
  }

  /// Sums over the lanes that share outputs; all of them get the result.
  Values sumOverLanes(Values sums) {
    KernelBuilder::ScopedName at(builder, "add the sums of other lanes");
    int64_t apart = t.rowsAlongK ? 1 : t.lanesOut;
    for (int64_t lanes = s.lanesK / 2; lanes >= 1; lanes /= 2)
      for (Value& sum : sums) {
        Values others;
        for (int64_t e = 0; e < t.ChunkOut(); ++e)
          others.push_back(builder.shuffleXor(builder.element(sum, e), lanes * apart));
        sum = builder.addFloats(sum, builder.concatenate(others));
      }
    return sums;
  }

  /// Lets all warps along k but the first write their sums to shared memory.
  void share(const Values& sums) {
    if (s.warpsK == 1) return;
    sharedSums = builder.sharedMemory();
    Value isOther = builder.greater(warpK, 0);
    isOther = builder.logicalAnd(isOther, isFirstLane());
    builder.when(isOther, [&] {
      KernelBuilder::ScopedName at(builder, "write sums to shared memory");
      Value first = builder.offset(
          sharedSums,
          builder.add(builder.mul(builder.sub(warpK, builder.constant(1)), t.BlockOutputs()), outputInBlock));
      forShared([&](int64_t i, int64_t e, int64_t count) {
        Value part = builder.slice(sums[i], e, count);
        builder.store(part, builder.offset(first, outputsTo(i) + e));
      });
    });
    KernelBuilder::ScopedName at(builder, "wait for the sums of other warps");
    builder.barrier();
  }

  /// Lets the first warp along k add what the others wrote.
  void addOtherWarps(Values& sums) {
    if (s.warpsK == 1) return;
    KernelBuilder::ScopedName at(builder, "read the sums of other warps");
    Value first = builder.offset(sharedSums, outputInBlock);
    for (int64_t warp = 0; warp + 1 < s.warpsK; ++warp) {
      llvm::SmallVector<Values> others(s.pieces);
      forShared([&](int64_t i, int64_t e, int64_t count) {
        Value part = builder.load(builder.offset(first, warp * t.BlockOutputs() + outputsTo(i) + e), count);
        for (int64_t j = 0; j < count; ++j) others[i].push_back(builder.element(part, j));
      });
      for (int64_t i = 0; i < s.pieces; ++i) sums[i] = builder.addFloats(sums[i], builder.concatenate(others[i]));
    }
  }

  /// Calls `body` for the parts of each chunk that are accessed at once in shared memory.
  void forShared(llvm::function_ref<void(int64_t chunk, int64_t element, int64_t count)> body) {
    int64_t count = std::min(t.ChunkOut(), kWidestShared);
    for (int64_t i = 0; i < s.pieces; ++i)
      for (int64_t e = 0; e < t.ChunkOut(); e += count) body(i, e, count);
  }

  Value isFirstLane() { return s.lanesK == 1 ? Value() : builder.equal(laneK, 0); }
  Value isFirstAlongK() {
    Value isFirstWarp = s.warpsK == 1 ? Value() : builder.equal(warpK, 0);
    return builder.logicalAnd(isFirstWarp, isFirstLane());
  }

  void store(Value sum, const ResultWriter& result, int64_t chunk) {
    Value at = builder.add(output, outputsTo(chunk));
    builder.when(outputsRagged() ? builder.less(at, t.outputs) : Value(), [&] {
      Value element = builder.mul(builder.extendToI64(at), t.strideC);
      ResultWriter first = result.at(element, t.matrixIsA ? builder.constant(0) : at);
      for (int64_t e = 0; e < t.ChunkOut(); e += t.storeC) {
        ResultWriter part = first.at(e * t.strideC, t.matrixIsA ? 0 : e);
        Value values = builder.slice(sum, e, t.storeC);
        if (s.reduction == kAtomicReduction)
          part.addAtomically(values);
        else
          part.store(values);
      }
    });
  }

  KernelBuilder& builder;
  const GemvTiling& t;
  const GemvSchedule& s;
  const MatmulLayout& layout;
  mlir::Type type;  ///< Element type of the matrix and the vector.
  Value matrix, vector;
  Value vectorAt;  ///< Address in the vector of this thread's first k.
  Values chunks;   ///< Addresses of this thread's first chunks along k.
  Value warpK, laneK;
  Value firstK;         ///< This thread's first k within the block's range.
  Value outputInBlock;  ///< This thread's first output within the block.
  Value output;         ///< This thread's first output in C.
  Value sharedSums;
};

}  // namespace

void emitGemv(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes,
              const MatmulLayout& layout) {
  GemvTiling tiling(problem, GemvSchedule::FromSchedule(schedule), layout);
  const GemvSchedule& s = tiling.schedule;
  Values buffers = beginMainKernel(builder, problem, kGemvKernel, tiling.threads, /*minBlocks=*/1, s.reduction);
  GemvEmitter(builder, tiling, layout).emit(buffers);
  builder.finishKernel();
  if (s.reduction == kWorkspaceReduction) emitSplitReduction(builder, problem, s.splitK);
}

}  // namespace mmtune
