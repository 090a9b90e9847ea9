// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/fusion_rules.h"

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {
namespace {

/// A kernel has 4 kB of parameters; a matrix takes five words.
constexpr int64_t kMaxInputs = 32;
/// The most operations per element that a reduction may compute on its inputs, since it has fewer threads than
/// elements.
constexpr size_t kMaxWorkInReduction = 8;
/// The most operations that may compute the index of an element that a reader only moves.
constexpr size_t kMaxWorkOfMove = 32;

/// Returns an upper bound of the operands of the operation's kernel.
int64_t operandsOf(linalg::GenericOp op) {
  auto reads = op.getBlock()->getOps<tensor::ExtractOp>();
  return op.getNumDpsInputs() + std::distance(reads.begin(), reads.end());
}

/// True if the operation prepares a matmul operand (extends or permutes it) in a form that schedule-matmul looks for.
bool preparesOperand(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || !hasOnlyParallelLoops(op)) return false;
  if (!isExtension(op) && !sourceOfRearranged(op->getResult(0))) return false;
  return llvm::any_of(op->getUsers(), [](Operation* user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    return reader && isMatmul(reader);
  });
}

/// True if an input is a matmul's result, possibly expanded.
bool readsMatmul(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    if (auto expanded = input.getDefiningOp<tensor::ExpandShapeOp>()) input = expanded.getSrc();
    auto producer = input.getDefiningOp<linalg::LinalgOp>();
    return producer && isMatmul(producer);
  });
}

/// True if elementwise operations with one reader each lead from a matmul to the operation, which may become an
/// epilogue.
bool isAfterMatmul(linalg::GenericOp op) {
  if (readsMatmul(op)) return true;
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    auto producer = input.getDefiningOp<linalg::GenericOp>();
    return producer && producer->hasOneUse() && hasOnlyParallelLoops(producer) && isAfterMatmul(producer);
  });
}

bool callsFunctions(linalg::GenericOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation& inner) { return isa<math::MathDialect>(inner.getDialect()); });
}

size_t workOf(linalg::GenericOp op) {
  Block& body = *op.getBlock();
  return static_cast<size_t>(std::distance(body.begin(), body.end()));
}

bool isLittleWork(linalg::GenericOp op) { return workOf(op) <= kMaxWorkInReduction && !callsFunctions(op); }

/// True if a body computes with elements, and not only with indices. Extensions do not count.
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

/// True if a reader that uses elements several times, such as an im2col copy, may compute them each time.
bool mayRepeat(linalg::GenericOp op) {
  return isCheap(op) || sourceOfRearranged(op->getResult(0)) || (op.getNumDpsInputs() == 0 && !computesElements(op));
}

/// Collects the loops that an index in a body is computed from.
void addLoopsOf(Value index, Block* body, llvm::SmallSetVector<uint64_t, 4>& loops) {
  Operation* op = index.getDefiningOp();
  if (!op || op->getBlock() != body) return;
  if (auto loop = dyn_cast<linalg::IndexOp>(op)) loops.insert(loop.getDim());
  for (Value operand : op->getOperands()) addLoopsOf(operand, body, loops);
}

/// True if a body reads each element of a tensor at most once, except at edges: each index depends on one loop of its
/// own, and no loops are left over.
bool readsEachOnce(tensor::ExtractOp read, linalg::GenericOp reader) {
  llvm::SmallSetVector<uint64_t, 4> all;
  for (Value index : read.getIndices()) {
    llvm::SmallSetVector<uint64_t, 4> loops;
    addLoopsOf(index, reader.getBlock(), loops);
    if (loops.size() > 1 || llvm::any_of(loops, [&](uint64_t loop) { return !all.insert(loop); })) return false;
  }
  SmallVector<int64_t> sizes = reader.getStaticLoopRanges();
  for (uint64_t loop = 0; loop < sizes.size(); ++loop)
    if (sizes[loop] != 1 && !all.contains(loop)) return false;
  return true;
}

/// True if an element of the result can be computed anywhere from elements of the inputs.
bool isComputedAnywhere(linalg::GenericOp op) {
  auto hasRegions = [](Operation& inner) { return inner.getNumRegions() > 0; };
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 || !hasOnlyParallelLoops(op) ||
      !isPureBody(*op.getBlock()) || llvm::any_of(*op.getBlock(), hasRegions) || isMatmul(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
    return op.getMatchingIndexingMap(input).isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

/// True if an elementwise operation of the same block reads the tensor, or slices of it, by index.
bool isReadInBody(Operation* reader, Block* block) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(reader))
    return slice.getSourceType().getRank() == slice.getResultType().getRank() &&
           llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
           llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic) &&
           llvm::all_of(slice->getUsers(), [&](Operation* user) { return isReadInBody(user, block); });
  auto op = dyn_cast<linalg::GenericOp>(reader->getParentOp());
  return isa<tensor::ExtractOp>(reader) && op && op->getBlock() == block && hasOnlyParallelLoops(op);
}

/// True if an elementwise result is expanded to the dimensions that its inputs had before they were collapsed, or that
/// they do not depend on.
bool undoes(tensor::ExpandShapeOp reshape, linalg::GenericOp op) {
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  bool undone = false;
  for (OpOperand* input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto collapse = input->get().getDefiningOp<tensor::CollapseShapeOp>();
    // An expansion just before it is folded into the collapse first (maySinkReshape).
    if (collapse && collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>()) return false;
    if (collapse && map.isIdentity() && collapse.getReassociationIndices() == groups &&
        collapse.getSrcType().getShape() == reshape.getResultType().getShape())
      undone = true;
    else if (llvm::any_of(llvm::enumerate(groups), [&](const auto& group) {
               return group.value().size() > 1 && map.isFunctionOfDim(group.index());
             }))
      return false;
  }
  return undone;
}

}  // namespace

