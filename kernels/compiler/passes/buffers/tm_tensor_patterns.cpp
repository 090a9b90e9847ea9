// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {
namespace {

Value emptyLike(OpBuilder& builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, tensor), type.getElementType());
}

/// Gives a sort separate outputs: threads read elements that others would have overwritten.
struct SortApart : OpRewritePattern<tm_tensor::SortOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tm_tensor::SortOp op, PatternRewriter& rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.getInputs().empty()) return failure();
    SmallVector<Value> inputs(op.getOutputs()), outputs;
    for (Value input : inputs) outputs.push_back(emptyLike(rewriter, op.getLoc(), input));
    rewriter.modifyOpInPlace(op, [&] {
      op.getOutputsMutable().assign(outputs);
      op.getInputsMutable().assign(inputs);
    });
    return success();
  }
};

/// Gives a scan separate outputs, so that an output it does not read is not shared with users of the fill.
struct ScanApart : OpRewritePattern<tm_tensor::ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tm_tensor::ScanOp op, PatternRewriter& rewriter) const override {
    if (!op.hasPureTensorSemantics()) return failure();
    bool changed = false;
    for (OpOperand& output : op.getOutputsMutable()) {
      if (tm_tensor::readsOutput(output)) continue;
      if (output.get().getDefiningOp<tensor::EmptyOp>() && output.get().hasOneUse()) continue;
      Value empty = emptyLike(rewriter, op.getLoc(), output.get());
      rewriter.modifyOpInPlace(op, [&] { output.set(empty); });
      changed = true;
    }
    return success(changed);
  }
};

/// True if an update in place would save nothing: the tensor is an argument that may not be written, a constant, or the
/// result of an elementwise operation, which the update can be fused with.
bool isNeverInPlace(Value tensor) {
  while (Operation* op = tensor.getDefiningOp()) {
    if (isa<arith::ConstantOp, tensor::EmptyOp>(op)) return true;
    if (auto linalg = dyn_cast<linalg::LinalgOp>(op)) return linalg.getNumParallelLoops() == linalg.getNumLoops();
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) return false;
    tensor = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(tensor);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && function.isPublic() &&
         !function.getArgAttr(argument.getArgNumber(), bufferization::BufferizationDialect::kWritableAttrName);
}

/// True if an operation of the region is defined for elements without an update. (MLIR counts remainders as
/// speculatable; by 0 they are not.)
bool isDefinedForAll(Operation& op) { return isSpeculatable(&op) && !isa<arith::RemUIOp, arith::RemSIOp>(op); }

/// Replaces a scatter by an elementwise operation: each element is the result of the last update that targets it, or
/// its old value.
struct ScatterByIndex : OpRewritePattern<tm_tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tm_tensor::ScatterOp op, PatternRewriter& rewriter) const override {
    const tm_tensor::ScatterLayout layout(op);
    if (!op.hasPureTensorSemantics() || !layout.updateType.hasStaticShape() ||
        layout.updateType.getNumElements() == 0 || layout.updateType.getDimSize(0) > kMostUpdates ||
        !isNeverInPlace(layout.original))
      return failure();
    if (!llvm::all_of(op.getRegion().front().without_terminator(), isDefinedForAll)) return failure();
    Location loc = op.getLoc();
    Value empty = emptyLike(rewriter, loc, layout.original);
    const int64_t rank = layout.originalType.getRank();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, empty.getType(), layout.original, empty, maps, iterators,
                                                   [&](OpBuilder& body, Location, ValueRange elements) {
                                                     ImplicitLocOpBuilder builder(loc, body);
                                                     Value value = elements[0];
                                                     for (int64_t i = 0; i < layout.updateType.getDimSize(0); ++i)
                                                       value = updated(builder, op, i, value);
                                                     linalg::YieldOp::create(builder, value);
                                                   });
    return success();
  }

 private:
  static constexpr int64_t kMostUpdates = 4;

  /// Returns the result of update `number` for the value at the current loop indices.
  static Value updated(ImplicitLocOpBuilder& builder, tm_tensor::ScatterOp op, int64_t number, Value value) {
    const tm_tensor::ScatterLayout layout(op);
    auto index = [&](int64_t at) { return arith::ConstantIndexOp::create(builder, at).getResult(); };
    SmallVector<Value> from{index(number)};
    Value isHere;
    auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      Value holds = arith::CmpIOp::create(builder, predicate, a, b);
      isHere = isHere ? arith::AndIOp::create(builder, isHere, holds).getResult() : holds;
    };
    for (int64_t dim = 0; dim < layout.originalType.getRank(); ++dim) {
      Value at = linalg::IndexOp::create(builder, dim);
      std::optional<int64_t> updateDim = layout.updateDim(dim), column = layout.column(dim);
      Value start;
      if (column) {
        start = tensor::ExtractOp::create(builder, layout.indices, ValueRange{index(number), index(*column)});
        start = builder.createOrFold<arith::IndexCastOp>(builder.getIndexType(), start);
      }
      const int64_t size = updateDim ? layout.updateType.getDimSize(*updateDim) : 1;
      if (size == 1 && start) {
        require(arith::CmpIPredicate::eq, at, start);
      } else if (start || layout.originalType.getDimSize(dim) != size) {
        if (start) at = arith::SubIOp::create(builder, at, start);
        require(arith::CmpIPredicate::ult, at, index(size));
        at = clampIndex(builder, at, size);
      }
      if (updateDim) from.push_back(size == 1 ? index(0) : at);
    }
    Value update = tensor::ExtractOp::create(builder, layout.updates, from);
    Value combined = tm_tensor::inlineRegion(builder, op.getRegion(), {update, value})[0];
    return isHere ? arith::SelectOp::create(builder, isHere, combined, value).getResult() : combined;
  }
};

}  // namespace

void populateTmTensorPatterns(RewritePatternSet& patterns) {
  patterns.add<SortApart, ScanApart, ScatterByIndex>(patterns.getContext());
}

}  // namespace mmtune
