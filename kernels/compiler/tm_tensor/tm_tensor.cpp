// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/tm_tensor/tm_tensor.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "kernels/compiler/tm_tensor/TmTensorDialect.cpp.inc"
#define GET_OP_CLASSES
#include "kernels/compiler/tm_tensor/TmTensorOps.cpp.inc"

namespace mmtune::tm_tensor {
namespace {

struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
  bool isLegalToInline(Region*, Region*, bool, IRMapping&) const final { return true; }
};

ShapedType typeOf(Value value) { return cast<ShapedType>(value.getType()); }

/// Verifies an operation: all operands are tensors, or all are buffers; numbers of inputs and outputs where not
/// negative; a region that takes such elements, yields another, and only computes.
template <typename Op>
LogicalResult checkForm(Op op, int inputs, int outputs, TypeRange arguments, Type yielded) {
  auto count = [](OperandRange operands) { return static_cast<int>(operands.size()); };
  if ((inputs >= 0 && count(op.getInputs()) != inputs) || (outputs >= 0 && count(op.getOutputs()) != outputs))
    return op.emitOpError() << "has to have " << inputs << " inputs and " << outputs << " outputs, not "
                            << count(op.getInputs()) << " and " << count(op.getOutputs());
  if (!op.hasPureTensorSemantics() && !op.hasPureBufferSemantics())
    return op.emitOpError("must have only tensors or only buffers as operands");
  Block& body = op.getRegion().front();
  if (body.getArgumentTypes() != arguments)
    return op.emitOpError() << "has a region with arguments of type " << body.getArgumentTypes() << ", not "
                            << arguments;
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperandTypes() != TypeRange(yielded))
    return op.emitOpError() << "has a region that does not yield one value of type " << yielded;
  for (Operation& inner : body)
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner) ||
        llvm::any_of(inner.getOperandTypes(), llvm::IsaPred<ShapedType>))
      return inner.emitOpError("in a region of tm_tensor, which may only compute with elements");
  return success();
}

bool mayDiffer(int64_t size, int64_t other) {
  return ShapedType::isStatic(size) && ShapedType::isStatic(other) && size != other;
}

bool mayHaveOneShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> other) {
  return shape.size() == other.size() &&
         llvm::none_of(llvm::zip(shape, other), [](auto sizes) { return std::apply(mayDiffer, sizes); });
}

template <typename Op>
LogicalResult checkDimension(Op op, ShapedType type) {
  if (op.getDimension() < static_cast<uint64_t>(type.getRank())) return success();
  return op.emitOpError() << "has dimension " << op.getDimension() << ", which " << type << " does not have";
}

template <typename Op>
void addEffects(Op op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  for (OpOperand& operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType())) continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand, SideEffects::DefaultResource::get());
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand, SideEffects::DefaultResource::get());
  }
}

template <typename Op>
struct Bufferization : bufferization::DstBufferizableOpInterfaceExternalModel<Bufferization<Op>, Op> {
  bool bufferizesToMemoryRead(Operation* op, OpOperand& operand, const bufferization::AnalysisState&) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand) || readsOutput(operand);
  }

  LogicalResult bufferize(Operation* op, RewriterBase& rewriter, const bufferization::BufferizationOptions& options,
                          bufferization::BufferizationState& state) const {
    auto onTensors = cast<Op>(op);
    if (!onTensors.hasPureTensorSemantics()) return success();
    rewriter.setInsertionPoint(op);
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer)) return failure();
      buffers.push_back(*buffer);
    }
    auto onBuffers = cast<Op>(clone(rewriter, op, TypeRange(), buffers));
    bufferization::replaceOpWithBufferizedValues(rewriter, op, SmallVector<Value>(onBuffers.getOutputs()));
    return success();
  }
};

}  // namespace

void TmTensorDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "kernels/compiler/tm_tensor/TmTensorOps.cpp.inc"
      >();
  addInterfaces<Inlining>();
}

void registerDialect(DialectRegistry& registry) {
  registry.insert<TmTensorDialect>();
  registry.addExtension(+[](MLIRContext* context, TmTensorDialect*) {
    ScanOp::attachInterface<Bufferization<ScanOp>>(*context);
    ScatterOp::attachInterface<Bufferization<ScatterOp>>(*context);
    SortOp::attachInterface<Bufferization<SortOp>>(*context);
  });
}

LogicalResult ScanOp::verify() {
  if (getInputs().empty()) return emitOpError("needs at least one input to scan");
  ShapedType type = typeOf(getInputs()[0]);
  Type element = type.getElementType();
  if (failed(checkForm(*this, 1, 2, {element, element}, element)) || failed(checkDimension(*this, type)))
    return failure();
  SmallVector<int64_t> others(type.getShape());
  others.erase(others.begin() + static_cast<int64_t>(getDimension()));
  for (auto [output, shape] : {std::pair(getOutputs()[0], type.getShape()), {getOutputs()[1], ArrayRef(others)}})
    if (typeOf(output).getElementType() != element || !mayHaveOneShape(typeOf(output).getShape(), shape))
      return emitOpError() << "has an output of type " << output.getType() << " for an input of type " << type;
  return success();
}

