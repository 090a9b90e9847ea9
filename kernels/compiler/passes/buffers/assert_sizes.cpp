// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/passes/buffers/symbolic_sizes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ASSERTSIZESPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

using arith::CmpIPredicate;

bool isRanked(Value value) { return isa<RankedTensorType, MemRefType>(value.getType()); }

/// Asserts the sizes that one operation requires.
class SizeAsserter {
 public:
  SizeAsserter(Operation* op, SymbolicSizes& sizes) : op(op), builder(op->getLoc(), op), sizes(sizes) {}

  void check(tensor::CastOp cast) {
    if (!isRanked(cast.getSource()) || !isRanked(cast.getDest())) return;
    expectEqualSizes(cast.getSource(), cast.getDest());
    if (Value alike = assertAll()) cast.getSourceMutable().assign(emptyUnless(alike, cast.getSource()));
  }

  void check(memref::CastOp cast) {
    if (!isRanked(cast.getSource()) || !isRanked(cast.getDest())) return;
    expectEqualSizes(cast.getSource(), cast.getDest());
    assertAll();
  }

  void check(tensor::ConcatOp concat) {
    const auto along = static_cast<int64_t>(concat.getDim());
    for (int64_t i = 0; i < concat.getResultType().getRank(); ++i) {
      auto isDynamic = [&](Type part) { return cast<RankedTensorType>(part).isDynamicDim(i); };
      if (llvm::none_of(concat.getInputs().getTypes(), isDynamic)) continue;  // The verifier checks static sizes.
      if (i != along) {
        for (Value part : concat.getInputs().drop_front())
          expectEqual(sizes.of(part, i), sizes.of(concat.getInputs()[0], i));
        if (int64_t size = concat.getResultType().getDimSize(i); !ShapedType::isDynamic(size))
          expectEqual(sizes.of(concat.getInputs()[0], i), SymbolicSize::constant(size));
      } else if (!concat.getResultType().isDynamicDim(i)) {
        Value all = valueOf(concat.getInputs()[0], i);
        for (Value part : concat.getInputs().drop_front())
          all = builder.createOrFold<arith::AddIOp>(all, valueOf(part, i));
        expect(compare(CmpIPredicate::eq, all, constant(concat.getResultType().getDimSize(i))));
      }
    }
    if (Value areAlike = assertAll())
      for (OpOperand& part : concat->getOpOperands()) part.set(emptyUnless(areAlike, part.get()));
  }

