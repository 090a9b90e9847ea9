// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of tensors, rewritten as matrix products.
#include "kernels/compiler/fusion/convolution_loops.h"
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CONVOLUTIONSTOPRODUCTSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// Dimensions in groups of neighbours, one of each of which is not left out.
SmallVector<ReassociationIndices> groupsAround(size_t rank, llvm::function_ref<bool(size_t)> isLeftOut) {
  SmallVector<ReassociationIndices> groups;
  bool found = false;  // The one in the last group.
  for (size_t i = 0; i < rank; ++i) {
    if (groups.empty() || (found && !isLeftOut(i))) groups.emplace_back();
    groups.back().push_back(static_cast<int64_t>(i));
    found |= !isLeftOut(i);
  }
  return groups;
}

class ConvolutionRewriter {
 public:
  ConvolutionRewriter(linalg::LinalgOp op, const ConvolutionProduct& product)
      : builder(op.getLoc(), op), op(op), product(product), maps(op.getIndexingMapsArray()) {
    input = op.getDpsInputs()[0];
    filter = op.getDpsInputs()[1];
    output = op.getDpsInits()[0];
    for (AffineExpr loop : maps[2].getResults())
      if (!isLeftOut(loop)) written.push_back(cast<AffineDimExpr>(loop).getPosition());
  }

  void run() {
    // Sums of 16 bits become wider ones that start from what the output held, and are rounded once.
    Type element = elementTypeOf(output);
    bool isZero = startsFromZero(), adds = !isZero && !element.isF16() && !element.isBF16();
    // Nothing asks the zeros for their sizes, so that nobody needs them.
    if (isZero) output = output.getDefiningOp<linalg::FillOp>().getDpsInits()[0];
    Value start = adds || isZero ? zeros() : turned(collapsed(output, maps[2]), written, product.rows);
    Value matrix = product.copied.empty() ? collapsed(input, maps[0]) : copied();
    auto made = linalg::GenericOp::create(builder, start.getType(), ValueRange{matrix, collapsed(filter, maps[1])},
                                          start, product.loops.maps, product.loops.iterators);
    IRMapping mapping;
    op->getRegion(0).cloneInto(&made.getRegion(), mapping);
    Value result = expanded(turned(made.getResult(0), product.rows, written));
    op->getResult(0).replaceAllUsesWith(adds ? sum(result, output) : result);
    op->erase();
  }

 private:
  bool isLeftOut(AffineExpr result) const {
    auto loop = dyn_cast<AffineDimExpr>(result);
    return loop && product.leftOut.test(loop.getPosition());
  }

  /// Whether the output was filled with zeros, as kernels start from them.
  bool startsFromZero() {
    auto fill = output.getDefiningOp<linalg::FillOp>();
    return fill && (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) || matchPattern(fill.getInputs()[0], m_Zero()));
  }

  /// A size that a loop has.
  OpFoldResult sizeOf(unsigned loop) {
    for (auto [value, map] : {std::pair{output, maps[2]}, {filter, maps[1]}})
      if (std::optional<unsigned> dim = map.getResultPosition(builder.getAffineDimExpr(loop)))
        return tensor::getMixedSize(builder, builder.getLoc(), value, *dim);
    llvm_unreachable("a loop of a convolution is one of its output or of its filter");
  }

  Value emptyOver(ArrayRef<unsigned> loops, Type element) {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(loops, [&](unsigned loop) { return sizeOf(loop); });
    return tensor::EmptyOp::create(builder, sizes, element);
  }

  Value zeros() {
    Type element = elementTypeOf(output);
    Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(element));
    return linalg::FillOp::create(builder, zero, emptyOver(product.rows, element)).getResult(0);
  }

  /// Without the dimensions of one element that loops which are left out number.
  Value collapsed(Value tensor, AffineMap map) {
    ArrayRef<AffineExpr> results = map.getResults();
    if (llvm::none_of(results, [&](AffineExpr result) { return isLeftOut(result); })) return tensor;
    return tensor::CollapseShapeOp::create(
        builder, tensor, groupsAround(results.size(), [&](size_t i) { return isLeftOut(results[i]); }));
  }

  /// The output's shape again.
  Value expanded(Value result) {
    auto type = cast<RankedTensorType>(output.getType());
    if (result.getType() == type) return result;
    auto isOut = [&](size_t i) { return isLeftOut(maps[2].getResult(i)); };
    return tensor::ExpandShapeOp::create(builder, type, result, groupsAround(type.getRank(), isOut),
                                         tensor::getMixedSizes(builder, builder.getLoc(), output));
  }

  /// Dimensions in another order, of a tensor in which loops number them.
  Value turned(Value tensor, ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
    if (from == to) return tensor;
    SmallVector<int64_t> permutation = llvm::map_to_vector(
        to, [&](unsigned loop) { return static_cast<int64_t>(llvm::find(from, loop) - from.begin()); });
    Value empty = emptyOver(to, elementTypeOf(tensor));
    return linalg::TransposeOp::create(builder, tensor, empty, permutation)->getResult(0);
  }

  /// The elements that the filter meets, pixel by pixel.
  Value copied() {
    Value empty = emptyOver(product.copied, elementTypeOf(input));
    return elementwise(input, empty, {product.place},
                       [](OpBuilder&, Location, ValueRange elements) { return elements[0]; });
  }

  Value sum(Value x, Value y) {
    SmallVector<AffineMap> identities(2, builder.getMultiDimIdentityMap(maps[2].getNumResults()));
    Value empty =
        tensor::EmptyOp::create(builder, tensor::getMixedSizes(builder, builder.getLoc(), y), elementTypeOf(y));
    return elementwise({x, y}, empty, identities, [](OpBuilder& body, Location at, ValueRange elements) -> Value {
      if (isa<FloatType>(elements[0].getType())) return arith::AddFOp::create(body, at, elements[0], elements[1]);
      return arith::AddIOp::create(body, at, elements[0], elements[1]);
    });
  }

  Value elementwise(ValueRange inputs, Value empty, SmallVector<AffineMap> places,
                    llvm::function_ref<Value(OpBuilder&, Location, ValueRange)> element) {
    int64_t rank = cast<RankedTensorType>(empty.getType()).getRank();
    places.push_back(builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(builder, empty.getType(), inputs, empty, places, parallel,
                                     [&](OpBuilder& body, Location at, ValueRange elements) {
                                       linalg::YieldOp::create(body, at, element(body, at, elements));
                                     })
        .getResult(0);
  }

  ImplicitLocOpBuilder builder;
  linalg::LinalgOp op;
  const ConvolutionProduct& product;
  SmallVector<AffineMap> maps;
  Value input, filter, output;
  SmallVector<unsigned> written;  ///< The loops that number the output's elements, in its order.
};

struct ConvolutionsToProducts : impl::ConvolutionsToProductsPassBase<ConvolutionsToProducts> {
  using ConvolutionsToProductsPassBase::ConvolutionsToProductsPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) ops.push_back(linalgOp);
      return WalkResult::advance();
    });
    for (linalg::LinalgOp op : ops) {
      std::optional<ConvolutionProduct> product = readConvolution(op, sumsAsWritten);
      if (!product) continue;
      if (product->reason.empty())
        ConvolutionRewriter(op, *product).run();
      else
        op.emitRemark() << "the convolution is not scheduled as a product: " << product->reason
                        << "; map-linalg-to-gpu gives it one thread for each element";
    }
  }
};

}  // namespace
}  // namespace mmtune
