// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass narrow-f64: f64 arithmetic between f32 values is done in f32.
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NARROWF64PASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// All f64 values, and tensors of them, that are connected by arithmetic.
struct F64Chain {
  llvm::SetVector<Value> values;      ///< The values that the chain computes.
  SmallVector<OpOperand*> starts;     ///< The operands that start it (`isF64Start`).
  SmallVector<arith::TruncFOp> ends;  ///< The only operations outside that read it.
  llvm::SmallPtrSet<Operation*, 8> arithmetic;
};

/// An f32 sum of n terms has an error of at most n / 2^24 of the sum of their magnitudes.
constexpr int64_t kMaxReduced = int64_t{1} << 16;

bool isScalarF64(Value value) { return value.getType().isF64(); }

bool isF64(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return isScalarF64(value) || (tensor && tensor.getElementType().isF64());
}

bool isNarrow(Type type) {
  return getElementTypeOrSelf(type).isF32() || getElementTypeOrSelf(type).isF16() ||
         getElementTypeOrSelf(type).isBF16();
}

/// True if f32 represents the number up to rounding, and integers exactly.
bool fitsF32(const APFloat& value) {
  const double number = value.convertToDouble();
  if (!std::isfinite(number)) return true;
  const double magnitude = std::abs(number);
  if (magnitude > std::numeric_limits<float>::max() || (magnitude > 0 && magnitude < std::numeric_limits<float>::min()))
    return false;
  // A number next to an integer, such as 1 - 1e-10, must not become that integer.
  const double rounded = static_cast<float>(number);
  return rounded == number || std::trunc(rounded) != rounded;
}

bool isStartConstant(Value value) {
  if (!value.getDefiningOp<arith::ConstantOp>()) return false;
  if (DenseFPElementsAttr elements; matchPattern(value, m_Constant(&elements)))
    return llvm::all_of(elements.getValues<APFloat>(), fitsF32);
  FloatAttr number;
  return matchPattern(value, m_Constant(&number)) && fitsF32(number.getValue());
}

/// True if an f64 value needs no f64 arithmetic: an extension of f32, f16 or bf16, a constant that fitsF32(), an
/// uninitialised tensor, or one filled with such a constant.
bool isF64Start(Value value) {
  Operation* op = value.getDefiningOp();
  if (!op || !isF64(value)) return false;
  if (auto extension = dyn_cast<arith::ExtFOp>(op)) return isScalarF64(value) && isNarrow(extension.getIn().getType());
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return isStartConstant(fill.getDpsInputs()[0]) && fill.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.hasPureTensorSemantics() && isExtension(generic) && isNarrow(generic.getDpsInputs()[0].getType()) &&
           generic.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  return isa<tensor::EmptyOp>(op) || isStartConstant(value);
}

/// True for f64 operations whose error is not much larger than that of their operands.
bool isArithmetic(Operation* op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp, math::AbsFOp, math::FmaOp,
             math::SqrtOp, math::RsqrtOp, math::TanhOp, math::ErfOp>(op);
}

bool reducesFew(linalg::GenericOp op) {
  int64_t reduced = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::parallel) continue;
    if (ShapedType::isDynamic(size) || size > kMaxReduced) return false;
    reduced *= std::max<int64_t>(size, 1);
    if (reduced > kMaxReduced) return false;
  }
  return true;
}

bool isOutsideKernels(Operation* op) {
  return !op->getParentOfType<gpu::LaunchOp>() && !op->getParentOfType<gpu::GPUModuleOp>();
}

/// Follows values to their definitions and uses.
class ChainReader {
 public:
  /// Reads the chain that ends in `end`. Returns false if f32 cannot replace f64: something else observes a value (a
  /// comparison, call, return), one comes from elsewhere (integers, memory, large constants), a function magnifies
  /// errors, a reduction has more than 65536 elements, or it is inside a kernel. `refused` keeps the values of such
  /// chains between calls.
  bool run(arith::TruncFOp end, llvm::DenseSet<Value>& refused) {
    if (!isScalarF64(end.getIn()) || isF64Start(end.getIn())) return false;
    add(end.getIn());
    for (size_t next = 0; next < chain.values.size(); ++next) {
      Value value = chain.values[next];
      if (!refused.contains(value) && followDefinition(value) &&
          llvm::all_of(value.getUses(), [this](OpOperand& use) { return followUse(use); }))
        continue;
      refused.insert_range(chain.values);
      return false;
    }
    return isExtended;
  }

