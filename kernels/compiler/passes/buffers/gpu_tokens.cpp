// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/gpu_tokens.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

/// True for operations whose tokens are complete by the boundary rule. The async dialect's operations run beside the
/// host, and a function's callers are unknown inside it.
bool mayCarryTokens(Operation* op) {
  if (op->getName().getDialectNamespace() == "async" || isa<func::ReturnOp>(op)) return false;
  return isa<arith::SelectOp, BranchOpInterface, RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op);
}

LogicalResult checkOperation(Operation* op) {
  if (isa<func::ReturnOp>(op) && llvm::any_of(op->getOperands(), isToken))
    return op->emitError("a token cannot be returned to the caller: wait for it before");
  auto alloc = dyn_cast<gpu::AllocOp>(op);
  if (alloc && alloc.getHostShared() && (alloc.getAsyncToken() || !alloc.getAsyncDependencies().empty()))
    return op->emitError("a host_shared allocation cannot be asynchronous");
  if (isStreamOperation(op) || isa<gpu::WaitOp>(op) || !carriesTokens(op) || mayCarryTokens(op)) return success();
  if (isa<gpu::LaunchOp>(op)) return op->emitError("gpu.launch is not outlined: run gpu-kernel-outlining before");
  return op->emitError("'") << op->getName()
                            << "' cannot take or return a !gpu.async.token, only gpu operations and control flow can: "
                               "wait for the token with gpu.wait instead of passing it";
}

/// True if the operation can neither observe nor affect preceding device operations.
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

  /// True if an operation on the chain was synchronous, so that the host relies on its end.
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
    } else if (op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>() || carriesTokens(&op) ||
               (chain.hostRelies() && !isIndependentOfDevice(&op))) {
      chain.waitBefore(&op);
    }
  }
}

}  // namespace

bool isToken(Value value) { return isa<gpu::AsyncTokenType>(value.getType()); }

bool isStreamOperation(Operation* op) {
  if (auto alloc = dyn_cast<gpu::AllocOp>(op)) return !alloc.getHostShared();
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) return !launch.getAsyncObject();
  return isa<gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp>(op);
}

bool carriesTokens(Operation* op) {
  if (llvm::any_of(op->getOperands(), isToken) || llvm::any_of(op->getResults(), isToken)) return true;
  for (Region& region : op->getRegions())
    for (Block& block : region)
      if (llvm::any_of(block.getArguments(), isToken)) return true;
  return false;
}

LogicalResult checkTokens(func::FuncOp function) {
  if (llvm::any_of(function.getArguments(), isToken))
    return function.emitError("a token cannot be an argument of a function: wait for it in the caller");
  WalkResult result = function.getBody().walk<WalkOrder::PreOrder>(
      [](Operation* op) { return failed(checkOperation(op)) ? WalkResult::interrupt() : WalkResult::advance(); });
  return failure(result.wasInterrupted());
}

gpu::AsyncOpInterface makeAsynchronous(gpu::AsyncOpInterface op) {
  if (op.getAsyncToken()) return op;
  OpBuilder builder(op);
  SmallVector<Type> results(op->getResultTypes());
  results.push_back(gpu::AsyncTokenType::get(builder.getContext()));
  OperationState state(op.getLoc(), op->getName(), op->getOperands(), results, op->getAttrs());
  Operation* async = builder.create(state);
  op->replaceAllUsesWith(async->getResults().drop_back());
  op->erase();
  return cast<gpu::AsyncOpInterface>(async);
}

void setDependency(Operation* op, Value token) {
  llvm::TypeSwitch<Operation*>(op).Case<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::LaunchFuncOp>(
      [&](auto device) { device.getAsyncDependenciesMutable().assign(token); });
}

// gpu-to-llvm takes a token for its stream; nothing is ever done on this one.
Value CompletedToken::get() {
  if (token) return token;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value null = LLVM::ZeroOp::create(builder, function.getLoc(), pointer);
  token = UnrealizedConversionCastOp::create(builder, function.getLoc(), gpu::AsyncTokenType::get(builder.getContext()),
                                             null)
              .getResult(0);
  return token;
}

void eraseTokens(func::FuncOp function, CompletedToken& completed, ArrayRef<gpu::WaitOp> waits) {
  SmallVector<OpOperand*> carried;
  function.walk([&](Operation* op) {
    if (isStreamOperation(op) || isa<gpu::WaitOp>(op)) return;
    for (OpOperand& operand : op->getOpOperands())
      if (isToken(operand.get())) carried.push_back(&operand);
  });
  for (OpOperand* operand : carried) operand->set(completed.get());
  for (gpu::WaitOp wait : waits) wait->dropAllReferences();
  for (gpu::WaitOp wait : waits) wait->erase();
}

SmallVector<gpu::WaitOp> collectWaits(func::FuncOp function) {
  SmallVector<gpu::WaitOp> waits;
  function.walk([&](gpu::WaitOp wait) { waits.push_back(wait); });
  return waits;
}

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

}  // namespace mmtune