LogicalResult ScatterOp::verify() {
  if (getInputs().size() != 2 || getOutputs().size() != 1)
    return emitOpError("needs updates and their indices as inputs, and one output");
  const ScatterLayout layout(*this);
  Type element = layout.originalType.getElementType();
  if (failed(checkForm(*this, 2, 1, {element, element}, element))) return failure();
  if (layout.updateType.getElementType() != element)
    return emitOpError() << "has updates of type " << layout.updateType << " for an output of type "
                         << layout.originalType;
  ShapedType indices = typeOf(layout.indices);
  const int64_t rank = layout.originalType.getRank();
  if (indices.getRank() != 2 || !indices.getElementType().isSignlessInteger() || layout.updateType.getRank() < 1 ||
      layout.updateType.getRank() > rank + 1 || mayDiffer(indices.getDimSize(0), layout.updateType.getDimSize(0)))
    return emitOpError() << "has indices of type " << indices << " for updates of type " << layout.updateType;
  llvm::SmallDenseSet<int64_t> named;
  for (int64_t dim : getDimensionMap())
    if (dim < 0 || dim >= rank || !named.insert(dim).second)
      return emitOpError() << "has an invalid dimension map: dimension " << dim
                           << " of the output does not exist or is named twice";
  if (indices.getDimSize(1) != static_cast<int64_t>(getDimensionMap().size()))
    return emitOpError() << "has indices of type " << indices << " for " << getDimensionMap().size() << " dimensions";
  for (int64_t dim = 0; dim < rank; ++dim) {
    std::optional<int64_t> updateDim = layout.updateDim(dim);
    if (!updateDim && !layout.column(dim))
      return emitOpError() << "has neither indices nor updates for dimension " << dim << " of the output";
    const int64_t size = layout.originalType.getDimSize(dim);
    if (updateDim && ShapedType::isStatic(size) && layout.updateType.getDimSize(*updateDim) > size)
      return emitOpError() << "has updates of type " << layout.updateType << " for an output of type "
                           << layout.originalType;
  }
  return success();
}

LogicalResult SortOp::verify() {
  const auto outputs = static_cast<int>(getOutputs().size());
  if (outputs == 0) return emitOpError("needs at least one output to sort");
  SmallVector<Type> arguments;
  for (Value output : getOutputs()) arguments.append(2, typeOf(output).getElementType());
  ShapedType type = typeOf(getOutputs()[0]);
  if (failed(
          checkForm(*this, getInputs().empty() ? 0 : outputs, outputs, arguments, IntegerType::get(getContext(), 1))) ||
      failed(checkDimension(*this, type)))
    return failure();
  for (auto [i, operand] : llvm::enumerate(getOperands()))
    if (typeOf(operand).getElementType() != arguments[2 * (i % outputs)] ||
        !mayHaveOneShape(typeOf(operand).getShape(), type.getShape()))
      return emitOpError() << "has operands of different shapes: " << operand.getType() << " and " << type;
  return success();
}

bool readsOutput(OpOperand& output) {
  if (auto sort = dyn_cast<SortOp>(output.getOwner())) return sort.getInputs().empty();
  auto scan = dyn_cast<ScanOp>(output.getOwner());
  if (!scan) return true;
  const bool isAccumulator = output.getOperandNumber() == scan.getInputs().size() + 1;
  return isAccumulator && (!scan.getInclusive() || mayBeEmpty(scan));
}

bool mayBeEmpty(ScanOp scan) {
  return typeOf(scan.getInputs()[0]).getDimSize(static_cast<int64_t>(scan.getDimension())) <= 0;
}

void ScanOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  addEffects(*this, effects);
}
void ScatterOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  addEffects(*this, effects);
}
void SortOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  addEffects(*this, effects);
}

ScatterLayout::ScatterLayout(ScatterOp op)
    : updates(op.getInputs()[0]),
      indices(op.getInputs()[1]),
      original(op.getOutputs()[0]),
      updateType(typeOf(updates)),
      originalType(typeOf(original)),
      dimensionMap(op.getDimensionMap()) {}

std::optional<int64_t> ScatterLayout::updateDim(int64_t dim) const {
  const int64_t updateDim = dim + updateType.getRank() - originalType.getRank();
  return updateDim > 0 ? std::optional(updateDim) : std::nullopt;
}

std::optional<int64_t> ScatterLayout::column(int64_t dim) const {
  const auto* found = llvm::find(dimensionMap, dim);
  return found == dimensionMap.end() ? std::nullopt : std::optional<int64_t>(found - dimensionMap.begin());
}

SmallVector<Value> inlineRegion(OpBuilder& builder, Region& region, ValueRange arguments) {
  Block& body = region.front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation& inner : body.without_terminator()) builder.clone(inner, mapping);
  SmallVector<Value> results;
  for (Value yielded : body.getTerminator()->getOperands()) results.push_back(mapping.lookupOrDefault(yielded));
  return results;
}

}  // namespace mmtune::tm_tensor
