// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/passes.h"

#include "kernels/compiler/fusion/fusion_rules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the indices in the source of a slice, or nothing if they are not static or the slice has fewer dimensions.
std::optional<SmallVector<Value>> indicesInSource(tensor::ExtractSliceOp slice, ValueRange indices, OpBuilder& builder,
                                                  Location loc) {
  if (slice.getSourceType().getRank() != slice.getResultType().getRank() ||
      llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic))
    return std::nullopt;
  SmallVector<Value> position;
  for (auto [at, offset, stride] : llvm::zip_equal(indices, slice.getStaticOffsets(), slice.getStaticStrides())) {
    Value index = at;
    if (stride != 1)
      index = arith::MulIOp::create(builder, loc, index, arith::ConstantIndexOp::create(builder, loc, stride));
    if (offset != 0)
      index = arith::AddIOp::create(builder, loc, index, arith::ConstantIndexOp::create(builder, loc, offset));
    position.push_back(index);
  }
  return position;
}

/// Returns the indices in the source of a reshape. `expanded` is the static type with more dimensions.
SmallVector<Value> indicesBeforeReshape(ArrayRef<ReassociationIndices> groups, RankedTensorType expanded,
                                        bool collapses, ValueRange indices, OpBuilder& builder, Location loc) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  SmallVector<Value> position;
  // Without dimensions there are no groups: all sizes are 1.
  if (collapses) position.assign(expanded.getRank(), groups.empty() ? constant(0) : Value());
  for (auto [group, dims] : llvm::enumerate(groups)) {
    Value at = collapses ? indices[group] : constant(0);
    if (collapses) {
      for (int64_t dim : llvm::reverse(dims)) {
        Value size = constant(expanded.getDimSize(dim));
        position[dim] = builder.createOrFold<arith::RemUIOp>(loc, at, size);
        at = builder.createOrFold<arith::DivUIOp>(loc, at, size);
      }
      continue;
    }
    for (int64_t dim : dims) {
      at = builder.createOrFold<arith::MulIOp>(loc, at, constant(expanded.getDimSize(dim)));
      at = builder.createOrFold<arith::AddIOp>(loc, at, indices[dim]);
    }
    position.push_back(at);
  }
  return position;
}

/// True for reshapes of an operation that is cheap to compute again, or that only permutes elements which nothing else
/// reads.
bool isReshapedCheap(Value tensor, bool isReadOnce = true) {
  isReadOnce &= tensor.hasOneUse();
  Operation* op = tensor.getDefiningOp();
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op))
    return isCheap(generic) || (isReadOnce && isRearrangement(generic));
  if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) return false;
  return cast<RankedTensorType>(tensor.getType()).hasStaticShape() && isReshapedCheap(op->getOperand(0), isReadOnce);
}

/// Reads the source of a reshape instead, which the body may compute then.
LogicalResult readBeforeReshape(tensor::ExtractOp read, PatternRewriter& rewriter) {
  Operation* reshape = read.getTensor().getDefiningOp();
  if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reshape) || !isReshapedCheap(read.getTensor()))
    return failure();
  SmallVector<Value> position;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape))
    position = indicesBeforeReshape(collapse.getReassociationIndices(), collapse.getSrcType(), /*collapses=*/true,
                                    read.getIndices(), rewriter, read.getLoc());
  else
    position = indicesBeforeReshape(cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices(),
                                    cast<tensor::ExpandShapeOp>(reshape).getResultType(), /*collapses=*/false,
                                    read.getIndices(), rewriter, read.getLoc());
  rewriter.replaceOpWithNewOp<tensor::ExtractOp>(read, reshape->getOperand(0), position);
  return success();
}

/// Computes the element at `indices` of `producer`, which mayComputeAtRead() accepts.
Value computeAt(linalg::GenericOp producer, ValueRange indices, OpBuilder& builder) {
  IRMapping known;
  for (OpOperand* input : producer.getDpsInputOperands()) {
    Value element = input->get();
    if (isa<RankedTensorType>(element.getType())) {
      SmallVector<Value> position;
      for (AffineExpr expression : producer.getMatchingIndexingMap(input).getResults()) {
        if (auto loop = dyn_cast<AffineDimExpr>(expression))
          position.push_back(indices[loop.getPosition()]);
        else
          position.push_back(arith::ConstantIndexOp::create(builder, producer.getLoc(), 0));
      }
      element = tensor::ExtractOp::create(builder, producer.getLoc(), element, position);
    }
    known.map(producer.getMatchingBlockArgument(input), element);
  }
  for (Operation& op : producer.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      known.map(index.getResult(), indices[index.getDim()]);
    else
      builder.clone(op, known);
  }
  return known.lookupOrDefault(producer.getBlock()->getTerminator()->getOperand(0));
}

/// Replaces a selection between two elements of one tensor by one read at the selected indices. So a rolled tensor, the
/// concatenation of two of its slices, is read once.
struct ReadSelectedElement : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp reader, PatternRewriter& rewriter) const override {
    for (auto choice : reader.getBlock()->getOps<arith::SelectOp>()) {
      auto one = choice.getTrueValue().getDefiningOp<tensor::ExtractOp>();
      auto other = choice.getFalseValue().getDefiningOp<tensor::ExtractOp>();
      if (!one || !other || one == other || one.getTensor() != other.getTensor() || !one->hasOneUse() ||
          !other->hasOneUse() || one->getBlock() != reader.getBlock() || other->getBlock() != reader.getBlock())
        continue;
      rewriter.setInsertionPoint(choice);
      SmallVector<Value> position;
      for (auto [here, there] : llvm::zip_equal(one.getIndices(), other.getIndices())) {
        const bool isSame = isEqualConstantIntOrValue(here, there);
        position.push_back(
            isSame
                ? here
                : arith::SelectOp::create(rewriter, choice.getLoc(), choice.getCondition(), here, there).getResult());
      }
      rewriter.replaceOpWithNewOp<tensor::ExtractOp>(choice, one.getTensor(), position);
      rewriter.eraseOp(one);
      rewriter.eraseOp(other);
      return success();
    }
    return failure();
  }
};

struct ReadFromSource : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp reader, PatternRewriter& rewriter) const override {
    if (!hasOnlyParallelLoops(reader)) return failure();
    for (auto read : llvm::make_early_inc_range(reader.getBlock()->getOps<tensor::ExtractOp>())) {
      rewriter.setInsertionPoint(read);
      if (auto slice = read.getTensor().getDefiningOp<tensor::ExtractSliceOp>()) {
        if (auto position = indicesInSource(slice, read.getIndices(), rewriter, read.getLoc())) {
          rewriter.replaceOpWithNewOp<tensor::ExtractOp>(read, slice.getSource(), *position);
          return success();
        }
      }
      if (succeeded(readBeforeReshape(read, rewriter))) return success();
      if (!mayComputeAtRead(read, reader)) continue;
      auto producer = read.getTensor().getDefiningOp<linalg::GenericOp>();
      rewriter.replaceOp(read, computeAt(producer, read.getIndices(), rewriter));
      return success();
    }
    return failure();
  }
};

}  // namespace

void populateBodyReadPatterns(RewritePatternSet& patterns) {
  patterns.add<ReadFromSource, ReadSelectedElement>(patterns.getContext());
}

}  // namespace mmtune
