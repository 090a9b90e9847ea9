// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One chain of tokens per block.
#include "kernels/passes/gpu_tokens.h"
#include "kernels/passes/passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mmtune {
#define GEN_PASS_DEF_LINEARIZEGPUTOKENSPASS
#include "kernels/passes/Passes.h.inc"
}  // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

/// Whether the operation can neither see nor disturb what a device operation before it does.
bool isIndependentOfDevice(Operation* op) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>()) return false;
  if (isMemoryEffectFree(op)) return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.onlyHasEffect<MemoryEffects::Allocate>();
}

/// The chain of the block that is being rewritten.
class TokenChain {
 public:
  /// Puts a device operation at the end of the chain, which begins before it if there is none.
  void append(gpu::AsyncOpInterface op) {
    OpBuilder builder(op);
    bool synchronous = !op.getAsyncToken();
    if (!last) last = gpu::WaitOp::create(builder, op.getLoc(), tokenType(builder), ValueRange()).getAsyncToken();
    op = makeAsynchronous(op);
    setDependency(op, last);
    last = op.getAsyncToken();
    hostMustWait |= synchronous;
  }

  /// Makes the host wait for the chain before `op`, which ends it.
  void waitBefore(Operation* op) {
    if (!last) return;
    OpBuilder builder(op);
    gpu::WaitOp::create(builder, op->getLoc(), Type(), ValueRange{last});
    last = {};
    hostMustWait = false;
  }

  /// Whether an operation on the chain was synchronous, so that the host relies on its end.
  bool hostRelies() const { return hostMustWait; }

 private:
  static Type tokenType(OpBuilder& builder) { return gpu::AsyncTokenType::get(builder.getContext()); }

  Value last;
  bool hostMustWait = false;
};

void linearizeBlock(Block& block) {
  TokenChain chain;
  for (Operation& op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<gpu::WaitOp>(op)) {
      if (!wait.getAsyncToken()) chain.waitBefore(&op);
    } else if (isStreamOperation(&op)) {
      chain.append(cast<gpu::AsyncOpInterface>(op));
    } else if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>() || carriesTokens(&op)) {
      chain.waitBefore(&op);
    } else if (chain.hostRelies() && !isIndependentOfDevice(&op)) {
      chain.waitBefore(&op);
    }
  }
}

}  // namespace

LogicalResult linearizeGpuTokens(func::FuncOp function) {
  if (failed(checkTokens(function))) return failure();
  SmallVector<gpu::WaitOp> oldWaits = collectWaits(function);
  SmallVector<Block*> blocks;
  function.walk([&](Block* block) { blocks.push_back(block); });
  for (Block* block : blocks) linearizeBlock(*block);
  CompletedToken completed(function);
  eraseTokens(function, completed, oldWaits);
  return success();
}

namespace {

struct LinearizeGpuTokens : impl::LinearizeGpuTokensPassBase<LinearizeGpuTokens> {
  void runOnOperation() override {
    if (failed(linearizeGpuTokens(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
