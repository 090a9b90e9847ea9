// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/kernel/linalg_thread_body.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mmtune {
namespace {

class PointEmitter {
 public:
  PointEmitter(OpBuilder& builder, linalg::LinalgOp op, const LinalgLoops& loops, ArrayRef<Value> extents)
      : builder(builder), op(op), loc(op.getLoc()), loops(loops), extents(extents), ivs(extents.size()) {}

  void emit(Value point) {
    delinearize(point);
    carry = !loops.reduction.empty() && outputsStay();
    SmallVector<Value> sums;
    if (carry)
      for (OpOperand& output : op.getDpsInitsMutable()) sums.push_back(load(output));
    sums = reduce(0, sums);
    if (carry) storeOutputs(sums);
  }

 private:
  void delinearize(Value point) {
    for (unsigned dim : llvm::reverse(loops.parallel)) {
      bool last = dim == loops.parallel.front();
      ivs[dim] = last ? point : arith::RemUIOp::create(builder, loc, point, extents[dim]);
      if (!last) point = arith::DivUIOp::create(builder, loc, point, extents[dim]);
    }
  }

  /// Whether every output is one element for all turns of the reduction loops, seen by no input.
  bool outputsStay() {
    for (OpOperand& output : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&output);
      for (unsigned dim : loops.reduction)
        if (map.isFunctionOfDim(dim)) return false;
      if (llvm::is_contained(op.getDpsInputs(), output.get())) return false;
    }
    return true;
  }

  /// The reduction loops from number `depth` on; returns what they carry.
  SmallVector<Value> reduce(size_t depth, ValueRange carried) {
    if (depth == loops.reduction.size()) return emitBody(carried);
    unsigned dim = loops.reduction[depth];
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, extents[dim], one, carried);
    ivs[dim] = loop.getInductionVar();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results = reduce(depth + 1, loop.getRegionIterArgs());
    if (carry) scf::YieldOp::create(builder, loc, results);
    return SmallVector<Value>(loop.getResults());
  }

  /// One turn: the body with the operands' elements. Its results are carried on or stored.
  SmallVector<Value> emitBody(ValueRange carried) {
    Block* body = op.getBlock();
    IRMapping mapping;
    for (OpOperand& operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (carry && op.isDpsInit(&operand))
        mapping.map(argument, carried[operand.getOperandNumber() - op.getNumDpsInputs()]);
      else if (!argument.use_empty())
        mapping.map(argument, load(operand));
    }
    for (Operation& inner : body->without_terminator()) cloneInner(inner, mapping);
    SmallVector<Value> results;
    for (Value yielded : body->getTerminator()->getOperands()) results.push_back(mapping.lookupOrDefault(yielded));
    if (carry) return results;
    storeOutputs(results);
    return {};
  }

  void cloneInner(Operation& inner, IRMapping& mapping) {
    Operation* copy = builder.clone(inner, mapping);
    SmallVector<linalg::IndexOp> indices;
    copy->walk([&](linalg::IndexOp index) { indices.push_back(index); });
    for (linalg::IndexOp index : indices) {
      Value iv = ivs[index.getDim()];
      if (index == copy) mapping.map(inner.getResult(0), iv);
      index.replaceAllUsesWith(iv);
      index.erase();
    }
  }

  /// The element of an operand at the present point; a scalar is itself.
  Value load(OpOperand& operand) {
    if (!isa<MemRefType>(operand.get().getType())) return operand.get();
    return memref::LoadOp::create(builder, loc, operand.get(), indices(operand));
  }

  void storeOutputs(ValueRange values) {
    for (auto [output, value] : llvm::zip(op.getDpsInitsMutable(), values))
      memref::StoreOp::create(builder, loc, value, output.get(), indices(output));
  }

  SmallVector<Value> indices(OpOperand& operand) {
    SmallVector<Value> result;
    for (AffineExpr expression : op.getMatchingIndexingMap(&operand).getResults())
      result.push_back(affine::expandAffineExpr(builder, loc, expression, ivs, {}));
    return result;
  }

  OpBuilder& builder;
  linalg::LinalgOp op;
  Location loc;
  const LinalgLoops& loops;
  ArrayRef<Value> extents;
  SmallVector<Value> ivs;  ///< Of all loops entered so far.
  bool carry = false;      ///< Outputs live in values while the reduction loops run.
};

}  // namespace

LinalgLoops::LinalgLoops(linalg::LinalgOp op) {
  for (auto [number, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    (kind == utils::IteratorType::parallel ? parallel : reduction).push_back(number);
}

bool LinalgLoops::staticallyEmpty(linalg::LinalgOp op) const {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return llvm::any_of(parallel, [&](unsigned dim) { return ranges[dim] == 0; });
}

void emitLinalgPoint(OpBuilder& builder, linalg::LinalgOp op, const LinalgLoops& loops, ArrayRef<Value> extents,
                     Value point) {
  PointEmitter(builder, op, loops, extents).emit(point);
}

}  // namespace mmtune
