// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass widen-accumulators: sums that would round to 16 bits at each step accumulate in f32 and round once.
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/scheduling/matmul_fusion.h"
#include "kernels/compiler/scheduling/matmul_match.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_WIDENACCUMULATORSPASS
#include "kernels/compiler/scheduling/Passes.h.inc"

namespace {

/// Returns what a reduction in f16 or bf16 adds to its output, or null if it does anything else.
Value termOf(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0) return {};
  Type type = elementTypeOf(op.getDpsInits()[0]);
  Block& body = *op.getBlock();
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  Value old = body.getArguments().back();
  if (!(type.isF16() || type.isBF16()) || !sum || !sum->hasOneUse() || !old.hasOneUse() || !isPureBody(body)) return {};
  if (sum.getRhs() == old) return sum.getLhs();
  return sum.getLhs() == old ? sum.getRhs() : Value();
}

/// Rewrites one matmul, convolution or other sum in place.
class AccumulatorWidener {
 public:
  AccumulatorWidener(linalg::LinalgOp op, const BufferEffects& effects)
      : op(op), c(op.getDpsInits()[0]), effects(effects), builder(op), loc(op.getLoc()) {}

  void run() {
    auto type = cast<MemRefType>(c.getType());
    auto wideType = MemRefType::get(type.getShape(), builder.getF32Type());
    SmallVector<Value> sizes;
    for (auto [position, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size)) sizes.push_back(memref::DimOp::create(builder, loc, c, position));
    Value wide = memref::AllocOp::create(builder, loc, wideType, sizes);
    if (Operation* fill = findZeroFill(op, c, effects)) {
      Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
      keepSemantics(linalg::FillOp::create(builder, loc, zero, wide));
      fill->erase();
    } else {
      convert<arith::ExtFOp>(c, wide);
    }
    add(wide);
    convert<arith::TruncFOp>(wide, c);
    // Freed at the end of the block, as other buffers are, so that fuse-rows can include the operations behind the sum.
    builder.setInsertionPoint(op->getBlock()->getTerminator());
    memref::DeallocOp::create(builder, loc, wide);
    op->erase();
  }

 private:
  void add(Value wide) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    keepSemantics(linalg::GenericOp::create(
        builder, loc, op.getDpsInputs(), wide, maps, iterators, [&](OpBuilder& body, Location at, ValueRange elements) {
          Value term = accumulatesIn16Bits(op) ? wideMatmulTerm(body, at, elements) : wideTerm(body, at, elements);
          linalg::YieldOp::create(body, at, arith::AddFOp::create(body, at, elements.back(), term).getResult());
        }));
  }

  static Value wideMatmulTerm(OpBuilder& body, Location at, ValueRange elements) {
    Value x = arith::ExtFOp::create(body, at, body.getF32Type(), elements[0]);
    Value y = arith::ExtFOp::create(body, at, body.getF32Type(), elements[1]);
    return arith::MulFOp::create(body, at, x, y);
  }

  /// The term keeps its own rounding.
  Value wideTerm(OpBuilder& body, Location at, ValueRange elements) {
    Value term = termOf(op);
    IRMapping made;
    made.map(op.getBlock()->getArguments().drop_back(), elements.drop_back());
    for (Operation& inner : op.getBlock()->without_terminator())
      if (!llvm::is_contained(inner.getOperands(), op.getBlock()->getArguments().back())) body.clone(inner, made);
    return arith::ExtFOp::create(body, at, body.getF32Type(), made.lookupOrDefault(term));
  }

  template <typename Conversion>
  void convert(Value from, Value to) {
    int64_t rank = cast<MemRefType>(from.getType()).getRank();
    SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    keepSemantics(linalg::GenericOp::create(
        builder, loc, from, to, maps, iterators, [](OpBuilder& body, Location at, ValueRange elements) {
          Value converted = Conversion::create(body, at, elements[1].getType(), elements[0]);
          linalg::YieldOp::create(body, at, converted);
        }));
  }

  void keepSemantics(Operation* made) {
    if (hasValueSemantics(op)) setValueSemantics(made);
  }

  linalg::LinalgOp op;
  Value c;
  const BufferEffects& effects;
  OpBuilder builder;
  Location loc;
};

struct WidenAccumulators : impl::WidenAccumulatorsPassBase<WidenAccumulators> {
  using WidenAccumulatorsPassBase::WidenAccumulatorsPassBase;

  void runOnOperation() override {
    CallFacts calls(getOperation());
    BufferEffects effects(calls);
    SmallVector<linalg::LinalgOp> reductions = hostLinalgOps(getOperation());
    llvm::erase_if(reductions, [&](linalg::LinalgOp op) {
      auto isOutput = [&](Value input) { return effects.mayAlias(op.getDpsInits()[0], input); };
      return !op.hasPureBufferSemantics() || !(accumulatesIn16Bits(op) || termOf(op)) ||
             llvm::any_of(op.getDpsInputs(), isOutput);
    });
    for (linalg::LinalgOp reduction : reductions) {
      if (remarks)
        reduction->emitRemark() << "the operation accumulates in f32 and rounds once to "
                                << elementTypeOf(reduction.getDpsInits()[0])
                                << " (--sums-as-written keeps the type of the sums)";
      AccumulatorWidener(reduction, effects).run();
    }
  }
};

}  // namespace
}  // namespace mmtune
