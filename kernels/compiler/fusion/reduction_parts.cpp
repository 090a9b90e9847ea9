// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/reduction_parts.h"

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {

bool isTensorReduction(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 && isPureBody(*op.getBlock()) &&
         !op->getParentOfType<gpu::LaunchOp>() && !op->getParentOfType<gpu::GPUModuleOp>();
}

void addMakers(Value value, Block& body, llvm::SetVector<Operation*>& makers, llvm::SetVector<Value>& arguments) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == &body) arguments.insert(value);
    return;
  }
  Operation* maker = value.getDefiningOp();
  if (maker->getBlock() != &body || !makers.insert(maker)) return;
  maker->walk([&](Operation* inner) {
    for (Value operand : inner->getOperands()) addMakers(operand, body, makers, arguments);
  });
}

bool dependsOnlyOnInputs(Value value, linalg::GenericOp op) {
  llvm::SetVector<Operation*> makers;
  llvm::SetVector<Value> arguments;
  addMakers(value, *op.getBlock(), makers, arguments);
  return llvm::none_of(op.getRegionOutputArgs(), [&](Value output) { return arguments.contains(output); });
}

bool hasPlainOutputs(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand& output) {
    AffineMap map = op.getMatchingIndexingMap(&output);
    auto type = cast<RankedTensorType>(output.get().getType());
    unsigned rows = 0;
    for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      if (loop) ++rows;
      if (type.isDynamicDim(dim) && (!loop || !ShapedType::isDynamic(sizes[loop.getPosition()]))) return false;
    }
    return map.isProjectedPermutation(/*allowZeroInResults=*/true) && rows == op.getNumParallelLoops();
  });
}

TypedAttr uniformConstant(Value tensor) {
  Attribute constant;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    if (!matchPattern(fill.getInputs()[0], m_Constant(&constant))) return {};
    return dyn_cast<TypedAttr>(constant);
  }
  if (!matchPattern(tensor, m_Constant(&constant))) return {};
  auto elements = dyn_cast<SplatElementsAttr>(constant);
  return elements ? elements.getSplatValue<TypedAttr>() : nullptr;
}

Value createReduction(PatternRewriter& rewriter, linalg::GenericOp op, ArrayRef<std::pair<Value, AffineMap>> more,
                      Value start, AffineMap output, Value accumulator, const llvm::SetVector<Operation*>& makers,
                      llvm::function_ref<Value(OpBuilder&, IRMapping&, ValueRange)> yielded) {
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps(op.getIndexingMapsArray());
  maps.truncate(inputs.size());
  for (const auto& [value, map] : more) {
    inputs.push_back(value);
    maps.push_back(map);
  }
  maps.push_back(output);
  auto made =
      linalg::GenericOp::create(rewriter, op.getLoc(), start.getType(), inputs, start, maps, op.getIteratorTypesArray(),
                                [&](OpBuilder& body, Location at, ValueRange given) {
                                  IRMapping mapping;
                                  mapping.map(op.getRegionInputArgs(), given.take_front(op.getNumDpsInputs()));
                                  if (accumulator) mapping.map(accumulator, given.back());
                                  for (Operation& inner : op.getBlock()->without_terminator())
                                    if (makers.contains(&inner)) body.clone(inner, mapping);
                                  linalg::YieldOp::create(body, at, yielded(body, mapping, given));
                                });
  return made.getResult(0);
}

}  // namespace mmtune