  F64Chain chain;

 private:
  void add(Value value) { chain.values.insert(value); }

  void add(OpOperand& operand) {
    if (!isF64Start(operand.get())) return add(operand.get());
    chain.starts.push_back(&operand);
    isExtended |= isa<arith::ExtFOp, linalg::GenericOp>(operand.get().getDefiningOp());
  }

  bool followDefinition(Value value) {
    if (auto result = dyn_cast<OpResult>(value)) {
      auto generic = dyn_cast<linalg::GenericOp>(result.getOwner());
      return generic ? followOutput(generic, generic.getDpsInitOperand(result.getResultNumber()))
                     : followOperation(result.getOwner());
    }
    auto argument = cast<BlockArgument>(value);
    auto op = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    if (!op) return false;
    OpOperand* operand = op.getMatchingOpOperand(argument);
    return op.isDpsInit(operand) ? followOutput(op, operand) : followInput(op, operand);
  }

  bool followUse(OpOperand& use) {
    Operation* user = use.getOwner();
    if (isa<tensor::DimOp>(user)) return true;
    if (auto end = dyn_cast<arith::TruncFOp>(user)) {
      chain.ends.push_back(end);
      return isNarrow(end.getType()) && !end.getRoundingmode() && isOutsideKernels(end);
    }
    if (auto op = dyn_cast<linalg::GenericOp>(user->getParentOp()); op && isa<linalg::YieldOp>(user))
      return followOutput(op, op.getDpsInitOperand(use.getOperandNumber()));
    auto op = dyn_cast<linalg::GenericOp>(user);
    if (!op) return followOperation(user);
    return op.isDpsInit(&use) ? followOutput(op, &use) : followInput(op, &use);
  }

  /// Follows an operation that uses or defines a value.
  bool followOperation(Operation* op) {
    if (!followed.insert(op).second) return true;
    const bool computes = isArithmetic(op) && isScalarF64(op->getResult(0));
    if ((!computes && !isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) || !isOutsideKernels(op)) return false;
    if (computes) chain.arithmetic.insert(op);
    for (OpOperand& operand : op->getOpOperands())
      if (isF64(operand.get())) add(operand);
    add(op->getResult(0));
    return true;
  }

  bool followInput(linalg::GenericOp op, OpOperand* input) {
    if (!op.hasPureTensorSemantics() || !isOutsideKernels(op)) return false;
    if (!linked.insert(input).second) return true;
    add(*input);
    add(op.getMatchingBlockArgument(input));
    return true;
  }

  /// An output is one value in four places: init operand, block argument, yielded value, and result.
  bool followOutput(linalg::GenericOp op, OpOperand* init) {
    if (!op.hasPureTensorSemantics() || !reducesFew(op) || !isOutsideKernels(op)) return false;
    if (!linked.insert(init).second) return true;
    add(*init);
    add(op.getMatchingBlockArgument(init));
    add(*op.getMatchingYieldValue(init));
    add(op.getTiedOpResult(init));
    return true;
  }

  llvm::SmallPtrSet<Operation*, 8> followed;
  llvm::SmallPtrSet<OpOperand*, 8> linked;
  bool isExtended = false;
};

Type narrowed(Type type) {
  auto f32 = Float32Type::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(f32)) : f32;
}

TypedAttr narrowed(TypedAttr constant) {
  auto f32 = Float32Type::get(constant.getContext());
  auto round = [](APFloat value) {
    bool inexact = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
    return value;
  };
  if (auto number = dyn_cast<FloatAttr>(constant)) return FloatAttr::get(f32, round(number.getValue()));
  return cast<DenseFPElementsAttr>(constant).mapValues(
      f32, [&](const APFloat& value) { return round(value).bitcastToAPInt(); });
}

