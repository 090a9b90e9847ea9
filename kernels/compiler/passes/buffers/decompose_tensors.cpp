// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decomposes operations that exporters write on tensors into ones that threads can run.
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_DECOMPOSETENSORSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

struct DecomposeSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op, PatternRewriter& rewriter) const override {
    if (!op.hasPureTensorSemantics()) return failure();
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results)) return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// Replaces an operation by a linalg.generic that computes each element of its result from its indices. Dynamic sizes
/// are those of `sized`.
void replaceByIndex(PatternRewriter& rewriter, Operation* op, Value sized,
                    llvm::function_ref<void(ImplicitLocOpBuilder)> buildBody) {
  ImplicitLocOpBuilder builder(op->getLoc(), rewriter);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> dynamicSizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i)) dynamicSizes.push_back(tensor::DimOp::create(builder, sized, i));
  Value empty = tensor::EmptyOp::create(builder, type, dynamicSizes);
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, ValueRange(), ValueRange{empty}, maps, loops,
      [&](OpBuilder& body, Location loc, ValueRange) { buildBody(ImplicitLocOpBuilder(loc, body)); });
}

/// Replaces a tensor.pad with one value by one operation, which reads the source where there is one. Padded dimensions
/// must have static sizes and paddings; others become a fill and a copy (DecomposePadOpPattern).
struct PadByIndex : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op, PatternRewriter& rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    if (!padding || !isKnown(op)) return failure();
    Operation* constant = padding.getDefiningOp();
    if (constant && op->isAncestor(constant)) rewriter.moveOpBefore(constant, op);
    replaceByIndex(rewriter, op, op.getSource(),
                   [&](ImplicitLocOpBuilder builder) { buildBody(builder, op, padding); });
    return success();
  }

 private:
  static bool isPadded(tensor::PadOp op, int64_t dim) {
    return !isConstantIntValue(op.getMixedLowPad()[dim], 0) || !isConstantIntValue(op.getMixedHighPad()[dim], 0);
  }

  static bool isKnown(tensor::PadOp op) {
    RankedTensorType source = op.getSourceType();
    for (int64_t i = 0; i < source.getRank(); ++i)
      if (isPadded(op, i) && (source.isDynamicDim(i) || source.getDimSize(i) == 0 ||
                              !getConstantIntValue(op.getMixedLowPad()[i]) || op.getResultType().isDynamicDim(i)))
        return false;
    return true;
  }

  static void buildBody(ImplicitLocOpBuilder builder, tensor::PadOp op, Value padding) {
    auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, value).getResult(); };
    SmallVector<Value> position;
    Value inside;
    for (int64_t i = 0; i < op.getSourceType().getRank(); ++i) {
      Value at = linalg::IndexOp::create(builder, i);
      if (isPadded(op, i)) {
        int64_t size = op.getSourceType().getDimSize(i);
        at = arith::SubIOp::create(builder, at, index(*getConstantIntValue(op.getMixedLowPad()[i])));
        Value here = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, at, index(size));
        inside = inside ? arith::AndIOp::create(builder, inside, here).getResult() : here;
        at = clampIndex(builder, at, size);
      }
      position.push_back(at);
    }
    Value value = tensor::ExtractOp::create(builder, op.getSource(), position);
    if (inside) value = arith::SelectOp::create(builder, inside, value, padding);
    linalg::YieldOp::create(builder, value);
  }
};

/// The limit of the parts of a concatenation that becomes one operation.
constexpr size_t kMostParts = 4;

