// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass split-epilogues: separates what a matmul's kernel can do from the rest of an elementwise body.
#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/scheduling/matmul_fusion.h"
#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_SPLITEPILOGUESPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// A matmul whose result an operation reads.
struct ReadMatmul {
  Value result;
  unsigned columnDims = 1;
  Type accumulator;
  SmallVector<Type, 2> operandTypes;  ///< The operands' types, also before an extension.
  bool adds = false;                  ///< True if it adds to the output's old contents.
};

std::optional<ReadMatmul> matmulOf(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics()) return std::nullopt;
  MatmulMatch match = matchMatmul(op, MatmulOperands::kTensors);
  if (match.kind != MatmulMatch::Kind::kMatmul && !match.accumulatesIn16Bits) return std::nullopt;
  Type operandTypes = elementTypeOf(match.matmul.a);
  ReadMatmul matmul{value, match.matmul.columnDims, accumulatorTypeOf(operandTypes), {operandTypes}};
  if (auto before = match.matmul.a.getDefiningOp<linalg::LinalgOp>(); before && isExtension(before)) {
    Type narrow = elementTypeOf(before.getDpsInputs()[0]);
    if (dataTypeOf(narrow) && accumulatorTypeOf(narrow) == matmul.accumulator) matmul.operandTypes.push_back(narrow);
  }
  auto fill = match.matmul.c.getDefiningOp<linalg::FillOp>();
  matmul.adds = !fill || !matchPattern(fill.getInputs()[0], m_PosZeroFloat());
  return matmul;
}

/// True if a kernel of the matmul can end with these steps and store their result.
bool isEpilogue(const ReadMatmul& matmul, const EpilogueSteps& steps, Type stored) {
  for (Value operand : {steps.bias, steps.addend})
    if (operand && elementTypeOf(operand) != stored) return false;
  return llvm::any_of(matmul.operandTypes, [&](Type operandTypes) {
    std::optional<DataType> type = dataTypeOf(stored), dtype = dataTypeOf(operandTypes);
    if (!type || !dtype) return false;
    MatmulProblem problem;
    problem.dtype = *dtype;
    if (matmul.adds) problem.epilogue.push_back({EpilogueOp::Kind::kAdd});
    llvm::append_range(problem.epilogue, steps.steps);
    if (problem.TypeOfC() != *type) problem.out = OutputType::kF32;
    return problem.TypeOfC() == *type && problem.Validate().ok();
  });
}

using Operations = llvm::SmallPtrSet<Operation*, 16>;

/// Returns the operations of a body that compute a value.
Operations makersOf(Value value, Block& body) {
  Operations makers;
  SmallVector<Value> left{value};
  while (!left.empty()) {
    Operation* maker = left.pop_back_val().getDefiningOp();
    if (maker && maker->getBlock() == &body && makers.insert(maker).second)
      llvm::append_range(left, maker->getOperands());
  }
  return makers;
}

class EpilogueSplitter {
 public:
  explicit EpilogueSplitter(linalg::GenericOp op) : op(op) {}

  /// Splits epilogues off, and returns the rest of the operation, or null if there is none.
  linalg::GenericOp run() {
    if (op.getNumDpsInits() != 1 || !hasOnlyParallelLoops(op) || !isPureBody(*op.getBlock()) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return {};
    SmallVector<ReadMatmul> matmuls;
    for (OpOperand* input : op.getDpsInputOperands())
      if (std::optional<ReadMatmul> matmul = matmulOf(input->get()); matmul && input->get().hasOneUse())
        matmuls.push_back(*matmul);
    llvm::sort(matmuls, [this](const ReadMatmul& x, const ReadMatmul& y) { return comesBefore(x, y); });
    for (const ReadMatmul& matmul : matmuls) {
      Value last = lastStep(matmul, matmuls);
      if (last == op.getBlock()->getTerminator()->getOperand(0)) return {};
      if (last) splitBehind(last);
    }
    if (matmuls.empty() || joinDims()) return {};
    return op;
  }

 private:
  /// If the only reader is a reshape that joins dimensions, makes the operation go over the joined ones, as its readers
  /// do: a row kernel may include both.
  bool joinDims() {
    auto collapse = op->hasOneUse() ? dyn_cast<tensor::CollapseShapeOp>(*op->user_begin()) : nullptr;
    if (!collapse || !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity()) return false;
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    if (!linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups)) return false;
    IRRewriter rewriter(op.getContext());
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> joined = linalg::collapseOpIterationDims(op, groups, rewriter);
    if (failed(joined)) return false;
    rewriter.replaceOp(collapse, joined->collapsedOp->getResult(0));
    rewriter.eraseOp(op);
    if (auto expanded = joined->results[0].getDefiningOp<tensor::ExpandShapeOp>()) rewriter.eraseOp(expanded);
    return true;
  }

  /// Operations outside of the block, as before a loop, come first.
  bool comesBefore(const ReadMatmul& x, const ReadMatmul& y) const {
    Block* block = op->getBlock();
    Operation* one = block->findAncestorOpInBlock(*x.result.getDefiningOp());
    Operation* other = block->findAncestorOpInBlock(*y.result.getDefiningOp());
    if (!one || !other) return !one && other;
    return one != other && one->isBeforeInBlock(other);
  }

