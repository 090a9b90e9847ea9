// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/constant_values.h"

#include <cstring>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace mmtune {
namespace {

/// The dimension of the result that each dimension of the input becomes, when the operation only permutes.
std::optional<SmallVector<int64_t>> permutationOf(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op->getNumResults() != 1) return std::nullopt;
  auto yield = dyn_cast<linalg::YieldOp>(op.getBlock()->front());
  if (!yield || yield.getOperand(0) != op.getBlock()->getArgument(0)) return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[0].isPermutation() || !maps[1].isPermutation()) return std::nullopt;
  SmallVector<int64_t> permutation;
  for (AffineExpr loop : maps[0].getResults()) permutation.push_back(*maps[1].getResultPosition(loop));
  return permutation;
}

/// `permutation[i]` is the dimension of the result that dimension i of `shape` becomes.
SmallVector<char> transpose(ArrayRef<char> from, ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation, size_t width) {
  size_t rank = shape.size();
  SmallVector<int64_t> sizes(rank), strides(rank), position(rank, 0);
  int64_t stride = static_cast<int64_t>(width);
  for (size_t i = rank; i-- > 0; stride *= shape[i]) {
    sizes[permutation[i]] = shape[i];
    strides[permutation[i]] = stride;
  }
  SmallVector<char> to(from.size());
  int64_t source = 0;
  for (size_t target = 0; target < to.size(); target += width) {
    std::memcpy(&to[target], &from[source], width);
    for (size_t i = rank; i-- > 0;) {
      source += strides[i];
      if (++position[i] < sizes[i]) break;
      source -= sizes[i] * strides[i];
      position[i] = 0;
    }
  }
  return to;
}

/// Null where the elements are not whole bytes that are at hand.
TypedAttr transposed(ElementsAttr value, RankedTensorType type, ArrayRef<int64_t> permutation) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && dense.isSplat()) return dense.resizeSplat(type);
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0) return {};
  size_t width = element.getIntOrFloatBitWidth() / 8;
  ArrayRef<char> bytes = rawBytesOf(value);
  if (bytes.empty() || bytes.size() != type.getNumElements() * width) return {};
  SmallVector<char> made = transpose(bytes, value.getShapedType().getShape(), permutation, width);
  if (dense) return DenseElementsAttr::getFromRawBuffer(type, made);
  StringRef name = cast<DenseResourceElementsAttr>(value).getRawHandle().getKey();
  return DenseResourceElementsAttr::get(type, name, HeapAsmResourceBlob::allocateAndCopyWithAlign(made, /*align=*/64));
}

struct FoldConstantTranspose : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter& rewriter) const override {
    std::optional<SmallVector<int64_t>> permutation = permutationOf(op);
    auto type = dyn_cast_or_null<RankedTensorType>(permutation ? op->getResult(0).getType() : Type());
    auto constant = type ? op->getOperand(0).getDefiningOp<arith::ConstantOp>() : nullptr;
    if (!constant || !constant->hasOneUse()) return failure();
    auto value = dyn_cast<ElementsAttr>(constant.getValue());
    if (!value || value.getElementType() != type.getElementType() || !type.hasStaticShape()) return failure();
    TypedAttr made = transposed(value, type, *permutation);
    if (!made) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, made);
    return success();
  }
};

/// Gives a constant that only a reshape reads the shape that it is read in, so that what stands behind the reshape, as
/// a transpose, sees a constant.
template <typename Reshape>
struct FoldConstantReshape : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op, PatternRewriter& rewriter) const override {
    auto constant = op.getSrc().template getDefiningOp<arith::ConstantOp>();
    RankedTensorType type = op.getResultType();
    if (!constant || !constant->hasOneUse() || !type.hasStaticShape()) return failure();
    TypedAttr made;
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      made = dense.reshape(type);
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      made = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    if (!made) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, made);
    return success();
  }
};

struct UnpackBooleanResource : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, PatternRewriter& rewriter) const override {
    auto packed = dyn_cast<ElementsAttr>(op.getValue());
    ElementsAttr unpacked = unpackedBooleans(packed);
    if (unpacked == packed) return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(unpacked));
    return success();
  }
};

}  // namespace

ArrayRef<char> rawBytesOf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob* blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

ElementsAttr unpackedBooleans(ElementsAttr value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || !resource.getElementType().isInteger(1)) return value;
  ArrayRef<char> bytes = rawBytesOf(resource);
  auto count = static_cast<size_t>(resource.getNumElements());
  bool isPacked = bytes.size() == (count + 7) / 8;
  if (bytes.size() != count && !isPacked) return value;
  SmallVector<bool> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(bytes.size() == count ? bytes[i] != 0 : (bytes[i / 8] >> (i % 8) & 1) != 0);
  return DenseElementsAttr::get(resource.getType(), values);
}

void populateConstantValuePatterns(RewritePatternSet& patterns) {
  patterns.add<FoldConstantTranspose, FoldConstantReshape<tensor::CollapseShapeOp>,
               FoldConstantReshape<tensor::ExpandShapeOp>, UnpackBooleanResource>(patterns.getContext());
}

}  // namespace mmtune