  /// Checks that operands indexed by one loop have equal sizes, and that other indices lie inside the operand.
  void check(linalg::LinalgOp linalg) {
    SmallVector<std::optional<SymbolicSize>> loops(linalg.getNumLoops());
    forEachIndex(linalg, [&](OpOperand& operand, int64_t dim, AffineExpr index) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      if (!loop) return;
      SymbolicSize size = sizes.of(operand.get(), dim);
      std::optional<SymbolicSize>& known = loops[loop.getPosition()];
      if (known) expectEqual(size, *known);
      if (!known || size.isConstant()) known = size;
    });
    if (!llvm::all_of(loops, [](const std::optional<SymbolicSize>& size) { return size.has_value(); })) return;
    forEachIndex(linalg, [&](OpOperand& operand, int64_t dim, AffineExpr index) {
      if (!isa<AffineDimExpr>(index)) expectIndexInside(index, loops, sizes.of(operand.get(), dim));
    });
    assertAll();
  }

  void check(linalg::SoftmaxOp softmax) {
    expectEqualSizes(softmax.getInput(), softmax.getOutput());
    assertAll();
  }

  void check(tm_tensor::ScanOp scan) {
    Value input = scan.getInputs()[0];
    expectEqualSizes(input, scan.getOutputs()[0]);
    const auto along = static_cast<int64_t>(scan.getDimension());
    for (int64_t i = 0; i < cast<ShapedType>(scan.getOutputs()[1].getType()).getRank(); ++i)
      expectEqual(sizes.of(scan.getOutputs()[1], i), sizes.of(input, i < along ? i : i + 1));
    assertAll();
  }

  void check(tm_tensor::SortOp sort) {
    for (Value operand : op->getOperands()) expectEqualSizes(operand, sort.getOutputs()[0]);
    assertAll();
  }

  /// Checks a scatter; updates outside of the output are ignored.
  void check(tm_tensor::ScatterOp scatter) {
    tm_tensor::ScatterLayout layout(scatter);
    expectEqual(sizes.of(layout.updates, 0), sizes.of(layout.indices, 0));
    assertAll();
  }

  /// Checks an elementwise operation on whole tensors.
  void checkElementwise() {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      if (isRanked(operand)) operands.push_back(operand);
    if (auto select = dyn_cast<arith::SelectOp>(op); select && !isRanked(select.getCondition())) return;
    for (Value operand : ArrayRef(operands).drop_front(operands.empty() ? 0 : 1))
      expectEqualSizes(operand, operands.front());
    assertAll();
  }

  /// Checks that the product of the sizes that a dimension is split into is its size.
  template <typename ExpandShapeOp>
  void checkExpansion(ExpandShapeOp expand) {
    SmallVector<OpFoldResult> shape = expand.getMixedOutputShape();
    for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
      SymbolicSize product;
      for (int64_t dim : group) product *= sizes.of(shape[dim]);
      expectEqual(product, sizes.of(expand.getSrc(), i));
    }
    if (Value fits = assertAll())
      for (OpOperand& size : expand.getOutputShapeMutable()) zeroUnless(fits, size);
  }

  void check(tensor::ExpandShapeOp expand) { checkExpansion(expand); }
  void check(memref::ExpandShapeOp expand) { checkExpansion(expand); }

  /// Checks that the shape has as many elements as the source, and the static sizes of the result.
  void check(tensor::ReshapeOp reshape) {
    auto from = dyn_cast<RankedTensorType>(reshape.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(reshape.getType());
    if (!from || !to) return;
    SymbolicSize elements, product;
    for (int64_t i = 0; i < from.getRank(); ++i) elements *= sizes.of(reshape.getSource(), i);
    for (int64_t i = 0; i < to.getRank(); ++i) {
      Value size = builder.createOrFold<tensor::ExtractOp>(reshape.getShape(), constant(i));
      if (!size.getType().isIndex()) size = builder.createOrFold<arith::IndexCastOp>(builder.getIndexType(), size);
      product *= sizes.of(OpFoldResult(size));
      if (!to.isDynamicDim(i)) expectEqual(sizes.of(OpFoldResult(size)), SymbolicSize::constant(to.getDimSize(i)));
    }
    expectEqual(product, elements);
    assertAll();
  }

  void check(memref::CopyOp copy) {
    if (!isRanked(copy.getSource()) || !isRanked(copy.getTarget())) return;
    expectEqualSizes(copy.getSource(), copy.getTarget());
    Value fits = assertAll();
    if (!fits) return;
    auto branch = scf::IfOp::create(builder, fits, /*withElseRegion=*/false);
    copy->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  }

  void check(gpu::MemcpyOp copy) {
    expectEqualSizes(copy.getSrc(), copy.getDst());
    assertAll();
  }

  void check(tensor::ExtractSliceOp slice) {
    expectSliceInside(slice, slice.getSource());
    if (Value fits = assertAll()) emptySliceUnless(fits, slice);
  }

  void check(memref::SubViewOp slice) {
    expectSliceInside(slice, slice.getSource());
    if (Value fits = assertAll()) emptySliceUnless(fits, slice);
  }

  void check(tensor::InsertSliceOp slice) { checkInsertion(slice); }
  void check(tensor::ParallelInsertSliceOp slice) {
    builder.setInsertionPoint(slice->getParentOp());  // It contains only these operations.
    checkInsertion(slice);
  }

 private:
  static void forEachIndex(linalg::LinalgOp linalg,
                           llvm::function_ref<void(OpOperand& operand, int64_t dim, AffineExpr index)> visit) {
    for (OpOperand& operand : linalg->getOpOperands())
      if (isRanked(operand.get()))
        for (auto [dim, index] : llvm::enumerate(linalg.getMatchingIndexingMap(&operand).getResults()))
          visit(operand, static_cast<int64_t>(dim), index);
  }

  template <typename InsertSliceOp>
  void checkInsertion(InsertSliceOp slice) {
    expectSliceInside(slice, slice.getDest());
    llvm::SmallBitVector leftOut = slice.getDroppedDims();
    int64_t dim = 0;
    for (auto [i, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!leftOut[i]) expectEqual(sizes.of(slice.getSource(), dim++), sizes.of(size));
    if (Value fits = assertAll()) {
      emptySliceUnless(fits, slice);
      slice.getSourceMutable().assign(emptyUnless(fits, slice.getSource()));
    }
  }

  void expectSliceInside(OffsetSizeAndStrideOpInterface slice, Value whole) {
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), counts = slice.getMixedSizes(),
                              steps = slice.getMixedStrides();
    for (auto [i, offset] : llvm::enumerate(offsets))
      expectRangeInside(offset, counts[i], steps[i], sizes.of(whole, static_cast<int64_t>(i)));
  }

  void expectRangeInside(OpFoldResult offset, OpFoldResult count, OpFoldResult step, const SymbolicSize& whole) {
    SymbolicSize size = sizes.of(count);
    bool isUnitStep = isConstantIntValue(step, 1);
    if (isConstantIntValue(offset, 0) && isUnitStep && size == whole) return;
    if (isa<Attribute>(offset) && isa<Attribute>(count) && isa<Attribute>(step) && whole.isConstant()) return;
    Value zero = constant(0), one = constant(1), first = valueOf(offset), number = valueOf(count);
    Value distance = builder.createOrFold<arith::SubIOp>(number, one);
    if (!isUnitStep) distance = builder.createOrFold<arith::MulIOp>(distance, valueOf(step));
    Value last = builder.createOrFold<arith::AddIOp>(first, distance), end = sizes.materialize(builder, whole);
    bool isForwards = getConstantIntValue(step).value_or(-1) >= 0;
    Value least = isForwards ? first : builder.createOrFold<arith::MinSIOp>(first, last);
    Value most = isForwards ? last : builder.createOrFold<arith::MaxSIOp>(first, last);
    Value inside = both(compare(CmpIPredicate::sge, least, zero), compare(CmpIPredicate::slt, most, end));
    Value isEmpty = compare(CmpIPredicate::eq, number, zero);
    expect(either(isEmpty, both(inside, compare(CmpIPredicate::sgt, number, zero))));
  }

  /// The minimum and maximum of an index of an operand.
  struct Range {
    Value least, most;
  };

  /// Returns nothing for an index whose range depends on more than the ends of its loops: one that uses a loop twice,
  /// or a remainder of anything but a loop.
  std::optional<Range> rangeOf(AffineExpr index, ArrayRef<Value> ends, llvm::SmallBitVector& used) {
    if (auto number = dyn_cast<AffineConstantExpr>(index))
      return Range{constant(number.getValue()), constant(number.getValue())};
    if (auto loop = dyn_cast<AffineDimExpr>(index)) {
      if (used.test(loop.getPosition())) return std::nullopt;
      used.set(loop.getPosition());
      return Range{constant(0), builder.createOrFold<arith::SubIOp>(ends[loop.getPosition()], constant(1))};
    }
    auto expression = dyn_cast<AffineBinaryOpExpr>(index);
    if (!expression) return std::nullopt;
    std::optional<Range> left = rangeOf(expression.getLHS(), ends, used);
    std::optional<Range> right = rangeOf(expression.getRHS(), ends, used);
    if (!left || !right) return std::nullopt;
    auto number = dyn_cast<AffineConstantExpr>(expression.getRHS());
    auto apply = [&]<typename Op>() {
      Range range{builder.createOrFold<Op>(left->least, right->least),
                  builder.createOrFold<Op>(left->most, right->most)};
      if (number && number.getValue() < 0 && expression.getKind() != AffineExprKind::Add)
        std::swap(range.least, range.most);
      return range;
    };
    switch (expression.getKind()) {
      case AffineExprKind::Add:
        return apply.operator()<arith::AddIOp>();
      case AffineExprKind::Mul:
        return number ? std::optional(apply.operator()<arith::MulIOp>()) : std::nullopt;
      case AffineExprKind::FloorDiv:
        return number ? std::optional(apply.operator()<arith::FloorDivSIOp>()) : std::nullopt;
      case AffineExprKind::CeilDiv:
        return number ? std::optional(apply.operator()<arith::CeilDivSIOp>()) : std::nullopt;
      default:
        if (!number || !isa<AffineDimExpr>(expression.getLHS())) return std::nullopt;
        return Range{left->least, builder.createOrFold<arith::MinSIOp>(left->most, constant(number.getValue() - 1))};
    }
  }

  /// Expects the index inside the operand, or a loop without iterations.
  void expectIndexInside(AffineExpr index, ArrayRef<std::optional<SymbolicSize>> loops, const SymbolicSize& size) {
    bool allConstant = size.isConstant();
    index.walk([&](AffineExpr part) {
      if (auto loop = dyn_cast<AffineDimExpr>(part)) allConstant &= loops[loop.getPosition()]->isConstant();
    });
    if (allConstant) return;  // The verifier checks it.
    SmallVector<Value> ends;
    for (const std::optional<SymbolicSize>& loop : loops) ends.push_back(sizes.materialize(builder, *loop));
    llvm::SmallBitVector used(loops.size());
    std::optional<Range> range = rangeOf(index, ends, used);
    if (!range) return;
    Value zero = constant(0);
    Value fits = both(compare(CmpIPredicate::sge, range->least, zero),
                      compare(CmpIPredicate::slt, range->most, sizes.materialize(builder, size)));
    for (Value end : ends) fits = either(fits, compare(CmpIPredicate::eq, end, zero));
    expect(fits);
  }

  Value constant(int64_t size) { return arith::ConstantIndexOp::create(builder, size); }
  Value valueOf(OpFoldResult size) {
    if (auto value = dyn_cast<Value>(size)) return value;
    return constant(*getConstantIntValue(size));
  }
  Value valueOf(Value shaped, int64_t dim) { return sizes.materialize(builder, sizes.of(shaped, dim)); }

  Value compare(CmpIPredicate predicate, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(predicate, a, b);
  }
  Value both(Value a, Value b) { return builder.createOrFold<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) { return builder.createOrFold<arith::OrIOp>(a, b); }

  void expectEqualSizes(Value a, Value b) {
    auto typeA = cast<ShapedType>(a.getType()), typeB = cast<ShapedType>(b.getType());
    for (int64_t i = 0; i < typeA.getRank(); ++i)
      if (typeA.isDynamicDim(i) || typeB.isDynamicDim(i)) expectEqual(sizes.of(a, i), sizes.of(b, i));
  }

  void expectEqual(const SymbolicSize& a, const SymbolicSize& b) {
    if (a == b) return;
    expect(compare(CmpIPredicate::eq, sizes.materialize(builder, a), sizes.materialize(builder, b)));
  }

  void expect(Value condition) {
    if (matchPattern(condition, m_One())) return;
    holds = holds ? both(holds, condition) : condition;
  }

  /// Asserts the expectations, and returns whether they hold; null where that is known.
  Value assertAll() {
    if (holds)
      cf::AssertOp::create(builder, holds, op->getName().getStringRef().str() + ": sizes at run time do not fit");
    return holds;
  }

  // Host code continues after a failed assertion, which must not copy beyond a buffer.

  /// Returns the tensor, empty where the condition does not hold.
  Value emptyUnless(Value condition, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.hasStaticShape()) return tensor;
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        strides(type.getRank(), builder.getIndexAttr(1)), lengths;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        lengths.push_back(sizes.zeroUnless(builder, condition, valueOf(tensor, i)));
      else
        lengths.push_back(builder.getIndexAttr(type.getDimSize(i)));
    return tensor::ExtractSliceOp::create(builder, type, tensor, offsets, lengths, strides);
  }

  void zeroUnless(Value condition, OpOperand& number) {
    number.set(sizes.zeroUnless(builder, condition, number.get()));
  }

  template <typename SliceOp>
  void emptySliceUnless(Value condition, SliceOp slice) {
    for (OpOperand& offset : slice.getOffsetsMutable()) zeroUnless(condition, offset);
    for (OpOperand& size : slice.getSizesMutable()) zeroUnless(condition, size);
  }

  Operation* op;
  Value holds;  ///< Null if known to hold.
  ImplicitLocOpBuilder builder;
  SymbolicSizes& sizes;
};

struct AssertSizes : impl::AssertSizesPassBase<AssertSizes> {
  void runOnOperation() override {
    SymbolicSizes sizes;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      SizeAsserter asserter(op, sizes);
      llvm::TypeSwitch<Operation*>(op)
          .Case<tensor::CastOp, tensor::ConcatOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
                tensor::ParallelInsertSliceOp, tensor::ReshapeOp, memref::CastOp, memref::CopyOp, memref::ExpandShapeOp,
                memref::SubViewOp, gpu::MemcpyOp, tm_tensor::ScanOp, tm_tensor::ScatterOp, tm_tensor::SortOp,
                linalg::SoftmaxOp, linalg::LinalgOp>([&](auto checked) { asserter.check(checked); })
          .Default([&](Operation* other) {
            if (OpTrait::hasElementwiseMappableTraits(other)) asserter.checkElementwise();
          });
      return isa<linalg::LinalgOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
  }
};

}  // namespace
}  // namespace mmtune
