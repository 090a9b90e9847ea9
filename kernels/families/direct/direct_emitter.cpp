// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a `direct` schedule.
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/direct/direct_family.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// Emits, for each thread,
///
///   for k in steps of stepK:  load A[rows][k], B[k][columns];  sums += A * B
///   store epilogue(sums)
///
/// A thread's rows are `by` apart and its groups of columns `bx` groups apart, so that neighbouring threads read
/// neighbouring addresses of B, or neighbouring rows where it is transposed. Rows and columns beyond the matrix read
/// the last one and are not stored. Elements are converted to the type of the accumulators as they are loaded.
class DirectEmitter {
 public:
  DirectEmitter(KernelBuilder& builder, const DirectTiling& tiling)
      : builder(builder),
        tiling(tiling),
        s(tiling.schedule),
        type(builder.typeOf(tiling.problem.dtype)),
        sumType(builder.typeOf(tiling.problem.AccumulatorType())),
        groupsN(tiling.schedule.tn / tiling.vectorN) {}

  void emit(Value a, Value b, Value c, llvm::ArrayRef<Value> epilogueOperands) {
    Value block = builder.blockX();
    const MatmulProblem& problem = tiling.problem;
    if (problem.batch != 1) {
      int64_t blocksPerMatrix = tiling.gridM * tiling.gridN;
      matrix = builder.div(block, blocksPerMatrix);
      block = builder.rem(block, blocksPerMatrix);
      a = builder.offset(a, builder.mul(builder.extendToI64(matrix), problem.m * problem.k), type);
      b = builder.offset(b, builder.mul(builder.extendToI64(matrix), problem.k * problem.n), type);
    }
    Value rowOfBlock = builder.mul(builder.div(block, tiling.gridN), tiling.bm);
    row = builder.add(rowOfBlock, builder.threadY());
    Value columnOfBlock = builder.mul(builder.rem(block, tiling.gridN), tiling.bn);
    column = builder.add(columnOfBlock, builder.mul(builder.threadX(), tiling.vectorN));
    Values columns = columnPointers(b), rows = rowPointers(a);
    Values sums = problem.transpose_b ? multiplyTransposed(rows, columns) : multiply(rows, columns);
    ResultWriter result(builder, problem, c, epilogueOperands);
    for (int64_t i = 0; i < s.tm; ++i)
      for (int64_t group = 0; group < groupsN; ++group) store(sums[i * groupsN + group], result, i, group);
  }

 private:
  Value rowOf(int64_t i) { return builder.add(row, i * s.by); }
  Value columnOf(int64_t group) { return builder.add(column, group * s.bx * tiling.vectorN); }
  bool rowsRagged() const { return tiling.problem.m % tiling.bm != 0; }
  bool columnsRagged() const { return tiling.problem.n % tiling.bn != 0; }

  Values rowPointers(Value a) {
    Values pointers;
    for (int64_t i = 0; i < s.tm; ++i) {
      Value at = rowOf(i);
      if (rowsRagged()) at = builder.min(at, builder.constant(tiling.problem.m - 1));
      pointers.push_back(builder.offset(
          a, builder.mul(builder.extendToI64(at), tiling.problem.transpose_a ? 1 : tiling.problem.k), type));
    }
    return pointers;
  }

  Values columnPointers(Value b) {
    Values pointers;
    for (int64_t group = 0; group < groupsN; ++group) {
      Value at = columnOf(group);
      if (columnsRagged()) at = builder.min(at, builder.constant(tiling.problem.n - tiling.vectorN));
      Value first = builder.extendToI64(at);
      if (tiling.problem.transpose_b) first = builder.mul(first, tiling.problem.k);
      pointers.push_back(builder.offset(b, first, type));
    }
    return pointers;
  }

  Values multiply(const Values& rows, const Values& columns) {
    Values sums = zeros();
    return builder.loop(builder.constant(tiling.problem.k), tiling.stepK, sums, [&](Value k, Values in) {
      Value offsetA = offsetOfA(builder.extendToI64(k));
      Value offsetB = builder.mul(builder.extendToI64(k), tiling.problem.n);
      Values fragments;
      for (Value pointer : rows) fragments.push_back(loadA(builder.offset(pointer, offsetA, type)));
      for (int64_t step = 0; step < tiling.stepK; ++step)
        for (int64_t group = 0; group < groupsN; ++group) {
          Value from = builder.offset(columns[group], offsetB, type);
          Value b = loadB(builder.offset(from, step * tiling.problem.n, type), tiling.vectorN);
          for (int64_t i = 0; i < s.tm; ++i) {
            Value& sum = in[i * groupsN + group];
            sum = builder.multiplyAdd(builder.element(fragments[i], step), b, sum);
          }
        }
      return in;
    });
  }

