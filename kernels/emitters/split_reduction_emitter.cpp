// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/split_reduction_emitter.h"

#include "kernels/families/split_reduction.h"

using mlir::Value;

namespace mmtune {

KernelBuilder::Values beginProduct(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                   int64_t threads, int64_t minBlocks, int64_t reduction) {
  KernelSignature signature;
  signature.name = name;
  bool atomic = reduction == kAtomicReduction;
  signature.buffers = {BufferUse::kRead, BufferUse::kRead, atomic ? BufferUse::kReadWrite : BufferUse::kWrite};
  signature.threads[0] = static_cast<int32_t>(threads);
  signature.minBlocks = static_cast<int32_t>(minBlocks);
  if (reduction != kWorkspaceReduction) signature.buffers.append(epilogueBuffers(problem));
  return builder.beginKernel(signature);
}

ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<Value> buffers) {
  int64_t elements = problem.m * problem.n;
  Value c = buffers[2];
  if (reduction == kWorkspaceReduction) {
    mlir::Type sums = builder.typeOf(problem.TypeOfSums());
    c = builder.offset(c, builder.mul(builder.wide(work.split), problem.ElementsC()), sums);
    return ResultWriter(builder, sums, work.matrixOf(builder, c, elements, sums));
  }
  ResultWriter result(builder, problem, c, buffers.drop_front(3));
  if (!work.matrix) return result;
  return result.at(builder.mul(builder.wide(work.matrix), elements), builder.constant(0));
}

void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits) {
  using Values = KernelBuilder::Values;
  constexpr int64_t threads = kSplitReductionThreads;
  KernelSignature signature;
  signature.name = kSplitReductionKernel;
  signature.buffers = {BufferUse::kRead, BufferUse::kWrite};
  signature.buffers.append(epilogueBuffers(problem));
  signature.threads[0] = threads;
  Values buffers = builder.beginKernel(signature);

  mlir::Type sums = builder.typeOf(problem.TypeOfSums());
  int64_t elements = problem.ElementsC(), width = ReductionWidth(problem);
  int64_t pieces = elements / width;
  Value piece = builder.add(builder.mul(builder.wide(builder.blockX()), threads), builder.wide(builder.threadX()));
  Value within = pieces % threads == 0 ? Value() : builder.less(piece, pieces);
  builder.when(within, [&] {
    Value first = builder.mul(piece, width);
    Value source = builder.offset(buffers[0], first, sums);
    KernelBuilder::At at(builder, "load partial sums");
    Values sum = builder.loop(builder.constant(splits - 1), 1, {builder.load(sums, source, width), source},
                              [&](Value, Values in) {
                                Value next = builder.offset(in[1], elements, sums);
                                return Values{builder.addSums(in[0], builder.load(sums, next, width)), next};
                              });
    Value column = problem.HasBias() ? builder.rem(first, problem.n) : Value();
    ResultWriter result(builder, problem, buffers[1], llvm::ArrayRef(buffers).drop_front(2));
    result.at(first, column).store(sum[0]);
  });
  builder.finishKernel();
}

}  // namespace mmtune
