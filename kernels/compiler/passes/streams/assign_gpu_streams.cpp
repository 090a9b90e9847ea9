// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/streams/block_streams.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_ASSIGNGPUSTREAMSPASS
#include "kernels/compiler/passes/streams/Passes.h.inc"

namespace {

/// The streams belong to the function: code that may run after it, or elsewhere, cannot use them.
LogicalResult checkPlace(Operation* op, func::FuncOp function) {
  for (Operation* parent = op->getParentOp(); parent != function; parent = parent->getParentOp())
    if (parent->hasTrait<OpTrait::IsIsolatedFromAbove>() || parent->getName().getDialectNamespace() == "async")
      return op->emitError("a device operation inside '")
             << parent->getName() << "' cannot use the streams of the function around it: use linearize-gpu-tokens";
  return success();
}

struct AssignGpuStreams : impl::AssignGpuStreamsPassBase<AssignGpuStreams> {
  using AssignGpuStreamsPassBase::AssignGpuStreamsPassBase;

  void runOnOperation() override {
    if (maxStreams == 0) {
      getOperation().emitError("max-streams must be at least 1");
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (auto function = dyn_cast<func::FuncOp>(op); function && !function.isExternal()) functions.push_back(function);
      return WalkResult::advance();
    });
    CallFacts facts(getOperation());
    for (func::FuncOp function : functions)
      if (failed(assign(function, facts))) return signalPassFailure();
  }

 private:
  LogicalResult assign(func::FuncOp function, const CallFacts& facts) {
    SmallVector<Operation*> operations;
    function.walk([&](Operation* op) {
      if (isStreamOperation(op)) operations.push_back(op);
    });
    for (Operation* op : operations)
      if (failed(checkPlace(op, function))) return failure();
    StreamCalls calls(function);
    if (failed(checkTokens(function)) || (!operations.empty() && failed(calls.check()))) return failure();

    SmallVector<gpu::WaitOp> waits = collectWaits(function);
    llvm::DenseSet<Operation*> synchronous;
    for (Operation* op : operations) {
      auto async = cast<gpu::AsyncOpInterface>(op);
      if (!async.getAsyncToken()) synchronous.insert(makeAsynchronous(async));
    }
    AccessAnalysis analysis(function, facts, distinctArguments);
    BlockStreamsOptions options{maxStreams, maxDeferredBytes};
    SmallVector<Block*> blocks;
    function.walk([&](Block* block) { blocks.push_back(block); });
    for (Block* block : blocks) BlockStreams(*block, analysis, calls, synchronous, options).run();
    eraseTokens(function, calls.completed(), waits);
    calls.finish();
    return success();
  }
};

}  // namespace
}  // namespace mmtune
