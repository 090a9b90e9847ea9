// One chain of tokens per block.
#include "kernels/passes/gpu_tokens.h"
#include "kernels/passes/passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mmtune {
#define GEN_PASS_DEF_LINEARIZEGPUTOKENSPASS
#include "kernels/passes/Passes.h.inc"
} // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

bool isToken(Value value) { return isa<gpu::AsyncTokenType>(value.getType()); }

bool isDeviceOperation(Operation *op) {
  return isa<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp>(op);
}

/// Whether the operation can neither see nor disturb what a device operation before it does.
bool isIndependentOfDevice(Operation *op) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isMemoryEffectFree(op))
    return true;
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
    if (!last)
      last = gpu::WaitOp::create(builder, op.getLoc(), tokenType(builder), ValueRange())
                 .getAsyncToken();
    if (synchronous)
      op = recreateAsync(op);
    setDependency(op, last);
    last = op.getAsyncToken();
    hostMustWait |= synchronous;
  }

  /// Makes the host wait for the chain before `op`, which ends it.
  void waitBefore(Operation *op) {
    if (!last)
      return;
    OpBuilder builder(op);
    gpu::WaitOp::create(builder, op->getLoc(), Type(), ValueRange{last});
    last = {};
    hostMustWait = false;
  }

  /// Whether an operation on the chain was synchronous, so that the host relies on its end.
  bool hostRelies() const { return hostMustWait; }

private:
  static Type tokenType(OpBuilder &builder) {
    return gpu::AsyncTokenType::get(builder.getContext());
  }

  static void setDependency(gpu::AsyncOpInterface op, Value token) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp>(
            [&](auto device) { device.getAsyncDependenciesMutable().assign(token); });
  }

  static gpu::AsyncOpInterface recreateAsync(gpu::AsyncOpInterface op) {
    OpBuilder builder(op);
    SmallVector<Type> results(op->getResultTypes());
    results.push_back(tokenType(builder));
    OperationState state(op.getLoc(), op->getName(), op->getOperands(), results, op->getAttrs());
    Operation *async = builder.create(state);
    op->replaceAllUsesWith(async->getResults().drop_back());
    op->erase();
    return cast<gpu::AsyncOpInterface>(async);
  }

  Value last;
  bool hostMustWait = false;
};

/// Refuses tokens that this pass cannot follow.
LogicalResult checkTokens(func::FuncOp function) {
  WalkResult result = function.walk<WalkOrder::PreOrder>([](Operation *op) {
    bool device = isDeviceOperation(op) || isa<gpu::WaitOp>(op);
    if (!device &&
        (llvm::any_of(op->getResults(), isToken) || llvm::any_of(op->getOperands(), isToken))) {
      op->emitError("a token of '")
          << op->getName() << "' cannot be put on one stream: wait for it before";
      return WalkResult::interrupt();
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArguments(), isToken)) {
          op->emitError("a token that is a block argument cannot be put on one stream: wait for it "
                        "in the block that makes it");
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void linearizeBlock(Block &block) {
  TokenChain chain;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto wait = dyn_cast<gpu::WaitOp>(op)) {
      if (!wait.getAsyncToken())
        chain.waitBefore(&op);
    } else if (isDeviceOperation(&op)) {
      chain.append(cast<gpu::AsyncOpInterface>(op));
    } else if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>()) {
      chain.waitBefore(&op);
    } else if (chain.hostRelies() && !isIndependentOfDevice(&op)) {
      chain.waitBefore(&op);
    }
  }
}

} // namespace

LogicalResult linearizeGpuTokens(func::FuncOp function) {
  if (failed(checkTokens(function)))
    return failure();
  SmallVector<gpu::WaitOp> oldWaits;
  function.walk([&](gpu::WaitOp wait) { oldWaits.push_back(wait); });
  SmallVector<Block *> blocks;
  function.walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    linearizeBlock(*block);
  // Nothing depends on an old wait any more, except old waits.
  for (gpu::WaitOp wait : oldWaits)
    wait->dropAllReferences();
  for (gpu::WaitOp wait : oldWaits)
    wait->erase();
  return success();
}

namespace {

struct LinearizeGpuTokens : impl::LinearizeGpuTokensPassBase<LinearizeGpuTokens> {
  void runOnOperation() override {
    if (failed(linearizeGpuTokens(getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace mmtune