/// Replaces a tensor.concat by one operation, which reads every part at the clamped index and selects one. Sizes along
/// the dimension must be static; others become a copy of each part.
struct ConcatByIndex : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter& rewriter) const override {
    const auto dim = static_cast<int64_t>(op.getDim());
    SmallVector<Value> parts;
    for (Value part : op.getInputs()) {
      // A cast may hide the static sizes, as in torch-mlir's output.
      if (auto cast = part.getDefiningOp<tensor::CastOp>(); cast && tensor::canFoldIntoConsumerOp(cast))
        part = cast.getSource();
      parts.push_back(part);
    }
    auto isKnown = [&](Value part) {
      auto type = cast<RankedTensorType>(part.getType());
      return !type.isDynamicDim(dim) && type.getDimSize(dim) > 0;
    };
    auto type = cast<RankedTensorType>(op.getResult().getType());
    if (parts.size() > kMostParts || type.isDynamicDim(dim) || !llvm::all_of(parts, isKnown)) return failure();
    replaceByIndex(rewriter, op, parts[0], [&](ImplicitLocOpBuilder builder) { buildBody(builder, parts, dim); });
    return success();
  }

 private:
  static void buildBody(ImplicitLocOpBuilder builder, ArrayRef<Value> parts, int64_t dim) {
    auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, value).getResult(); };
    SmallVector<Value> position;
    const int64_t rank = cast<RankedTensorType>(parts[0].getType()).getRank();
    for (int64_t i = 0; i < rank; ++i) position.push_back(linalg::IndexOp::create(builder, i));
    Value at = position[dim], value;
    int64_t first = 0;
    for (Value part : parts) {
      const int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(dim);
      Value inside = arith::SubIOp::create(builder, at, index(first));
      position[dim] = clampIndex(builder, inside, size);
      Value element = tensor::ExtractOp::create(builder, part, position);
      if (value) {
        Value isHere = arith::CmpIOp::create(builder, arith::CmpIPredicate::sge, at, index(first));
        element = arith::SelectOp::create(builder, isHere, element, value);
      }
      value = element;
      first += size;
    }
    linalg::YieldOp::create(builder, value);
  }
};

/// Replaces a chain of few insertions of elementwise results, which together make up the whole tensor, by a
/// tensor.concat. A matmul, in contrast, had better write its slice in place.
struct ConcatInserted : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op, PatternRewriter& rewriter) const override {
    RankedTensorType type = op.getDestType();
    std::optional<int64_t> along;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (op.getStaticSizes()[i] != type.getDimSize(i)) {
        if (along) return failure();
        along = i;
      }
    if (!along || !type.hasStaticShape()) return failure();
    SmallVector<Value> parts;
    int64_t end = type.getDimSize(*along);
    for (tensor::InsertSliceOp last = op; end > 0; last = last.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
      if (!last || (last != op && !last->hasOneUse()) || !isPart(last, *along, end)) return failure();
      parts.insert(parts.begin(), last.getSource());
      end = last.getStaticOffsets()[*along];
    }
    if (parts.size() < 2 || parts.size() > kMostParts) return failure();
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, *along, parts);
    return success();
  }

 private:
  /// True if the slice covers the other dimensions wholly, and ends at `end` along this one.
  static bool isPart(tensor::InsertSliceOp op, int64_t along, int64_t end) {
    RankedTensorType type = op.getDestType(), part = op.getSourceType();
    auto made = op.getSource().getDefiningOp<linalg::LinalgOp>();
    if (!made || made.getNumParallelLoops() != made.getNumLoops()) return false;
    if (part.getRank() != type.getRank() || !part.hasStaticShape()) return false;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      const int64_t first = i == along ? end - part.getDimSize(i) : 0;
      const int64_t size = i == along ? part.getDimSize(i) : type.getDimSize(i);
      if (op.getStaticOffsets()[i] != first || op.getStaticSizes()[i] != size || op.getStaticStrides()[i] != 1 ||
          part.getDimSize(i) != size || size == 0)
        return false;
    }
    return true;
  }
};

