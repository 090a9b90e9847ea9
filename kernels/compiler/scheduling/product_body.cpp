// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/product_body.h"

#include "kernels/compiler/scheduling/product_match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mmtune {

ProductBody::ProductBody(Block& body) : body(body) { product = readProduct(); }

bool ProductBody::readProduct() {
  if (body.getNumArguments() != 3 || body.getTerminator()->getNumOperands() != 1 || !isPureBody(body)) return false;
  Operation* sum = definingOp<arith::AddFOp, arith::AddIOp>(body.getTerminator()->getOperand(0));
  return sum && (isSum(sum->getOperand(0), sum->getOperand(1)) || isSum(sum->getOperand(1), sum->getOperand(0)));
}

bool ProductBody::isSum(Value old, Value term) {
  if (withoutCasts(old) != body.getArgument(2)) return false;
  Operation* product = definingOp<arith::MulFOp, arith::MulIOp>(term);
  if (!product) return false;
  type = product->getResult(0).getType();
  Value x = withoutCasts(product->getOperand(0)), y = withoutCasts(product->getOperand(1));
  return (x == body.getArgument(0) && y == body.getArgument(1)) ||
         (x == body.getArgument(1) && y == body.getArgument(0));
}

Value ProductBody::withoutCasts(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    bool rounding = isa<arith::TruncFOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(op);
    if (!rounding && !isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op)) break;
    foundRounding |= rounding;
    foundUnsigned |= isa<arith::ExtUIOp>(op);
    value = op->getOperand(0);
  }
  return value;
}

template <typename... Ops>
Operation* ProductBody::definingOp(Value value) {
  Operation* op = withoutCasts(value).getDefiningOp();
  return op && isa<Ops...>(op) ? op : nullptr;
}

bool isProductBody(Block& body) { return ProductBody(body).isProduct(); }

}  // namespace mmtune