  /// Returns the last value of the body up to which all is an epilogue, or null. With several matmuls, the last one
  /// gets the others as addends.
  Value lastStep(const ReadMatmul& matmul, ArrayRef<ReadMatmul> matmuls) {
    for (Operation& inner : llvm::reverse(op.getBlock()->without_terminator())) {
      if (inner.getNumResults() != 1) continue;
      Value value = inner.getResult(0);
      EpilogueSteps steps = readEpilogueSteps(op, matmul.result, matmul.columnDims, matmul.accumulator, value);
      if (!steps.reason.empty() || !isEpilogue(matmul, steps, value.getType())) continue;
      bool leavesOther = matmul.result != matmuls.back().result &&
                         llvm::any_of(matmuls, [&](const ReadMatmul& other) { return other.result == steps.addend; });
      if (!leavesOther && isAllOfIt(matmul, value)) return value;
    }
    return {};
  }

  /// True if the rest of the body needs neither the matmul nor an operation that computes `value`.
  bool isAllOfIt(const ReadMatmul& matmul, Value value) {
    Operations makers = makersOf(value, *op.getBlock());
    auto isMaker = [&](Operation* user) { return makers.contains(user); };
    for (Operation* maker : makers)
      if (maker != value.getDefiningOp() && !maker->hasTrait<OpTrait::ConstantLike>() &&
          !llvm::all_of(maker->getUsers(), isMaker))
        return false;
    return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
      return input->get() != matmul.result || llvm::all_of(op.getMatchingBlockArgument(input).getUsers(), isMaker);
    });
  }

  /// Splits the operation into one that computes `value` and the rest, which becomes `op`.
  void splitBehind(Value value) {
    Operations makers = makersOf(value, *op.getBlock());
    OpBuilder builder(op);
    SmallVector<OpFoldResult> shape = tensor::getMixedSizes(builder, op.getLoc(), op.getDpsInits()[0]);
    Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape, value.getType());
    linalg::GenericOp steps =
        create(builder, {}, empty, value, [&](Operation& inner) { return makers.contains(&inner); });
    linalg::GenericOp rest =
        create(builder, {value, steps.getResult(0)}, op.getDpsInits()[0], op.getBlock()->getTerminator()->getOperand(0),
               [&](Operation& inner) { return !makers.contains(&inner) || inner.hasTrait<OpTrait::ConstantLike>(); });
    op.getResult(0).replaceAllUsesWith(rest.getResult(0));
    op.erase();
    op = rest;
  }

  /// Creates an operation with a part of the body that yields `yielded`. If not null, `given.first` is a value of the
  /// body that is read from the tensor `given.second`.
  linalg::GenericOp create(OpBuilder& builder, std::pair<Value, Value> given, Value output, Value yielded,
                           llvm::function_ref<bool(Operation&)> isTaken) {
    SmallVector<Value> inputs, elements;
    SmallVector<AffineMap> maps;
    for (OpOperand* input : op.getDpsInputOperands()) {
      BlockArgument element = op.getMatchingBlockArgument(input);
      bool isRead =
          yielded == element || llvm::any_of(element.getUsers(), [&](Operation* user) { return isTaken(*user); });
      if (!isRead) continue;
      inputs.push_back(input->get());
      elements.push_back(element);
      maps.push_back(op.getMatchingIndexingMap(input));
    }
    AffineMap identity = builder.getMultiDimIdentityMap(op.getNumLoops());
    if (given.first) {
      elements.push_back(given.first);
      inputs.push_back(given.second);
      maps.push_back(identity);
    }
    maps.push_back(identity);
    return linalg::GenericOp::create(builder, op.getLoc(), output.getType(), inputs, output, maps,
                                     op.getIteratorTypesArray(),
                                     [&](OpBuilder& body, Location at, ValueRange arguments) {
                                       IRMapping mapping;
                                       for (auto [element, argument] : llvm::zip(elements, arguments))
                                         mapping.map(element, argument);
                                       for (Operation& inner : op.getBlock()->without_terminator())
                                         if (isTaken(inner)) body.clone(inner, mapping);
                                       linalg::YieldOp::create(body, at, mapping.lookupOrDefault(yielded));
                                     });
  }

  linalg::GenericOp op;
};

struct SplitEpilogues : impl::SplitEpiloguesPassBase<SplitEpilogues> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && !isMatmul(op)) ops.push_back(op);
    });
    llvm::SetVector<Operation*> rests;
    for (linalg::GenericOp op : ops)
      if (linalg::GenericOp rest = EpilogueSplitter(op).run()) rests.insert(rest);
    if (failed(expand(rests))) signalPassFailure();
  }

 private:
  /// If the only reader of the rest is a reshape that splits dimensions, makes the rest go over the parts: a row kernel
  /// may include it, such as a mask before a softmax.
  LogicalResult expand(const llvm::SetVector<Operation*>& rests) {
    SmallVector<Operation*> reshapes;
    for (Operation* rest : rests)
      if (rest->hasOneUse() && isa<tensor::ExpandShapeOp>(*rest->user_begin())) reshapes.push_back(*rest->user_begin());
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, [&](OpOperand* operand) {
      return isa<tensor::ExpandShapeOp>(operand->getOwner()) && rests.contains(operand->get().getDefiningOp());
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    return applyOpPatternsGreedily(reshapes, std::move(patterns), config);
  }
};

}  // namespace
}  // namespace mmtune
