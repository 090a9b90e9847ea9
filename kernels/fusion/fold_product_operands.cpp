// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that read transposed and broadcast operands where they lie.
#include "kernels/fusion/fusion_rules.h"
#include "kernels/fusion/operand_source.h"
#include "kernels/fusion/passes.h"
#include "kernels/scheduling/product_match.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FOLDPRODUCTOPERANDSPASS
#include "kernels/fusion/Passes.h.inc"

namespace {

class ProductFolder {
 public:
  explicit ProductFolder(linalg::LinalgOp op) : rewriter(op.getContext()), op(op) {}

  void run() {
    while (foldAny()) {
    }
  }

 private:
  bool foldAny() {
    return llvm::any_of(op.getDpsInputOperands(),
                        [&](OpOperand* operand) { return fold(operand->getOperandNumber()); });
  }

  /// Whether the product reads the source of an operand from now on.
  bool fold(unsigned number) {
    auto extension = op->getOperand(number).getDefiningOp<linalg::LinalgOp>();
    if (extension && (!extension.hasPureTensorSemantics() || !isExtension(extension))) extension = {};
    std::optional<MovedTensor> moved = sourceOfMoved(extension ? extension.getDpsInputs()[0] : op->getOperand(number));
    if (!moved) return false;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[number] = moved->map.compose(maps[number]);
    if (!areProductMaps(maps, op.getIteratorTypesArray())) return false;
    rewriter.setInsertionPoint(op);
    if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
    rewriter.setInsertionPoint(op);
    op->setOperand(number, extension ? extended(extension, moved->source) : moved->source);
    cast<linalg::GenericOp>(op).setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    return true;
  }

  /// What an extension makes of another tensor.
  Value extended(linalg::LinalgOp extension, Value source) {
    Location loc = extension.getLoc();
    auto type = RankedTensorType::get(cast<RankedTensorType>(source.getType()).getShape(),
                                      getElementTypeOrSelf(extension->getResult(0)));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, source), type.getElementType());
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    Operation* inner = &extension.getBlock()->front();
    return linalg::GenericOp::create(rewriter, loc, type, source, empty, maps, iterators,
                                     [&](OpBuilder& body, Location at, ValueRange elements) {
                                       IRMapping mapping;
                                       mapping.map(inner->getOperand(0), elements[0]);
                                       linalg::YieldOp::create(body, at, body.clone(*inner, mapping)->getResults());
                                     })
        .getResult(0);
  }

  IRRewriter rewriter;
  linalg::LinalgOp op;
};

struct FoldProductOperands : impl::FoldProductOperandsPassBase<FoldProductOperands> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isProduct(op)) products.push_back(op);
    });
    for (linalg::LinalgOp product : products) ProductFolder(product).run();
  }
};

}  // namespace
}  // namespace mmtune