std::optional<RearrangedTensor> sourceOfRearranged(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !hasOnlyParallelLoops(op) || isa<linalg::FillOp>(op))
    return std::nullopt;
  // linalg.transpose and linalg.broadcast have this body, too.
  if (op.getBlock()->getTerminator()->getOperand(0) != op.getBlock()->getArgument(0) ||
      !llvm::hasSingleElement(*op.getBlock()))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (!op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() || !map.isProjectedPermutation() ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return std::nullopt;
  return RearrangedTensor{op.getDpsInputs()[0], map};
}

bool isMatmul(linalg::LinalgOp op) {
  return matchMatmul(op, MatmulOperands::kTensors).kind != MatmulMatch::Kind::kNone;
}

bool isIndexComputed(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 0 && isComputedAnywhere(op) && isLittleWork(op) &&
         op.getBlock()->getOps<tensor::ExtractOp>().empty();
}

bool isRearrangement(linalg::GenericOp op) {
  return op->getNumResults() == 1 && sourceOfRearranged(op->getResult(0)) && isComputedAnywhere(op);
}

bool isRearrangementForReaders(linalg::GenericOp op) {
  if (!isRearrangement(op)) return false;
  return llvm::all_of(op->getUses(), [&](OpOperand& use) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    return reader ? hasOnlyParallelLoops(reader) && mayFuse(&use) : isReadInBody(use.getOwner(), op->getBlock());
  });
}

bool mayComputeAtRead(tensor::ExtractOp read, linalg::GenericOp reader) {
  auto producer = read.getTensor().getDefiningOp<linalg::GenericOp>();
  if (!producer || producer->getBlock() != reader->getBlock() || !isComputedAnywhere(producer) ||
      operandsOf(producer) + operandsOf(reader) > kMaxInputs)
    return false;
  if (isRearrangementForReaders(producer) || isIndexComputed(producer)) return true;
  if (!producer->hasOneUse() || isAfterMatmul(producer)) return false;
  if (!computesElements(producer)) return workOf(producer) <= kMaxWorkOfMove;
  return isLittleWork(producer) && readsEachOnce(read, reader);
}

bool isCheap(linalg::GenericOp op) {
  if (isExtension(op) || isIndexComputed(op)) return true;
  if (!hasOnlyParallelLoops(op) || op->getNumResults() != 1 || !llvm::hasSingleElement(*op.getBlock())) return false;
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
  if (isMatmul(producer) || isMatmul(consumer) || preparesOperand(consumer)) return false;
  if (operandsOf(producer) + operandsOf(consumer) > kMaxInputs) return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  // Otherwise the matmul's kernel could not compute it.
  bool isRead = sourceOfRearranged(producer->getResult(0)) && hasOnlyParallelLoops(consumer);
  if (readsMatmul(producer) && !isRead && (!map.isIdentity() || !hasOnlyParallelLoops(consumer))) return false;
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true) && !mayRepeat(producer)) return false;
  if (hasOnlyParallelLoops(consumer) || isCheap(producer)) return true;
  // widen-accumulators recognises a 16-bit matmul by its body.
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true)) return !accumulatesIn16Bits(consumer);
  return map.isPermutation() && isLittleWork(producer);
}

bool maySinkReshape(OpOperand* operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!reshape || !consumer || !reshape->hasOneUse() || !hasOnlyParallelLoops(consumer) || isMatmul(consumer))
    return false;
  auto source = reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
  return source && source->getBlock() == consumer->getBlock() && source.hasPureTensorSemantics() &&
         (isMatmul(source) || hasOnlyParallelLoops(source)) && consumer.getMatchingIndexingMap(operand).isIdentity();
}

bool maySinkPastCollapse(OpOperand* operand) {
  auto reshape = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!reshape || !consumer || !reshape->hasOneUse() || !hasOnlyParallelLoops(consumer) || preparesOperand(consumer) ||
      !isPureBody(*consumer.getBlock()) || !consumer.getMatchingIndexingMap(operand).isIdentity())
    return false;
  auto source = reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
  if (!source || source->getBlock() != consumer->getBlock() || !source->hasOneUse()) return false;
  auto generic = dyn_cast<linalg::GenericOp>(source.getOperation());
  return isMatmul(source) || (generic && hasOnlyParallelLoops(generic) && isAfterMatmul(generic));
}

bool readsElementsRepeatedly(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || accumulatesIn16Bits(op)) return false;
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand* input) {
    auto producer = input->get().getDefiningOp<linalg::GenericOp>();
    return producer && producer->hasOneUse() && mayRepeat(producer) &&
           !op.getMatchingIndexingMap(input).isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

bool mayRaiseReshape(OpOperand* operand) {
  auto reshape = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!reshape || !producer || producer->getBlock() != reshape->getBlock() || producer->getNumResults() != 1 ||
      !hasOnlyParallelLoops(producer) || !isPureBody(*producer.getBlock()) || isMatmul(producer))
    return false;
  if (operand->get().hasOneUse() && undoes(reshape, producer)) return true;
  if (isAfterMatmul(producer)) return false;
  // An operation that reads nothing is cheap to compute again.
  bool readsNothing = producer.getNumDpsInputs() == 0 && isLittleWork(producer);
  if (!readsNothing && !operand->get().hasOneUse()) return false;
  return reshape->hasOneUse() && llvm::all_of(reshape->getUsers(), [&](Operation* user) {
           auto reader = dyn_cast<linalg::GenericOp>(user);
           return reader && reader->getBlock() == producer->getBlock() && hasOnlyParallelLoops(reader) &&
                  !isMatmul(reader) && !preparesOperand(reader);
         });
}

}  // namespace mmtune
