// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/f64_chain.h"

#include <cmath>
#include <limits>

#include "kernels/compiler/fusion/fusion_rules.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// A sum of n terms in f32 may be wrong by n / 2^24 of the sum of their magnitudes.
constexpr int64_t kMostReduced = int64_t{1} << 16;

bool isScalarF64(Value value) { return value.getType().isF64(); }

bool isF64(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return isScalarF64(value) || (tensor && tensor.getElementType().isF64());
}

bool isNarrow(Type type) {
  return getElementTypeOrSelf(type).isF32() || getElementTypeOrSelf(type).isF16() ||
         getElementTypeOrSelf(type).isBF16();
}

/// Whether f32 has the number up to rounding, and integers exactly.
bool fitsF32(const APFloat& value) {
  const double number = value.convertToDouble();
  if (!std::isfinite(number)) return true;
  const double magnitude = std::abs(number);
  if (magnitude > std::numeric_limits<float>::max() || (magnitude > 0 && magnitude < std::numeric_limits<float>::min()))
    return false;
  // What is next to an integer and no integer, as 1 - 1e-10, is meant not to be one.
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

/// Of f64, computed from f64 alone, with an error that is not much larger than that of what it is computed from.
bool isArithmetic(Operation* op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp, math::AbsFOp, math::FmaOp,
             math::SqrtOp, math::RsqrtOp, math::TanhOp, math::ErfOp>(op);
}

bool reducesFew(linalg::GenericOp op) {
  int64_t reduced = 1;
  for (auto [size, kind] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::parallel) continue;
    if (ShapedType::isDynamic(size) || size > kMostReduced) return false;
    reduced *= std::max<int64_t>(size, 1);
    if (reduced > kMostReduced) return false;
  }
  return true;
}

bool isOutsideKernels(Operation* op) {
  return !op->getParentOfType<gpu::LaunchOp>() && !op->getParentOfType<gpu::GPUModuleOp>();
}

/// Goes from value to value, by what they are computed from and what reads them.
class ChainReader {
 public:
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

  /// One that has the value as an operand or as its result.
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

  /// An output is one value in four places: before the operation, in its body, yielded by it, and behind the operation.
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

}  // namespace

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

std::optional<F64Chain> readF64Chain(arith::TruncFOp end, llvm::DenseSet<Value>& refused) {
  ChainReader reader;
  if (!reader.run(end, refused)) return std::nullopt;
  return std::move(reader.chain);
}

}  // namespace mmtune
