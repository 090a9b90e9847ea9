// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/operand_extension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Whether the operation extends its one input to its one output, element by element.
bool isExtension(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }) ||
      !isPureBody(*op.getBlock()))
    return false;
  Operation* extension = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(extension) &&
         extension->getOperand(0) == op.getBlock()->getArgument(0);
}

}  // namespace

std::optional<Extension> findExtension(Operation* reader, Value buffer, const BufferEffects& effects) {
  // Most operands have none, and what comes before them is long.
  if (llvm::none_of(buffer.getUsers(), [&](Operation* user) {
        auto op = dyn_cast<linalg::LinalgOp>(user);
        return op && user->getBlock() == reader->getBlock() && isExtension(op) && op.getDpsInits()[0] == buffer;
      }))
    return std::nullopt;
  SmallVector<Operation*> between;
  for (Operation* before = reader->getPrevNode(); before; before = before->getPrevNode()) {
    if (!effects.mayWrite(before, buffer)) {
      between.push_back(before);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(before);
    if (!op || !isExtension(op) || op.getDpsInits()[0] != buffer) return std::nullopt;
    Value source = op.getDpsInputs()[0];
    if (effects.mayAlias(source, buffer) ||
        llvm::any_of(between, [&](Operation* later) { return effects.mayWrite(later, source); }))
      return std::nullopt;
    return Extension{op, source, buffer};
  }
  return std::nullopt;
}

std::optional<ExtendedProduct> withoutExtensions(const Product& product, const BufferEffects& effects) {
  std::optional<Extension> a = findExtension(product.op, product.a, effects);
  std::optional<Extension> b = findExtension(product.op, product.b, effects);
  if (!a || !b || elementTypeOf(a->source) != elementTypeOf(b->source)) return std::nullopt;
  for (Value source : {a->source, b->source})
    if (!whyNotStridedOperand(source).empty() || sumsOf(elementTypeOf(source)) != elementTypeOf(product.c) ||
        effects.mayAlias(source, product.c))
      return std::nullopt;
  std::optional<Product> narrow = withInputs(product, a->source, b->source);
  return narrow ? std::optional(ExtendedProduct{*narrow, {*a, *b}}) : std::nullopt;
}

}  // namespace mmtune