/// Replaces an insertion into a tensor filled with one value (such as the zeros between elements of a transposed
/// convolution's input) by one operation. With dynamic offsets or sizes it stays a fill and a copy.
struct FilledSliceByIndex : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op, PatternRewriter& rewriter) const override {
    auto fill = op.getDest().getDefiningOp<linalg::FillOp>();
    RankedTensorType type = op.getDestType(), source = op.getSourceType();
    if (!fill || fill.getInputs()[0].getType() != type.getElementType() || source.getRank() != type.getRank() ||
        !type.hasStaticShape() || !source.hasStaticShape() || source.getNumElements() == 0 ||
        llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
        llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
      return failure();
    // The first of several insertions, which may be a concatenation.
    if (llvm::any_of(op->getUses(), [](OpOperand& use) {
          auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
          return next && use.get() == next.getDest();
        }))
      return failure();
    replaceByIndex(rewriter, op, op.getSource(),
                   [&](ImplicitLocOpBuilder builder) { buildBody(builder, op, fill.getInputs()[0]); });
    return success();
  }

 private:
  static void buildBody(ImplicitLocOpBuilder builder, tensor::InsertSliceOp op, Value padding) {
    auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, value).getResult(); };
    SmallVector<Value> position;
    Value inside;
    auto onlyIf = [&](arith::CmpIPredicate how, Value value, int64_t other) {
      Value here = arith::CmpIOp::create(builder, how, value, index(other));
      inside = inside ? arith::AndIOp::create(builder, inside, here).getResult() : here;
    };
    for (int64_t i = 0; i < op.getSourceType().getRank(); ++i) {
      const int64_t size = op.getSourceType().getDimSize(i), offset = op.getStaticOffsets()[i];
      const int64_t stride = op.getStaticStrides()[i];
      Value at = linalg::IndexOp::create(builder, i);
      if (size != op.getDestType().getDimSize(i)) {
        at = arith::SubIOp::create(builder, at, index(offset));
        onlyIf(arith::CmpIPredicate::ult, at, (size - 1) * stride + 1);
        if (stride != 1) {
          onlyIf(arith::CmpIPredicate::eq, arith::RemUIOp::create(builder, at, index(stride)), 0);
          at = arith::DivSIOp::create(builder, at, index(stride));
        }
        at = clampIndex(builder, at, size);
      }
      position.push_back(at);
    }
    Value value = tensor::ExtractOp::create(builder, op.getSource(), position);
    if (inside) value = arith::SelectOp::create(builder, inside, value, padding);
    linalg::YieldOp::create(builder, value);
  }
};

/// The dimensions of a tiled layout (linalg.pack, linalg.unpack) that a dimension of the plain one becomes.
template <typename Op>
struct TiledLayout {
  explicit TiledLayout(Op op, int64_t rank) : outer(rank), inner(rank, -1) {
    ArrayRef<int64_t> order = op.getOuterDimsPerm();
    for (int64_t i = 0; i < rank; ++i) outer[order.empty() ? i : order[i]] = i;
    for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos())) inner[dim] = static_cast<int64_t>(i);
  }

  SmallVector<int64_t> outer;  ///< For each dimension of the plain tensor, the one that counts its tiles.
  SmallVector<int64_t> inner;  ///< Likewise, its position among the dimensions within a tile; -1 where it is not tiled.
};

