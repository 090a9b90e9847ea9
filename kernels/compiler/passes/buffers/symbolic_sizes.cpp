// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/symbolic_sizes.h"

#include <algorithm>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Returns the size from a list with one for each dynamic dimension of the type.
Value dynamicSize(ShapedType type, ValueRange sizes, int64_t dim) {
  return sizes[llvm::count_if(type.getShape().take_front(dim), ShapedType::isDynamic)];
}

/// Returns the size operand of a slice for a dimension of its result.
template <typename SliceOp>
OpFoldResult sliceSize(SliceOp slice, int64_t dim) {
  llvm::SmallBitVector leftOut = slice.getDroppedDims();
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  size_t i = 0;
  for (; leftOut[i] || dim > 0; ++i) dim -= !leftOut[i];
  return sizes[i];
}

/// Returns the ranked operand and number of the dimension, if the number is known.
template <typename DimOp>
std::optional<std::pair<Value, int64_t>> dimensionOf(DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  auto type = dyn_cast<ShapedType>(op.getSource().getType());
  if (!dim || !type || !type.hasRank() || *dim < 0 || *dim >= type.getRank()) return std::nullopt;
  return std::pair<Value, int64_t>(op.getSource(), *dim);
}

/// Emits the sum of sizes for a dimension of a padding or a concatenation; null for other operations.
Value sumOf(ImplicitLocOpBuilder& builder, const SymbolicSizes& sizes, Value shaped, int64_t dim) {
  SmallVector<OpFoldResult> more;
  Value sum;
  if (auto pad = shaped.getDefiningOp<tensor::PadOp>()) {
    sum = sizes.materialize(builder, sizes.of(pad.getSource(), dim));
    more = {pad.getMixedLowPad()[dim], pad.getMixedHighPad()[dim]};
  } else if (auto concat = shaped.getDefiningOp<tensor::ConcatOp>()) {
    sum = sizes.materialize(builder, sizes.of(concat.getInputs().front(), dim));
    for (Value part : concat.getInputs().drop_front()) more.push_back(sizes.materialize(builder, sizes.of(part, dim)));
  }
  for (OpFoldResult size : more) {
    Value term = getValueOrCreateConstantIndexOp(builder, builder.getLoc(), size);
    sum = builder.createOrFold<arith::AddIOp>(sum, term);
  }
  return sum;
}

bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

}  // namespace

SymbolicSize SymbolicSize::constant(int64_t size) {
  SymbolicSize constant;
  constant.known = size;
  return constant;
}

SymbolicSize SymbolicSize::factor(Factor factor) {
  SymbolicSize size;
  size.factors.push_back(factor);
  return size;
}

SymbolicSize& SymbolicSize::operator*=(const SymbolicSize& other) {
  known *= other.known;
  factors.append(other.factors);
  if (known == 0) factors.clear();
  return *this;
}

bool SymbolicSize::operator==(const SymbolicSize& other) const {
  return known == other.known && factors.size() == other.factors.size() &&
         std::is_permutation(factors.begin(), factors.end(), other.factors.begin());
}

SymbolicSize SymbolicSizes::of(OpFoldResult size) const {
  if (auto value = dyn_cast<Value>(size)) return of(value);
  return SymbolicSize::constant(*getConstantIntValue(size));
}

