// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bufferizes tensors, with the options that final compilation needs.
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_BUFFERIZETENSORSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

bool isTensor(Type type) { return isa<TensorType>(type); }

bool usesTensors(Operation* op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor) ||
         (function &&
          (llvm::any_of(function.getArgumentTypes(), isTensor) || llvm::any_of(function.getResultTypes(), isTensor)));
}

bool hasTensors(Operation* root) {
  return root->walk([](Operation* op) { return WalkResult(failure(usesTensors(op))); }).wasInterrupted();
}

/// Refuses tensors in kernels and as their operands, which are not bufferized.
LogicalResult checkKernels(ModuleOp module) {
  WalkResult result = module.walk([](Operation* op) -> WalkResult {
    bool isLaunch = isa<gpu::LaunchFuncOp>(op);
    if ((!isLaunch && !op->getParentOfType<gpu::GPUModuleOp>()) || !usesTensors(op)) return success();
    return op->emitError(isLaunch ? "a kernel of a gpu.module takes no tensors: pass a memref "
                                    "(bufferization.to_buffer), or write a gpu.launch"
                                  : "a tensor in a kernel of a gpu.module: compute on memrefs, or write a gpu.launch");
  });
  return failure(result.wasInterrupted());
}

/// Makes operations copy a caller's tensor before writing it, unless its author says `bufferization.writable`. Callers
/// inside the module know what a private function writes.
void protectArguments(func::FuncOp function) {
  constexpr StringRef kWritable = bufferization::BufferizationDialect::kWritableAttrName;
  if (function.isExternal() || !function.isPublic()) return;
  for (BlockArgument argument : function.getArguments())
    if (isa<TensorType>(argument.getType()) && !function.getArgAttr(argument.getArgNumber(), kWritable))
      function.setArgAttr(argument.getArgNumber(), kWritable, BoolAttr::get(function.getContext(), false));
}

/// True if an operation with inputs and outputs becomes a kernel.
bool isRunByThreads(Operation* op) { return isa<linalg::LinalgOp>(op) || tm_tensor::isOperation(op); }

/// Marks operations on tensors, whose value semantics their buffers do not show.
void markValueSemantics(func::FuncOp function) {
  function.walk([](DestinationStyleOpInterface op) {
    if (isRunByThreads(op) && op.hasPureTensorSemantics()) setValueSemantics(op);
  });
}

void addTensorOrigins(Value tensor, llvm::SmallPtrSetImpl<Value>& origins);

void addOriginsOf(ValueRange values, llvm::SmallPtrSetImpl<Value>& origins) {
  for (Value value : values)
    if (isTensor(value.getType())) addTensorOrigins(value, origins);
}

/// Adds the tensors whose buffer, or part of it, `tensor` may get: for an operation that becomes a kernel its output;
/// for other operations, except those that create a tensor, all operands and all values that its regions yield.
void addTensorOrigins(Value tensor, llvm::SmallPtrSetImpl<Value>& origins) {
  if (!origins.insert(tensor).second) return;
  Operation* op = tensor.getDefiningOp();
  if (!op || isa<tensor::EmptyOp, bufferization::AllocTensorOp, arith::ConstantOp>(op)) return;
  unsigned result = cast<OpResult>(tensor).getResultNumber();
  if (isRunByThreads(op)) return addTensorOrigins(cast<DestinationStyleOpInterface>(op).getDpsInits()[result], origins);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    addTensorOrigins(loop.getInitArgs()[result], origins);
    return addTensorOrigins(loop.getYieldedValues()[result], origins);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    addTensorOrigins(branch.thenYield()->getOperand(result), origins);
    return addTensorOrigins(branch.elseYield()->getOperand(result), origins);
  }
  addOriginsOf(op->getOperands(), origins);
  for (Region& region : op->getRegions())
    for (Block& block : region)
      if (!block.empty()) addOriginsOf(block.back().getOperands(), origins);
}

