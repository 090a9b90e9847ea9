// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/buffers/buffer_origins.h"

#include "kernels/passes/buffers/host_buffers.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

/// What branches pass to the argument of a block; nothing when one of them is not understood.
SmallVector<Value> passedToBlock(BlockArgument argument) {
  SmallVector<Value> passed;
  Block* block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value value = branch ? branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()] : Value();
    if (!value) return {};
    passed.push_back(value);
  }
  return passed;
}

/// The memrefs that one may be, a step back; nothing where it begins.
SmallVector<Value> sourcesOf(Value value) {
  if (auto cast = value.getDefiningOp<memref::CastOp>()) return {cast.getSource()};
  if (auto select = value.getDefiningOp<arith::SelectOp>()) return {select.getTrueValue(), select.getFalseValue()};
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && !argument.getOwner()->isEntryBlock()) return passedToBlock(argument);
  Operation* op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  SmallVector<Value> sources;
  if (auto regions = dyn_cast_or_null<RegionBranchOpInterface>(op)) {
    RegionBranchInverseSuccessorMapping passed;
    regions.getSuccessorInputOperandMapping(passed);
    for (OpOperand* operand : passed.lookup(value)) sources.push_back(operand->get());
  }
  return sources;
}

}  // namespace

SmallVector<Value> bufferOrigins(Value value) {
  SmallVector<Value> origins;
  llvm::SetVector<Value> seen;
  auto add = [&](Value next) { seen.insert(isa<MemRefType>(next.getType()) ? viewRoot(next) : next); };
  add(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    SmallVector<Value> sources = sourcesOf(seen[i]);
    if (sources.empty()) origins.push_back(seen[i]);
    for (Value source : sources) add(source);
  }
  return origins;
}

}  // namespace mmtune
