// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/split_reduction_emitter.h"

#include "kernels/families/common/split_reduction.h"

using mlir::Value;

namespace mmtune {
namespace {

using Values = KernelBuilder::Values;

/// What a thread loads of a part before it adds: all would need as many registers as there are sums.
constexpr size_t kPiecesAtOnce = 8;

/// The place of OrderedSums that a part of a tile has.
Value placeOf(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work, Value part) {
  if (!grid.IsStream()) return builder.add(builder.mul(work.counter, grid.splitK), part);
  Value number = builder.add(work.counter, part);
  return builder.choose(builder.equal(part, 0), builder.add(work.counter, grid.blocks()), number);
}

/// The elements of all `sums`, in vectors as wide as a thread stores at once.
Values inPieces(KernelBuilder& builder, const Values& sums, mlir::Type type) {
  Values elements, pieces;
  const size_t widest = 8 * kWidestAccess / type.getIntOrFloatBitWidth();
  for (Value sum : sums)
    for (int64_t i = 0; i < builder.widthOf(sum); ++i) elements.push_back(builder.element(sum, i));
  for (llvm::ArrayRef<Value> rest = elements; !rest.empty(); rest = rest.drop_front(builder.widthOf(pieces.back())))
    pieces.push_back(builder.join(Values(rest.take_front(llvm::bit_floor(std::min(rest.size(), widest))))));
  return pieces;
}

/// As many vectors as `sums` has, as wide, of the elements of pieces.
Values likeThose(KernelBuilder& builder, const Values& sums, const Values& pieces) {
  Values elements, like;
  for (Value piece : pieces)
    for (int64_t i = 0; i < builder.widthOf(piece); ++i) elements.push_back(builder.element(piece, i));
  llvm::ArrayRef<Value> rest = elements;
  for (Value sum : sums) {
    like.push_back(builder.join(Values(rest.take_front(builder.widthOf(sum)))));
    rest = rest.drop_front(builder.widthOf(sum));
  }
  return like;
}

}  // namespace

KernelBuilder::Values beginProduct(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                   int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes) {
  KernelSignature signature;
  signature.name = name;
  bool atomic = reduction == kAtomicReduction;
  signature.buffers = {BufferUse::kRead, BufferUse::kRead, atomic ? BufferUse::kReadWrite : BufferUse::kWrite};
  signature.threads[0] = static_cast<int32_t>(threads);
  signature.minBlocks = static_cast<int32_t>(minBlocks);
  if (reduction != kWorkspaceReduction) signature.buffers.append(epilogueBuffers(problem));
  if (reduction == kOrderedReduction) signature.buffers.push_back(BufferUse::kReadWrite);
  if (sizes.rows) signature.integers = 1;
  return builder.beginKernel(signature);
}

Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
             llvm::ArrayRef<Value> parameters) {
  return sizes.rows ? parameters.back() : builder.constant(problem.m);
}

ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<Value> buffers, const ProductLayout& layout) {
  Value c = buffers[2];
  if (reduction == kWorkspaceReduction) {
    mlir::Type sums = builder.typeOf(problem.AccumulatorType());
    c = builder.offset(c, builder.mul(builder.wide(work.split), problem.ElementsC()), sums);
    return ResultWriter(builder, sums, work.matrixOf(builder, c, work.rows, problem.n, sums));
  }
  ResultWriter result(builder, problem, c, buffers.slice(3, epilogueBuffers(problem).size()));
  if (!work.matrix) return result;
  if (layout.any()) return result.at(work.offsetOf(builder, layout, layout.c), builder.constant(0));
  Value elements = builder.mul(builder.wide(work.rows), problem.n);
  return result.at(builder.mul(builder.wide(work.matrix), elements), builder.constant(0));
}

FinishedSums finishSums(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work, int64_t threads,
                        Value workspace, Value shared, const Values& sums) {
  mlir::Type type = mlir::getElementTypeOrSelf(sums.front());
  Value thread = builder.threadX();
  Value places = builder.offsetBytes(workspace, OrderedSums(grid).CounterBytes());
  auto placeAt = [&](Value part) {
    Value number = builder.wide(placeOf(builder, grid, work, part));
    return builder.offset(places, builder.mul(number, grid.SumsOfTile()), type);
  };
  auto share = [&] {
    Values mine = inPieces(builder, sums, type);
    // Neighbouring threads have neighbouring pieces.
    llvm::SmallVector<int64_t> offsets;
    for (int64_t elements = 0; Value piece : mine) {
      offsets.push_back(elements * threads);
      elements += builder.widthOf(piece);
    }
    auto addressOf = [&](Value place, size_t i) {
      return builder.offset(builder.offset(place, builder.mul(thread, builder.widthOf(mine[i])), type), offsets[i],
                            type);
    };
    {
      KernelBuilder::At at(builder, "store partial sums");
      Value place = placeAt(work.part);
      for (size_t i = 0; i < mine.size(); ++i) builder.store(mine[i], addressOf(place, i));
    }
    {
      KernelBuilder::At at(builder, "wait for the block's partial sums");
      builder.barrier();
    }
    builder.when(builder.equal(thread, 0), [&] {
      KernelBuilder::At at(builder, "count the tile's parts");
      builder.fence();
      Value before = builder.countUp(builder.offset(workspace, work.counter));
      KernelBuilder::At then(builder, "see the tile's other parts");
      builder.fence();
      builder.store(before, shared);
    });
    Value before;
    {
      KernelBuilder::At at(builder, "wait for the count of parts");
      builder.barrier();
      before = builder.load(builder.i32(), shared, 1);
      KernelBuilder::At then(builder, "leave the count of parts");
      builder.barrier();
    }
    Value last = builder.equal(builder.sub(work.parts, before), 1);
    KernelBuilder::At at(builder, "load partial sums");
    Values totals;
    while (totals.size() < mine.size()) {
      size_t first = totals.size();
      Values zeros;
      for (Value piece : llvm::ArrayRef(mine).drop_front(first).take_front(kPiecesAtOnce))
        zeros.push_back(builder.zero(piece.getType()));
      auto addPart = [&](Value part, Values sumsSoFar) {
        Value place = placeAt(part);
        for (auto [i, sum] : llvm::enumerate(sumsSoFar))
          sum = builder.addSums(sum, builder.load(type, addressOf(place, first + i), builder.widthOf(sum)));
        return sumsSoFar;
      };
      totals.append(
          builder.loop(builder.choose(last, work.parts, builder.constant(0)), 1, zeros, addPart, Unrolling::kNone));
    }
    Values results = likeThose(builder, sums, totals);
    results.push_back(last);
    return results;
  };
  Values own = sums;
  own.push_back(builder.always());
  Values results = builder.whenOr(builder.greater(work.parts, 1), share, own);
  Value areWhole = results.pop_back_val();
  return {results, areWhole};
}

void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits) {
  constexpr int64_t kThreads = kSplitReductionThreads;
  KernelSignature signature;
  signature.name = kSplitReductionKernel;
  signature.buffers = {BufferUse::kRead, BufferUse::kWrite};
  signature.buffers.append(epilogueBuffers(problem));
  signature.threads[0] = kThreads;
  Values buffers = builder.beginKernel(signature);

  mlir::Type sums = builder.typeOf(problem.AccumulatorType());
  int64_t elements = problem.ElementsC(), width = ReductionWidth(problem);
  int64_t pieces = elements / width;
  Value piece = builder.add(builder.mul(builder.wide(builder.blockX()), kThreads), builder.wide(builder.threadX()));
  Value within = pieces % kThreads == 0 ? Value() : builder.less(piece, pieces);
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
