// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/fusion/fusion_rules.h"

#include "kernels/fusion/operand_source.h"
#include "kernels/scheduling/product_match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {
namespace {

/// A kernel gets each operand in a parameter block of 4 kB: five words of a matrix.
constexpr int64_t kMaxInputs = 32;
/// What a thread of a reduction does in passing, so that it may be done by fewer threads than there are elements.
constexpr size_t kMaxWorkInReduction = 8;

bool isElementwise(linalg::LinalgOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// Whether the operation gives a product an operand in a form that schedule-matmul looks for.
bool preparesOperand(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || !isElementwise(op)) return false;
  if (!isExtension(op) && !sourceOfMoved(op->getResult(0))) return false;
  return llvm::any_of(op->getUsers(), [](Operation* user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    return reader && isProduct(reader);
  });
}

/// Whether an input is a product, maybe expanded.
bool readsProduct(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    if (auto expanded = input.getDefiningOp<tensor::ExpandShapeOp>()) input = expanded.getSrc();
    auto producer = input.getDefiningOp<linalg::LinalgOp>();
    return producer && isProduct(producer);
  });
}

bool callsFunctions(linalg::GenericOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation& inner) { return isa<math::MathDialect>(inner.getDialect()); });
}

bool isLittleWork(linalg::GenericOp op) {
  Block& body = *op.getBlock();
  return static_cast<size_t>(std::distance(body.begin(), body.end())) <= kMaxWorkInReduction && !callsFunctions(op);
}

/// Whether a body, or a region in it, computes with elements and not only with their places, up to extensions.
bool computesElements(linalg::GenericOp op) {
  auto isElement = [](Type type) { return !type.isIndex() && !type.isInteger(1); };
  return op.getBlock()
      ->walk([&](Operation* inner) {
        bool moves = !isa<arith::ArithDialect, math::MathDialect>(inner->getDialect()) ||
                     isa<arith::ConstantOp, arith::SelectOp, arith::ExtFOp, arith::ExtSIOp>(inner);
        bool computes = !moves && (llvm::any_of(inner->getOperandTypes(), isElement) ||
                                   llvm::any_of(inner->getResultTypes(), isElement));
        return computes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a reader of an element at several places, as a convolution's copy of its input, may compute it at each: it
/// is moved, or read by index, as a padding does.
bool mayRepeat(linalg::GenericOp op) {
  return isCheap(op) || sourceOfMoved(op->getResult(0)) || (op.getNumDpsInputs() == 0 && !computesElements(op));
}

}  // namespace

bool isProduct(linalg::LinalgOp op) {
  return matchProduct(op, ProductOperands::kTensors).kind != ProductMatch::Kind::kNone;
}

bool isExtension(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block& body = *op.getBlock();
  return std::distance(body.begin(), body.end()) == 2 && isa<arith::ExtFOp, arith::ExtSIOp>(body.front()) &&
         body.front().getOperand(0) == body.getArgument(0) &&
         body.getTerminator()->getOperand(0) == body.front().getResult(0);
}

bool isCheap(linalg::GenericOp op) {
  if (isExtension(op)) return true;
  if (!isElementwise(op) || op->getNumResults() != 1 || !llvm::hasSingleElement(*op.getBlock())) return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  return !llvm::is_contained(op.getRegionOutputArgs(), yielded) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
           return op.getMatchingIndexingMap(input).getNumResults() < op.getNumLoops();
         });
}

bool mayFuse(OpOperand* operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock() || producer->getNumResults() != 1)
    return false;
  if (!isPureBody(*producer.getBlock()) || !isPureBody(*consumer.getBlock())) return false;
  if (isProduct(producer) || isProduct(consumer) || preparesOperand(consumer)) return false;
  if (producer.getNumDpsInputs() + consumer.getNumDpsInputs() > kMaxInputs) return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  // Else no kernel of the product could do it.
  if (readsProduct(producer) && (!map.isIdentity() || !isElementwise(consumer))) return false;
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true) && !mayRepeat(producer)) return false;
  return isElementwise(consumer) || isCheap(producer) || (map.isPermutation() && isLittleWork(producer));
}

bool maySinkReshape(OpOperand* operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!reshape || !consumer || !reshape->hasOneUse() || !isElementwise(consumer) || isProduct(consumer)) return false;
  auto source = reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
  return source && source->getBlock() == consumer->getBlock() && source.hasPureTensorSemantics() &&
         (isProduct(source) || isElementwise(source)) && consumer.getMatchingIndexingMap(operand).isIdentity();
}

bool mayRaiseReshape(OpOperand* operand) {
  auto reshape = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!reshape || !producer || producer->getBlock() != reshape->getBlock() || producer->getNumResults() != 1 ||
      !isElementwise(producer) || !isPureBody(*producer.getBlock()) || isProduct(producer) || readsProduct(producer))
    return false;
  // What reads nothing is computed again at less cost than it is read.
  bool isMade = producer.getNumDpsInputs() == 0 && isLittleWork(producer);
  if (!isMade && !operand->get().hasOneUse()) return false;
  return reshape->hasOneUse() && llvm::all_of(reshape->getUsers(), [&](Operation* user) {
           auto reader = dyn_cast<linalg::GenericOp>(user);
           return reader && reader->getBlock() == producer->getBlock() && isElementwise(reader) && !isProduct(reader) &&
                  !preparesOperand(reader);
         });
}

}  // namespace mmtune
