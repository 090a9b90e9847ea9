// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/fusion/foldable_product.h"

using namespace mlir;

namespace mmtune {
namespace {

std::optional<StridedProduct> productOver(const ProductLoops& loops, ArrayRef<OperandStrides> strides, Value factor) {
  std::optional<DataType> type = dataTypeOf(elementTypeOf(factor));
  if (!type) return std::nullopt;
  return matchStrides(loops, strides[0], strides[1], strides[2], *type, /*preferSwapped=*/false);
}

/// The product with such maps over operands that lie as these tensors do, if kernels compute it.
std::optional<StridedProduct> productOver(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  SmallVector<OperandStrides> strides;
  for (auto [tensor, map] : llvm::zip_equal(tensors, maps))
    if (std::optional<OperandStrides> known = stridesOf(tensor, map))
      strides.push_back(*known);
    else
      return std::nullopt;
  return productOver({llvm::to_vector(maps), op.getIteratorTypesArray(), loopsOf(op).extents}, strides, tensors[0]);
}

/// Whether the matrices of one form of a product are at least as large as those of the form that it has now. (In
/// smaller ones it may cost more than a copy does.)
bool areAsLarge(const std::optional<StridedProduct>& form, const std::optional<StridedProduct>& now) {
  if (!form || !now || form->problem.k != now->problem.k) return false;
  auto [least, most] = std::minmax(form->problem.m, form->problem.n);
  auto [leastNow, mostNow] = std::minmax(now->problem.m, now->problem.n);
  return least >= leastNow && most >= mostNow;
}

}  // namespace

bool isFoldable(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  if (areProductMaps(maps, op.getIteratorTypesArray())) return true;
  return areAsLarge(productOver(op, tensors, maps),
                    productOver(op, llvm::to_vector(op->getOperands()), op.getIndexingMapsArray()));
}

ExpandedProduct::ExpandedProduct(linalg::LinalgOp op, unsigned operand, ArrayRef<ReassociationIndices> groups,
                                 ArrayRef<int64_t> shape)
    : op(op), operand(operand), old(loopsOf(op)) {
  for (int64_t extent : old.extents) parts.push_back({extent});
  for (auto [result, group] : llvm::zip_equal(old.maps[operand].getResults(), groups)) {
    SmallVector<int64_t>& sizes = parts[cast<AffineDimExpr>(result).getPosition()];
    sizes.clear();
    for (int64_t dim : group) sizes.push_back(shape[dim]);
  }
  for (auto [loop, sizes] : llvm::enumerate(parts)) {
    first.push_back(loops.extents.size());
    llvm::append_range(loops.extents, sizes);
    loops.iterators.append(sizes.size(), old.iterators[loop]);
  }
  for (AffineMap map : old.maps) loops.maps.push_back(expanded(map));
}

bool ExpandedProduct::isFoldable(Value tensor, AffineMap map) {
  loops.maps[operand] = map;
  SmallVector<OperandStrides> strides;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    std::optional<OperandStrides> known = i == operand ? stridesOf(tensor, map) : stridesOf(value, old.maps[i]);
    if (!known) return false;
    strides.push_back(i == operand ? *known : expanded(*known));
  }
  return areAsLarge(productOver(loops, strides, op->getOperand(0)),
                    productOver(op, llvm::to_vector(op->getOperands()), old.maps));
}

AffineMap ExpandedProduct::expanded(AffineMap map) const {
  Builder builder(map.getContext());
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    for (size_t part = 0; part < parts[loop].size(); ++part)
      results.push_back(builder.getAffineDimExpr(first[loop] + part));
  }
  return AffineMap::get(loops.extents.size(), 0, results, map.getContext());
}

OperandStrides ExpandedProduct::expanded(const OperandStrides& strides) const {
  OperandStrides result{SmallVector<int64_t>(loops.extents.size()), strides.offset};
  for (size_t loop = 0; loop < parts.size(); ++loop) {
    int64_t stride = strides.loops[loop];
    for (size_t part = parts[loop].size(); part-- > 0; stride *= parts[loop][part])
      result.loops[first[loop] + part] = stride;
  }
  return result;
}

}  // namespace mmtune