/// Computes one chain in f32.
class ChainNarrower {
 public:
  void run(const F64Chain& chain) {
    for (OpOperand* use : chain.starts) replaced.push_back(use->get().getDefiningOp());
    for (OpOperand* use : chain.starts) use->set(narrowStart(use->get()));
    for (Value value : chain.values) value.setType(narrowed(value.getType()));
    for (arith::TruncFOp end : chain.ends) {
      if (!end.getType().isF32()) continue;
      end.replaceAllUsesWith(end.getIn());
      end.erase();
    }
    llvm::SetVector<Operation*> unused(replaced.begin(), replaced.end());
    while (!unused.empty()) {
      Operation* op = unused.pop_back_val();
      if (!isOpTriviallyDead(op)) continue;
      for (Value operand : op->getOperands())
        if (Operation* made = operand.getDefiningOp()) unused.insert(made);
      op->erase();
    }
  }

 private:
  Value narrowStart(Value start) {
    if (Value made = starts.lookup(start)) return made;
    Value made = makeNarrow(start);
    starts[start] = made;
    return made;
  }

  /// Creates the f32 equivalent of a start.
  Value makeNarrow(Value start) {
    Operation* op = start.getDefiningOp();
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return arith::ConstantOp::create(builder, loc, narrowed(constant.getValue()));
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return tensor::EmptyOp::create(builder, loc, empty.getMixedSizes(), builder.getF32Type());
    if (auto extension = dyn_cast<arith::ExtFOp>(op)) {
      if (extension.getIn().getType().isF32()) return extension.getIn();
      return arith::ExtFOp::create(builder, loc, builder.getF32Type(), extension.getIn());
    }
    auto structured = cast<linalg::LinalgOp>(op);
    Value input = structured.getDpsInputs()[0];
    if (getElementTypeOrSelf(input.getType()).isF32()) {
      // Either type may have sizes that only the other knows.
      const Type type = narrowed(start.getType());
      return input.getType() == type ? input : tensor::CastOp::create(builder, loc, type, input).getResult();
    }
    Value init = narrowStart(structured.getDpsInits()[0]);
    if (isa<linalg::FillOp>(op)) return linalg::FillOp::create(builder, loc, narrowStart(input), init).getResult(0);
    auto extension = cast<linalg::GenericOp>(builder.clone(*op));
    extension.getDpsInitsMutable()[0].set(init);
    extension->getResult(0).setType(init.getType());
    Block& body = *extension.getBlock();
    body.getArgument(1).setType(builder.getF32Type());
    body.front().getResult(0).setType(builder.getF32Type());
    return extension->getResult(0);
  }

  llvm::DenseMap<Value, Value> starts;
  SmallVector<Operation*> replaced;
};

struct NarrowF64 : impl::NarrowF64PassBase<NarrowF64> {
  using NarrowF64PassBase::NarrowF64PassBase;

  void runOnOperation() override {
    SmallVector<arith::TruncFOp> ends;
    getOperation().walk([&](arith::TruncFOp end) { ends.push_back(end); });
    llvm::DenseSet<Value> refused;
    llvm::SmallPtrSet<Operation*, 8> done;
    for (arith::TruncFOp end : ends) {
      if (done.contains(end)) continue;
      ChainReader reader;
      if (!reader.run(end, refused)) continue;
      if (onlyTell) {
        end.emitRemark()
            << "f64 arithmetic on f32 values, whose result becomes f32 here; --narrow-f64 computes it in f32";
        return;
      }
      end.emitRemark() << "f64 arithmetic whose result becomes f32 here is computed in f32 (--narrow-f64): "
                       << reader.chain.arithmetic.size() << " operations";
      done.insert_range(reader.chain.ends);
      ChainNarrower().run(reader.chain);
    }
  }
};

}  // namespace
}  // namespace mmtune
