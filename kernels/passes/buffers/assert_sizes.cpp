// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/buffers/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ASSERTSIZESPASS
#include "kernels/passes/buffers/Passes.h.inc"

namespace {

class SizeAsserter {
 public:
  explicit SizeAsserter(Operation* op) : builder(op->getLoc(), op) {}

  void check(tensor::CastOp op) {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType()), to = dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to) return;
    for (int64_t i = 0; i < from.getRank(); ++i)
      if (from.isDynamicDim(i) && !to.isDynamicDim(i)) expect(sizeOf(op.getSource(), i), constant(to.getDimSize(i)));
    if (Value alike = assertAll(op)) op.getSourceMutable().assign(emptyUnless(alike, op.getSource()));
  }

  void check(tensor::ConcatOp op) {
    const auto along = static_cast<int64_t>(op.getDim());
    RankedTensorType type = op.getResultType();
    for (int64_t i = 0; i < type.getRank(); ++i) {
      auto isDynamic = [&](Type part) { return cast<RankedTensorType>(part).isDynamicDim(i); };
      if (llvm::none_of(op.getInputs().getTypes(), isDynamic)) continue;  // They are verified.
      Value all = sizeOf(op.getInputs()[0], i);
      for (Value part : op.getInputs().drop_front())
        if (Value size = sizeOf(part, i); i == along)
          all = arith::AddIOp::create(builder, all, size);
        else
          expect(size, all);
      if (!type.isDynamicDim(i)) expect(all, constant(type.getDimSize(i)));
    }
    if (Value areAlike = assertAll(op))
      for (OpOperand& part : op->getOpOperands()) part.set(emptyUnless(areAlike, part.get()));
  }

 private:
  /// The size of what a value is written into is its own: to ask for that leaves the value to those that read it.
  Value sizeOf(Value tensor, int64_t dim) {
    while (auto result = dyn_cast<OpResult>(tensor)) {
      auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
      if (!op) break;
      tensor = op.getTiedOpOperand(result)->get();
    }
    auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
    if (empty && empty.getType().isDynamicDim(dim)) return empty.getDynamicSize(dim);
    return builder.createOrFold<tensor::DimOp>(tensor, dim);
  }

  Value constant(int64_t size) { return arith::ConstantIndexOp::create(builder, size); }

  void expect(Value size, Value expected) {
    Value alike = builder.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, size, expected);
    if (matchPattern(alike, m_One())) return;
    holds = holds ? arith::AndIOp::create(builder, holds, alike).getResult() : alike;
  }

  /// Asserts what was expected, and returns whether it is so; null where that is known.
  Value assertAll(Operation* op) {
    if (holds)
      cf::AssertOp::create(builder, holds, op->getName().getStringRef().str() + ": sizes at run time do not fit");
    return holds;
  }

  /// The tensor; without elements where the condition does not hold, as host code goes on behind an assertion.
  Value emptyUnless(Value condition, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.hasStaticShape()) return tensor;
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        strides(type.getRank(), builder.getIndexAttr(1)), sizes;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        sizes.push_back(arith::SelectOp::create(builder, condition, sizeOf(tensor, i), constant(0)).getResult());
      else
        sizes.push_back(builder.getIndexAttr(type.getDimSize(i)));
    return tensor::ExtractSliceOp::create(builder, type, tensor, offsets, sizes, strides);
  }

  Value holds;  ///< Null: known to.
  ImplicitLocOpBuilder builder;
};

struct AssertSizes : impl::AssertSizesPassBase<AssertSizes> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp, linalg::LinalgOp>(op)) return WalkResult::skip();
      if (auto cast = dyn_cast<tensor::CastOp>(op)) SizeAsserter(op).check(cast);
      if (auto concat = dyn_cast<tensor::ConcatOp>(op)) SizeAsserter(op).check(concat);
      return WalkResult::advance();
    });
  }
};

}  // namespace
}  // namespace mmtune