/// Replaces linalg.pack by one operation, which reads each element from the plain tensor, and elsewhere the padding.
struct PackByIndex : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::PackOp op, PatternRewriter& rewriter) const override {
    if (!op.hasPureTensorSemantics()) return failure();
    const SmallVector<OpFoldResult> tiles = op.getMixedTiles();
    SmallVector<Value> sizes, tileSizes;
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    for (int64_t i = 0; i < op.getSourceType().getRank(); ++i) sizes.push_back(sizeOf(builder, op.getSource(), i));
    for (OpFoldResult tile : tiles) tileSizes.push_back(getValueOrCreateConstantIndexOp(builder, op.getLoc(), tile));
    replaceByIndex(rewriter, op, op.getDest(),
                   [&](ImplicitLocOpBuilder body) { buildBody(body, op, sizes, tileSizes); });
    return success();
  }

 private:
  static Value sizeOf(ImplicitLocOpBuilder& builder, Value tensor, int64_t dim) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.isDynamicDim(dim)) return tensor::DimOp::create(builder, tensor, dim);
    return arith::ConstantIndexOp::create(builder, type.getDimSize(dim));
  }

  static void buildBody(ImplicitLocOpBuilder builder, linalg::PackOp op, ValueRange sizes, ValueRange tiles) {
    const auto rank = static_cast<int64_t>(sizes.size());
    TiledLayout layout(op, rank);
    Value padding = op.getPaddingValue();
    SmallVector<Value> position;
    Value inside;
    for (int64_t i = 0; i < rank; ++i) {
      Value at = linalg::IndexOp::create(builder, layout.outer[i]);
      if (int64_t tile = layout.inner[i]; tile >= 0) {
        at = arith::MulIOp::create(builder, at, tiles[tile]);
        at = arith::AddIOp::create(builder, at, linalg::IndexOp::create(builder, rank + tile));
        if (padding) {
          Value here = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, at, sizes[i]);
          inside = inside ? arith::AndIOp::create(builder, inside, here).getResult() : here;
          Value last = arith::SubIOp::create(builder, sizes[i], arith::ConstantIndexOp::create(builder, 1));
          at = arith::MinUIOp::create(builder, at, last);
        }
      }
      position.push_back(at);
    }
    Value value = tensor::ExtractOp::create(builder, op.getSource(), position);
    if (inside) value = arith::SelectOp::create(builder, inside, value, padding);
    linalg::YieldOp::create(builder, value);
  }
};

/// Replaces linalg.unpack by one operation, which reads each element from its tile.
struct UnpackByIndex : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::UnPackOp op, PatternRewriter& rewriter) const override {
    if (!op.hasPureTensorSemantics()) return failure();
    SmallVector<Value> tiles;
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    for (OpFoldResult tile : op.getMixedTiles())
      tiles.push_back(getValueOrCreateConstantIndexOp(builder, op.getLoc(), tile));
    replaceByIndex(rewriter, op, op.getDest(), [&](ImplicitLocOpBuilder body) { buildBody(body, op, tiles); });
    return success();
  }

 private:
  static void buildBody(ImplicitLocOpBuilder builder, linalg::UnPackOp op, ValueRange tiles) {
    const int64_t rank = op.getDestType().getRank();
    TiledLayout layout(op, rank);
    SmallVector<Value> position(rank + tiles.size());
    for (int64_t i = 0; i < rank; ++i) {
      Value at = linalg::IndexOp::create(builder, i);
      if (int64_t tile = layout.inner[i]; tile >= 0) {
        position[rank + tile] = arith::RemUIOp::create(builder, at, tiles[tile]);
        at = arith::DivUIOp::create(builder, at, tiles[tile]);
      }
      position[layout.outer[i]] = at;
    }
    linalg::YieldOp::create(builder, tensor::ExtractOp::create(builder, op.getSource(), position).getResult());
  }
};

struct DecomposeTensors : impl::DecomposeTensorsPassBase<DecomposeTensors> {
  void runOnOperation() override {
    if (failed(lowerProgramGlobals(getOperation()))) return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeSoftmax>(&getContext());
    patterns.add<PadByIndex, ConcatByIndex, ConcatInserted, FilledSliceByIndex, PackByIndex, UnpackByIndex>(
        &getContext(), /*benefit=*/2);
    linalg::populateDecomposePadPatterns(patterns);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    populateConstantValuePatterns(patterns);
    populateTmTensorPatterns(patterns);
    SmallVector<Operation*> ops;
    getOperation().walk([&](Operation* op) {
      bool isPermutation = isa<linalg::GenericOp, linalg::TransposeOp>(op);
      if (isPermutation || tm_tensor::isOperation(op) ||
          isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp, tensor::PadOp, tensor::ConcatOp,
              tensor::InsertSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ConstantOp>(op))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config))) signalPassFailure();
  }
};

}  // namespace

Value clampIndex(ImplicitLocOpBuilder& builder, Value index, int64_t size) {
  Value first = arith::ConstantIndexOp::create(builder, 0), last = arith::ConstantIndexOp::create(builder, size - 1);
  return arith::MinSIOp::create(builder, arith::MaxSIOp::create(builder, index, first), last);
}

}  // namespace mmtune