SymbolicSize SymbolicSizes::of(Value number) const {
  if (Value size = guarded.lookup(number)) return of(size);
  if (std::optional<int64_t> constant = getConstantIntValue(number)) return SymbolicSize::constant(*constant);
  Operation* op = number.getDefiningOp();
  if (!op) return SymbolicSize::value(number);
  auto ofDimension = [&](auto op) {
    auto dimension = dimensionOf(op);
    return dimension ? of(dimension->first, dimension->second) : SymbolicSize::value(number);
  };
  return llvm::TypeSwitch<Operation*, SymbolicSize>(op)
      .Case<tensor::DimOp, memref::DimOp>(ofDimension)
      .Case([&](arith::MulIOp product) {
        SymbolicSize size = of(product.getLhs());
        return size *= of(product.getRhs());
      })
      .Case([&](arith::DivSIOp quotient) {
        SymbolicSize size = of(quotient.getLhs());
        std::optional<int64_t> divisor = getConstantIntValue(quotient.getRhs());
        if (!divisor || *divisor <= 0 || size.known % *divisor != 0) return SymbolicSize::value(number);
        size.known /= *divisor;
        return size;
      })
      .Case([&](affine::AffineApplyOp apply) {
        auto product = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
        auto factor = product ? dyn_cast<AffineConstantExpr>(product.getRHS()) : AffineConstantExpr();
        bool isMultiple = factor && product.getKind() == AffineExprKind::Mul && apply.getMapOperands().size() == 1 &&
                          isa<AffineDimExpr, AffineSymbolExpr>(product.getLHS());
        if (!isMultiple) return SymbolicSize::value(number);
        SymbolicSize size = of(apply.getMapOperands().front());
        return size *= SymbolicSize::constant(factor.getValue());
      })
      .Case([&](arith::IndexCastOp cast) {
        bool keepsValue = isWide(cast.getIn().getType()) && isWide(cast.getType());
        return keepsValue ? of(cast.getIn()) : SymbolicSize::value(number);
      })
      .Default([&](Operation*) { return SymbolicSize::value(number); });
}

SymbolicSize SymbolicSizes::of(Value shaped, int64_t dim) const {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(dim)) return SymbolicSize::constant(type.getDimSize(dim));
  auto unknown = [&] { return SymbolicSize::dimension(shaped, dim); };
  Operation* op = shaped.getDefiningOp();
  if (!op) return unknown();
  if (auto written = dyn_cast<DestinationStyleOpInterface>(op))
    return of(written.getTiedOpOperand(cast<OpResult>(shaped))->get(), dim);
  auto ofSource = [&](auto cast) {
    auto source = dyn_cast<ShapedType>(cast.getSource().getType());
    return source && source.hasRank() ? of(cast.getSource(), dim) : unknown();
  };
  auto ofAllocation = [&](auto alloc) { return of(dynamicSize(type, alloc.getDynamicSizes(), dim)); };
  auto ofCollapse = [&](auto collapse) {
    SymbolicSize size;
    for (int64_t i : collapse.getReassociationIndices()[dim]) size *= of(collapse.getSrc(), i);
    return size;
  };
  return llvm::TypeSwitch<Operation*, SymbolicSize>(op)
      .Case<tensor::CastOp, memref::CastOp>(ofSource)
      .Case<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(ofAllocation)
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>([&](auto slice) { return of(sliceSize(slice, dim)); })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto expand) { return of(expand.getMixedOutputShape()[dim]); })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>(ofCollapse)
      .Case([&](tensor::ConcatOp concat) {
        return dim == static_cast<int64_t>(concat.getDim()) ? unknown() : of(concat.getInputs().front(), dim);
      })
      .Default([&](Operation*) {
        bool isElementwise = OpTrait::hasElementwiseMappableTraits(op) && !isa<arith::SelectOp>(op);
        return isElementwise ? of(op->getOperand(0), dim) : unknown();
      });
}

Value SymbolicSizes::materialize(ImplicitLocOpBuilder& builder, const SymbolicSize& size) const {
  Value product;
  if (size.known != 1 || size.factors.empty()) product = arith::ConstantIndexOp::create(builder, size.known);
  for (auto [value, dim] : size.factors) {
    Value factor = dim == SymbolicSize::kWhole ? value : sumOf(builder, *this, value, dim);
    if (!factor)
      factor = isa<MemRefType>(value.getType()) ? builder.createOrFold<memref::DimOp>(value, dim)
                                                : builder.createOrFold<tensor::DimOp>(value, dim);
    if (!factor.getType().isIndex()) factor = arith::IndexCastOp::create(builder, builder.getIndexType(), factor);
    product = product ? builder.createOrFold<arith::MulIOp>(product, factor) : factor;
  }
  return product;
}

Value SymbolicSizes::zeroUnless(ImplicitLocOpBuilder& builder, Value condition, Value size) {
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value chosen = arith::SelectOp::create(builder, condition, size, zero);
  guarded[chosen] = size;
  return chosen;
}

}  // namespace mmtune
