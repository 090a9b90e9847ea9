// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/libdevice_calls.h"
#include "kernels/compiler/passes/simt/rewriting.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr char kAssertFail[] = "__assertfail";  ///< Of CUDA: message, file, line, function, bytes of a character.

/// Rewrites the body of one function that already has its context argument.
class FunctionRewriter {
 public:
  FunctionRewriter(LLVM::LLVMFuncOp function, SimtModuleState& state) : function(function, state), state(state) {}

  LogicalResult run() {
    raiseIntrinsics(function.op());
    LogicalResult result = raiseInlinePtx(function);
    if (!function.isWatched() && failed(batchWarpOperations(function))) return failure();
    SmallVector<Operation*> ops;
    function.op().getBody().walk([&](Operation* op) { ops.push_back(op); });
    if (function.profiles()) announceIterations();
    for (Operation* op : ops)
      if (failed(rewrite(op))) result = failure();  // Go on: the user sees every unsupported operation.
    return result;
  }

 private:
  void announceIterations() {
    Region& body = function.op().getBody();
    if (body.hasOneBlock()) return;
    DominanceInfo dominance(function.op());
    CFGLoopInfo loops(dominance.getDomTree(&body));
    for (Block& block : body) {
      const CFGLoop* loop = loops.getLoopFor(&block);
      if (loop && loop->getHeader() == &block) SimtEmitter(&block.front(), function).call("mmtune_simt_iterate", {});
    }
  }

  LogicalResult rewrite(Operation* op) {
    if (!isa<NVVM::NVVMDialect, LLVM::LLVMDialect>(op->getDialect()))
      return op->emitError("expected the LLVM dialect, as the SIMT device's code is made from it");
    if (isa<LLVM::InlineAsmOp, NVVM::InlinePtxOp>(op))
      return failure();  // Reported when it was read: what is understood is no text any more.
    SimtEmitter emit(op, function);
    for (auto rewriteGroup : {rewriteRegister, rewriteSynchronization, rewriteMbarrier, rewriteCopy, rewriteConversion,
                              rewriteWarpOperation, rejectUnmodelled})
      if (Rewritten result = rewriteGroup(emit)) return *result;
    if (isa<NVVM::NVVMDialect>(op->getDialect())) return emit.unsupported(op->getName().getStringRef());
    if (function.isWatched() && failed(emitWatchedAccesses(emit))) return failure();
    return rewriteLlvm(emit);
  }

  LogicalResult rewriteLlvm(SimtEmitter& emit) {
    Operation* op = emit.op;
    // No scope of a GPU means anything to a host: atomics become ordered for all threads.
    op->removeAttr("syncscope");
    return llvm::TypeSwitch<Operation*, LogicalResult>(op)
        .Case<LLVM::AddressOfOp>([&](auto address) { return rewriteAddressOf(address, emit); })
        .Case<LLVM::CallOp>([&](auto call) { return rewriteCall(call, emit); })
        .Case<LLVM::PtrToIntOp>([&](auto cast) { return rewritePtrToInt(cast, emit); })
        .Case<LLVM::IntToPtrOp>([&](auto cast) { return rewriteIntToPtr(cast, emit); })
        .Case<LLVM::FenceOp>([&](auto) {
          if (function.isWatched())
            emit.call("mmtune_simt_fence", {emit.i32(static_cast<int64_t>(simt::FenceKind::kMemory)), emit.site()});
          return success();
        })
        .Case<LLVM::CondBrOp>([&](auto branch) {
          if (function.profiles()) {
            Value taken = LLVM::ZExtOp::create(emit.builder, emit.builder.getI32Type(), branch.getCondition());
            emit.call("mmtune_simt_branch", {taken, emit.site()});
          }
          return success();
        })
        .Case<LLVM::AtomicRMWOp>([&](auto atomic) { return rewriteAtomic(atomic, emit); })
        .Case<LLVM::LifetimeStartOp>([&](auto start) { return rewriteLifetimeStart(start, emit); })
        .Case<LLVM::CallIntrinsicOp>([&](auto call) {
          return call.getIntrin().starts_with("llvm.nvvm.") ? emit.unsupported(call.getIntrin()) : success();
        })
        .Case<LLVM::InvokeOp>([&](auto) { return emit.unsupported("llvm.invoke"); })
        .Default([](Operation*) { return success(); });
  }

  /// An update of each element of a vector (kByElementAttrName) becomes as many updates.
  static LogicalResult rewriteAtomic(LLVM::AtomicRMWOp atomic, SimtEmitter& emit) {
    if (!atomic->hasAttr(kByElementAttrName)) return success();
    auto type = cast<VectorType>(atomic.getVal().getType());
    for (int32_t i = 0; i < type.getNumElements(); ++i) {
      Value value = LLVM::ExtractElementOp::create(emit.builder, atomic.getVal(), emit.i32(i));
      Value pointer = LLVM::GEPOp::create(emit.builder, atomic.getPtr().getType(), type.getElementType(),
                                          atomic.getPtr(), ArrayRef<LLVM::GEPArg>{i});
      LLVM::AtomicRMWOp::create(emit.builder, atomic.getBinOp(), pointer, value, atomic.getOrdering());
    }
    return emit.erase();
  }

