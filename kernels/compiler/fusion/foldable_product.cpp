// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/foldable_product.h"

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

/// Whether two forms of a product have equally large matrices. (In smaller ones it may cost more than a copy does.)
bool areAsLarge(const std::optional<StridedProduct>& x, const std::optional<StridedProduct>& y) {
  auto sizes = [](const MatmulProblem& problem) {
    return std::tuple(problem.batch, problem.k, std::min(problem.m, problem.n), std::max(problem.m, problem.n));
  };
  return x && y && sizes(x->problem) == sizes(y->problem);
}

/// Whether the second form of a product has matrices of at least the size that the first has, and maybe fewer.
bool areJoined(const std::optional<StridedProduct>& x, const std::optional<StridedProduct>& y) {
  if (!x || !y || x->problem.k != y->problem.k) return false;
  auto sizes = [](const MatmulProblem& problem) { return std::minmax(problem.m, problem.n); };
  auto [less, more] = std::pair(sizes(x->problem), sizes(y->problem));
  return y->problem.batch <= x->problem.batch && less.first <= more.first && less.second <= more.second;
}

}  // namespace

bool isFoldable(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  if (areProductMaps(maps, op.getIteratorTypesArray())) return true;
  return areJoined(productOver(op, llvm::to_vector(op->getOperands()), op.getIndexingMapsArray()),
                   productOver(op, tensors, maps));
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

bool ExpandedProduct::isFoldable(Value tensor, AffineMap map, bool mayJoin) {
  loops.maps[operand] = map;
  SmallVector<OperandStrides> strides;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    std::optional<OperandStrides> known = i == operand ? stridesOf(tensor, map) : stridesOf(value, old.maps[i]);
    if (!known) return false;
    strides.push_back(i == operand ? *known : expanded(*known));
  }
  const std::optional<StridedProduct> now = productOver(op, llvm::to_vector(op->getOperands()), old.maps);
  const std::optional<StridedProduct> then = productOver(loops, strides, op->getOperand(0));
  return mayJoin ? areJoined(now, then) : areAsLarge(now, then);
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