/// Copies the second of two equal tensors that a loop carries: they would be one buffer under two names.
/// (allowReturnAllocsFromLoops does not compare returned buffers.)
void separateCarried(func::FuncOp function) {
  function.walk([](Operation* end) {
    if (!isa<scf::ConditionOp>(end) && !(isa<scf::YieldOp>(end) && isa<scf::ForOp, scf::WhileOp>(end->getParentOp())))
      return;
    llvm::SmallPtrSet<Value, 8> seen;
    for (OpOperand& operand : end->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type) continue;
      llvm::SmallPtrSet<Value, 8> origins;
      addTensorOrigins(operand.get(), origins);
      if (llvm::any_of(origins, [&](Value origin) { return seen.contains(origin); })) {
        OpBuilder builder(end);
        operand.set(bufferization::AllocTensorOp::create(builder, end->getLoc(), type, ValueRange(), operand.get()));
      }
      seen.insert_range(origins);
    }
  });
}

/// Makes arithmetic on whole tensors linalg operations.
void addElementwise(OpPassManager& passes) { passes.addPass(createConvertElementwiseToLinalgPass()); }

void addBufferization(OpPassManager& passes) {
  passes.addPass(bufferization::createEmptyTensorEliminationPass());
  passes.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  passes.addPass(bufferization::createOneShotBufferizePass(options));
}

bool isDense(Value value) { return cast<MemRefType>(value.getType()).getLayout().isIdentity(); }

/// True if an operation that becomes a kernel uses the buffer, or a view of it.
bool isUsedByKernels(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation* user) {
    auto view = dyn_cast<ViewLikeOpInterface>(user);
    bool isView = view && view.getViewSource() == buffer && isa<MemRefType>(view.getViewDest().getType());
    return isRunByThreads(user) || (isView && isUsedByKernels(view.getViewDest()));
  });
}

/// Makes copies of slices linalg operations where kernels use the buffers: the host would do such a copy, as it is no
/// transfer. Copies between buffers of the host stay.
void copySlicesByLinalg(func::FuncOp function) {
  SmallVector<memref::CopyOp> slices;
  function.walk([&](memref::CopyOp copy) {
    bool isRanked = llvm::all_of(copy->getOperandTypes(), llvm::IsaPred<MemRefType>);
    if (isRanked && !(isDense(copy.getSource()) && isDense(copy.getTarget()))) slices.push_back(copy);
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (memref::CopyOp& copy : slices) {
      if (!copy || (!isUsedByKernels(viewRoot(copy.getSource())) && !isUsedByKernels(viewRoot(copy.getTarget()))))
        continue;
      OpBuilder builder(copy);
      setValueSemantics(linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget()));
      copy.erase();
      copy = nullptr;
      changed = true;
    }
  }
}

// The parts of MLIR's buffer deallocation pipeline, which refuses functions that free memory themselves.

void addOwnership(OpPassManager& passes) {
  memref::ExpandReallocPassOptions keepOld;
  keepOld.emitDeallocs = false;
  passes.addPass(memref::createExpandReallocPass(keepOld));
  passes.addPass(createCanonicalizerPass());
  passes.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(bufferization::createBufferDeallocationSimplificationPass());
}

void addDeallocation(OpPassManager& passes) {
  passes.addPass(bufferization::createLowerDeallocationsPass());
  passes.addPass(createConvertBufferizationToMemRefPass());
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
}

struct BufferizeTensors : impl::BufferizeTensorsPassBase<BufferizeTensors> {
  void runOnOperation() override {
    if (failed(checkKernels(getOperation()))) return signalPassFailure();
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (hasTensors(function)) functions.push_back(function);
    if (functions.empty()) return;
    if (failed(run(getOperation(), addElementwise))) return signalPassFailure();
    llvm::for_each(functions, protectArguments);
    llvm::for_each(functions, separateCarried);
    llvm::for_each(functions, markValueSemantics);
    if (failed(run(getOperation(), addBufferization))) return signalPassFailure();
    for (func::FuncOp function : functions)
      if (!function.isExternal() && failed(run(function, addOwnership))) return signalPassFailure();
    if (failed(run(getOperation(), addDeallocation))) return signalPassFailure();
    llvm::for_each(functions, copySlicesByLinalg);
  }

 private:
  LogicalResult run(Operation* op, llvm::function_ref<void(OpPassManager&)> build) {
    OpPassManager passes(op->getName().getStringRef());
    build(passes);
    return runPipeline(passes, op);
  }
};

}  // namespace
}  // namespace mmtune