  LogicalResult rewriteAddressOf(LLVM::AddressOfOp address, SimtEmitter& emit) {
    if (state.symbols.lookup<LLVM::LLVMFuncOp>(address.getGlobalName()))
      return emit.unsupported("the address of a function");
    std::optional<uint32_t> offset = state.layout.offsetOf(address.getGlobalName());
    return offset ? emit.replace(arenaPointer(emit, static_cast<int32_t>(*offset))) : success();
  }

  /// A pointer into the block's arena, of the address space that the operation's result has: what
  /// uses it still asks for that.
  Value arenaPointer(SimtEmitter& emit, LLVM::GEPArg offset) {
    auto pointer = LLVM::LLVMPointerType::get(emit.builder.getContext());
    Value arena = function.contextField(offsetof(simt::ThreadContext, shared), pointer);
    Value address = LLVM::GEPOp::create(emit.builder, pointer, emit.builder.getI8Type(), arena,
                                        ArrayRef<LLVM::GEPArg>{offset}, LLVM::GEPNoWrapFlags::inbounds);
    return LLVM::AddrSpaceCastOp::create(emit.builder, emit.op->getResult(0).getType(), address);
  }

  LogicalResult rewriteCall(LLVM::CallOp call, SimtEmitter& emit) {
    std::optional<StringRef> name = call.getCallee();
    if (!name) return emit.unsupported("an indirect call");
    auto callee = state.symbols.lookup<LLVM::LLVMFuncOp>(*name);
    if (callee && (isLibdeviceFunction(callee) || state.runtimeFunctions.contains(callee))) return success();
    if (*name == kAssertFail && call.getNumOperands() > 0)
      return emit.replaceByCall("mmtune_simt_assert_fail", {call.getOperand(0), emit.site()});
    if (!callee || callee.isExternal())
      return emit.unsupported("a call of '" + *name + "', which the module does not define,");
    SmallVector<Value> operands{function.context()};
    llvm::append_range(operands, call.getCalleeOperands());
    call.getCalleeOperandsMutable().assign(operands);
    if (ArrayAttr attrs = call.getArgAttrsAttr()) {
      SmallVector<Attribute> all{DictionaryAttr::get(call.getContext())};
      llvm::append_range(all, attrs);
      call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), all));
    }
    return success();
  }

  /// It stays where the memory is the thread's own; LLVM knows no lifetime of other memory.
  LogicalResult rewriteLifetimeStart(LLVM::LifetimeStartOp start, SimtEmitter& emit) {
    if (!isShared(start.getPtr().getType())) return success();
    if (function.isWatched()) emit.call("mmtune_simt_shared_begins", {start.getPtr()});
    return emit.erase();
  }

  static bool isShared(Type pointer) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer);
    return type && type.getAddressSpace() == kSharedAddressSpace;
  }

  /// As an integer a shared pointer is its address in the shared window: the offset in the arena.
  LogicalResult rewritePtrToInt(LLVM::PtrToIntOp cast, SimtEmitter& emit) {
    if (!isShared(cast.getArg().getType())) return checkWidth(emit, cast.getArg().getType(), cast.getRes().getType());
    Type integer = cast.getRes().getType();
    if (!integer.isInteger(32) && !integer.isInteger(64))
      return emit.unsupported("a shared pointer as an integer of other than 32 or 64 bits");
    Value address = LLVM::PtrToIntOp::create(emit.builder, emit.builder.getI64Type(), emit.generic(cast.getArg()));
    Value offset = LLVM::AndOp::create(emit.builder, address, emit.i64(simt::kArenaAlignment - 1));
    if (integer.isInteger(32)) offset = LLVM::TruncOp::create(emit.builder, integer, offset);
    return emit.replace(offset);
  }

  LogicalResult rewriteIntToPtr(LLVM::IntToPtrOp cast, SimtEmitter& emit) {
    if (!isShared(cast.getRes().getType())) return checkWidth(emit, cast.getRes().getType(), cast.getArg().getType());
    Type integer = cast.getArg().getType();
    if (!integer.isInteger(32) && !integer.isInteger(64))
      return emit.unsupported("a shared pointer as an integer of other than 32 or 64 bits");
    return emit.replace(arenaPointer(emit, emit.zeroExtended(cast.getArg())));
  }

  /// A narrow integer would lose the upper half of the host's pointer.
  LogicalResult checkWidth(SimtEmitter& emit, Type pointer, Type integer) {
    if (isa<LLVM::LLVMPointerType>(pointer) && integer.isInteger(64)) return success();
    return emit.unsupported("a pointer as an integer of other than 64 bits");
  }

  SimtFunction function;
  SimtModuleState& state;
};

}  // namespace

LogicalResult rewriteForSimt(LLVM::LLVMFuncOp function, SimtModuleState& state) {
  return FunctionRewriter(function, state).run();
}

}  // namespace mmtune
