// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/uniform_control_flow.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

/// The values that decide how often the regions of `op` run; nothing when that does not show.
std::optional<SmallVector<Value>> controllingValues(Operation* op) {
  using Values = std::optional<SmallVector<Value>>;
  return llvm::TypeSwitch<Operation*, Values>(op)
      .Case<scf::ForOp>([](scf::ForOp loop) {
        return SmallVector<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      })
      .Case<scf::IfOp>([](scf::IfOp op) { return SmallVector<Value>{op.getCondition()}; })
      .Case<affine::AffineForOp>([](affine::AffineForOp loop) {
        SmallVector<Value> values(loop.getLowerBoundOperands());
        llvm::append_range(values, loop.getUpperBoundOperands());
        return values;
      })
      .Case<affine::AffineIfOp>([](affine::AffineIfOp op) { return SmallVector<Value>(op.getOperands()); })
      .Case<scf::ExecuteRegionOp, memref::AllocaScopeOp>([](auto) { return SmallVector<Value>(); })
      .Default([](Operation*) { return std::nullopt; });
}

bool isInductionVariable(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop) return false;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  return variables && llvm::is_contained(*variables, argument);
}

}  // namespace

bool UniformControlFlow::isUniform(Block* block) {
  if (barrierBetween(block, nullptr, nullptr)) return true;
  if (!block->isEntryBlock()) return false;
  Operation* parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent)) return true;
  std::optional<SmallVector<Value>> values = controllingValues(parent);
  return values && llvm::all_of(*values, [&](Value value) { return isUniform(value); }) &&
         isUniform(parent->getBlock());
}

bool UniformControlFlow::isUniform(Value value) {
  auto it = known.find(value);
  if (it != known.end()) return it->second;
  bool uniform = compute(value);
  known[value] = uniform;
  return uniform;
}

bool UniformControlFlow::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation* parent = argument.getOwner()->getParentOp();
    if (auto kernel = dyn_cast<gpu::GPUFuncOp>(parent)) return kernel.isKernel() && argument.getOwner()->isEntryBlock();
    std::optional<SmallVector<Value>> values = controllingValues(parent);
    return values && isInductionVariable(argument) &&
           llvm::all_of(*values, [&](Value bound) { return isUniform(bound); });
  }
  Operation* op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::NumSubgroupsOp,
          gpu::SubgroupSizeOp>(op))
    return true;
  bool computes =
      isa<arith::ArithDialect, affine::AffineDialect, math::MathDialect>(op->getDialect()) || isa<memref::DimOp>(op);
  return computes && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isUniform(operand); });
}

bool isInLoop(Block* block) {
  for (;;) {
    Operation* parent = block->getParentOp();
    if (isa<LoopLikeOpInterface>(parent) || block->isReachable(block)) return true;
    if (isa<FunctionOpInterface>(parent)) return false;
    block = parent->getBlock();
  }
}

Operation* barrierBetween(Block* block, Operation* first, Operation* last) {
  Block::iterator begin = first ? std::next(first->getIterator()) : block->begin();
  Block::iterator end = last ? last->getIterator() : block->end();
  auto found = std::find_if(begin, end, llvm::IsaPred<gpu::BarrierOp, NVVM::Barrier0Op>);
  return found == end ? nullptr : &*found;
}

}  // namespace mmtune