  /// Returns the offset in A of the k-th value of a row.
  Value offsetOfA(Value k) { return builder.mul(k, tiling.problem.transpose_a ? tiling.problem.m : 1); }

  /// Loads stepK elements of a row of A along k.
  Value loadA(Value pointer) {
    KernelBuilder::ScopedName at(builder, "load A");
    if (!tiling.problem.transpose_a) return load(pointer, tiling.stepK);
    Values elements;
    for (int64_t step = 0; step < tiling.stepK; ++step)
      elements.push_back(load(builder.offset(pointer, step * tiling.problem.m, type), 1));
    return builder.concatenate(elements);
  }

  Value loadB(Value pointer, int64_t width) {
    KernelBuilder::ScopedName at(builder, "load B");
    return load(pointer, width);
  }

  Value load(Value pointer, int64_t width) { return builder.convert(builder.load(type, pointer, width), sumType); }

  Values zeros() { return Values(s.tm * groupsN, builder.zero(builder.vectorOf(sumType, tiling.vectorN))); }

  /// `columns` point to the first row of B of each group.
  Values multiplyTransposed(const Values& rows, const Values& columns) {
    Values sums = zeros();
    return builder.loop(
        builder.constant(tiling.problem.k), tiling.stepK, sums,
        [&](Value k, Values in) {
          Value offsetB = builder.extendToI64(k), offsetA = offsetOfA(offsetB);
          Values fragments;
          for (Value pointer : rows) fragments.push_back(loadA(builder.offset(pointer, offsetA, type)));
          for (int64_t group = 0; group < groupsN; ++group) {
            Values fragmentsB = loadRows(builder.offset(columns[group], offsetB, type));
            for (int64_t step = 0; step < tiling.stepK; ++step) {
              Values elements;
              for (Value fragment : fragmentsB) elements.push_back(builder.element(fragment, step));
              Value b = builder.concatenate(elements);
              for (int64_t i = 0; i < s.tm; ++i) {
                Value& sum = in[i * groupsN + group];
                sum = builder.multiplyAdd(builder.element(fragments[i], step), b, sum);
              }
            }
          }
          return in;
        },
        Unrolling::kNone);
  }

  /// Loads stepK elements of each of a group's rows of a transposed B.
  Values loadRows(Value pointer) {
    Values loaded;
    for (int64_t e = 0; e < tiling.vectorN; ++e)
      loaded.push_back(loadB(builder.offset(pointer, e * tiling.problem.k, type), tiling.stepK));
    return loaded;
  }

  void store(Value sum, const ResultWriter& result, int64_t i, int64_t group) {
    Value within;
    if (rowsRagged()) within = builder.less(rowOf(i), tiling.problem.m);
    if (columnsRagged()) within = builder.logicalAnd(within, builder.less(columnOf(group), tiling.problem.n));
    builder.when(within, [&] {
      Value firstOfRow = builder.mul(builder.extendToI64(rowOf(i)), tiling.problem.n);
      Value element = builder.add(firstOfRow, builder.extendToI64(columnOf(group)));
      if (matrix)
        element = builder.add(element, builder.mul(builder.extendToI64(matrix), tiling.problem.m * tiling.problem.n));
      result.at(element, columnOf(group)).store(sum);
    });
  }

  KernelBuilder& builder;
  const DirectTiling& tiling;
  const DirectSchedule& s;
  mlir::Type type, sumType;  ///< Element types of A and B, and of the accumulators.
  int64_t groupsN;
  Value matrix;  ///< Number of the matrix; null without a batch.
  Value row, column;
};

}  // namespace

void emitDirect(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes,
                const MatmulLayout&) {
  DirectTiling tiling(problem, DirectSchedule::FromSchedule(schedule));
  KernelSignature signature;
  signature.name = kDirectKernel;
  signature.buffers = {BufferUse::kRead, BufferUse::kRead, BufferUse::kWrite};
  signature.threads[0] = static_cast<int32_t>(tiling.schedule.bx);
  signature.threads[1] = static_cast<int32_t>(tiling.schedule.by);
  signature.buffers.append(epilogueBuffers(problem));
  Values buffers = builder.beginKernel(signature);
  DirectEmitter(builder, tiling).emit(buffers[0], buffers[1], buffers[2], llvm::ArrayRef(buffers).drop_front(3));
  builder.finishKernel();
}

}  // namespace mmtune
