// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/constant_body.h"

#include "kernels/compiler/fusion/constant_operations.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

std::optional<ConstantElement> scalarOf(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant))) return std::nullopt;
  return constantElement(constant);
}

}  // namespace

bool isConstantBody(linalg::LinalgOp op, llvm::function_ref<bool(Value)> isKnown) {
  Block& body = *op.getBlock();
  auto isAtHand = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body) return true;
    return value.getParentBlock() == &body || scalarOf(value).has_value();
  };
  for (BlockArgument argument : body.getArguments())
    if (!ElementFormat::of(argument.getType())) return false;
  for (Operation& inner : body) {
    if (auto read = dyn_cast<tensor::ExtractOp>(inner)) {
      if (!isKnown(read.getTensor()) || !llvm::all_of(read.getIndices(), isAtHand)) return false;
      continue;
    }
    if (!llvm::all_of(inner.getOperands(), isAtHand)) return false;
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      if (!constantElement(constant.getValue())) return false;
    } else if (!isa<linalg::IndexOp, linalg::YieldOp, cf::AssertOp>(inner) && !constantOperation(&inner)) {
      return false;
    }
  }
  return true;
}

ConstantBody::ConstantBody(linalg::LinalgOp op, ConstantOf constantOf) : inputs(op.getNumDpsInputs()) {
  Block& body = *op.getBlock();
  for (BlockArgument argument : body.getArguments()) slotOf(argument);
  for (Operation& inner : body.without_terminator()) add(inner, constantOf);
  yielded = slotOf(body.getTerminator()->getOperand(0));
}

std::optional<ConstantElement> ConstantBody::run(ArrayRef<ConstantElement> elements, ArrayRef<int64_t> place) {
  llvm::copy(elements, values.begin());
  for (Step& step : work)
    if (!step(values, place)) return std::nullopt;
  return values[yielded];
}

/// Constants have their value from the beginning.
unsigned ConstantBody::slotOf(Value value) {
  auto [slot, isNew] = slots.try_emplace(value, values.size());
  if (isNew) values.push_back(scalarOf(value).value_or(ConstantElement{.integer = 0}));
  return slot->second;
}

void ConstantBody::add(Operation& op, ConstantOf constantOf) {
  if (isa<arith::ConstantOp>(op)) return;
  SmallVector<unsigned> operands;
  for (Value operand : op.getOperands())
    if (!isa<TensorType>(operand.getType())) operands.push_back(slotOf(operand));
  if (isa<cf::AssertOp>(op)) {
    work.push_back([=](auto& values, auto) { return values[operands[0]].integer != 0; });
    return;
  }
  const unsigned result = slotOf(op.getResult(0));
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    const uint64_t loop = index.getDim();
    work.push_back([=](auto& values, ArrayRef<int64_t> place) {
      values[result].integer = place[loop];
      return true;
    });
    return;
  }
  if (auto read = dyn_cast<tensor::ExtractOp>(op)) {
    const ConstantTensor* tensor = constantOf(read.getTensor());
    ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
    work.push_back([=](auto& values, auto) {
      int64_t at = 0;
      for (auto [operand, size] : llvm::zip_equal(operands, shape)) {
        const int64_t index = values[operand].integer;
        if (index < 0 || index >= size) return false;
        at = at * size + index;
      }
      values[result] = tensor ? tensor->at(at) : ConstantElement{.integer = at};
      return true;
    });
    return;
  }
  ConstantOperation operation = constantOperation(&op);
  work.push_back([=, taken = SmallVector<ConstantElement, 3>(operands.size())](auto& values, auto) mutable {
    for (auto [element, operand] : llvm::zip_equal(taken, operands)) element = values[operand];
    std::optional<ConstantElement> made = operation(taken);
    if (made) values[result] = *made;
    return made.has_value();
  });
}

}  // namespace mmtune
