// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NORMALIZESLICESPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

SmallVector<OpFoldResult> repeated(OpBuilder& builder, int64_t value, size_t count) {
  return SmallVector<OpFoldResult>(count, builder.getIndexAttr(value));
}

/// Returns the steps, with 1 for dimensions of one element.
SmallVector<OpFoldResult> stepsOf(OffsetSizeAndStrideOpInterface op, OpBuilder& builder) {
  SmallVector<OpFoldResult> steps = op.getMixedStrides();
  for (auto [step, size] : llvm::zip_equal(steps, op.getMixedSizes()))
    if (isConstantIntValue(size, 1)) step = builder.getIndexAttr(1);
  return steps;
}

/// True if MLIR may not find the dropped dimensions: it distinguishes dimensions of one element by their strides in the
/// source, without steps (SubViewOp::getDroppedDims).
bool isUnclear(OffsetSizeAndStrideOpInterface op, ArrayRef<OpFoldResult> steps, ShapedType whole, ShapedType part) {
  const int64_t leftOut = whole.getRank() - part.getRank();
  auto mayHaveOne = [](OpFoldResult size) { return getConstantIntValue(size).value_or(1) == 1; };
  return leftOut > 0 && llvm::count_if(op.getMixedSizes(), mayHaveOne) > leftOut &&
         !llvm::all_of(steps, [](OpFoldResult step) { return isConstantIntValue(step, 1); });
}

/// Returns the dimensions of the whole that become each of the part, preceded by those that are dropped.
SmallVector<ReassociationIndices> groupsOf(const llvm::SmallBitVector& leftOut) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  for (unsigned i = 0; i < leftOut.size(); ++i) {
    group.push_back(i);
    if (!leftOut[i]) groups.push_back(std::exchange(group, {}));
  }
  if (!groups.empty()) llvm::append_range(groups.back(), group);
  return groups;
}

void normalize(tensor::ExtractSliceOp op, IRRewriter& rewriter) {
  SmallVector<OpFoldResult> steps = stepsOf(op, rewriter), offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
  if (isUnclear(op, steps, op.getSourceType(), op.getType())) {
    Value whole = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(), offsets, sizes, steps);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), whole, groupsOf(op.getDroppedDims()));
  } else if (steps != op.getMixedStrides()) {
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, op.getType(), op.getSource(), offsets, sizes, steps);
  }
}

/// Normalizes an insertion; the part can be reshaped before `before`.
template <typename Insertion>
void normalizeInsertion(Insertion op, Operation* before, IRRewriter& rewriter) {
  SmallVector<OpFoldResult> steps = stepsOf(op, rewriter), offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
  Value part = op.getSource();
  if (isUnclear(op, steps, op.getDestType(), op.getSourceType())) {
    rewriter.setInsertionPoint(before);
    auto type = RankedTensorType::get(op.getStaticSizes(), op.getDestType().getElementType());
    part = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, part, groupsOf(op.getDroppedDims()), sizes);
  } else if (steps == op.getMixedStrides()) {
    return;
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<Insertion>(op, part, op.getDest(), offsets, sizes, steps);
}

void normalize(tensor::InsertSliceOp op, IRRewriter& rewriter) { normalizeInsertion(op, op, rewriter); }

/// Normalizes an insertion at the end of a parallel loop, which contains only insertions.
void normalize(tensor::ParallelInsertSliceOp op, IRRewriter& rewriter) {
  normalizeInsertion(op, op->getParentOp(), rewriter);
}

/// Normalizes a subview. The steps are part of its type, so they stay.
void normalize(memref::SubViewOp op, IRRewriter& rewriter) {
  if (!isUnclear(op, op.getMixedStrides(), op.getSourceType(), op.getType())) return;
  Value whole = memref::SubViewOp::create(rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(),
                                          op.getMixedSizes(), op.getMixedStrides());
  const size_t rank = op.getSourceType().getRank();
  rewriter.replaceOpWithNewOp<memref::SubViewOp>(op, op.getType(), whole, repeated(rewriter, 0, rank),
                                                 op.getMixedSizes(), repeated(rewriter, 1, rank));
}

struct NormalizeSlices : impl::NormalizeSlicesPassBase<NormalizeSlices> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](OffsetSizeAndStrideOpInterface op) {
      rewriter.setInsertionPoint(op);
      llvm::TypeSwitch<Operation*>(op)
          .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ParallelInsertSliceOp, memref::SubViewOp>(
              [&](auto slice) { normalize(slice, rewriter); });
    });
  }
};

}  // namespace
}  // namespace mmtune
