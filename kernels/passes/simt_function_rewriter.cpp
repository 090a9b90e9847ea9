#include "kernels/passes/simt_function_rewriter.h"

#include "kernels/passes/libdevice_calls.h"
#include "kernels/runtime/simt/abi.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Where the thread's context holds what a special register reads.
std::optional<size_t> contextOffset(Operation *op) {
  using Offset = std::optional<size_t>;
  return llvm::TypeSwitch<Operation *, Offset>(op)
      .Case<NVVM::ThreadIdXOp>([](auto) { return simt::kOffsetTid; })
      .Case<NVVM::ThreadIdYOp>([](auto) { return simt::kOffsetTid + 4; })
      .Case<NVVM::ThreadIdZOp>([](auto) { return simt::kOffsetTid + 8; })
      .Case<NVVM::BlockIdXOp>([](auto) { return simt::kOffsetCtaid; })
      .Case<NVVM::BlockIdYOp>([](auto) { return simt::kOffsetCtaid + 4; })
      .Case<NVVM::BlockIdZOp>([](auto) { return simt::kOffsetCtaid + 8; })
      .Case<NVVM::BlockDimXOp>([](auto) { return simt::kOffsetNtid; })
      .Case<NVVM::BlockDimYOp>([](auto) { return simt::kOffsetNtid + 4; })
      .Case<NVVM::BlockDimZOp>([](auto) { return simt::kOffsetNtid + 8; })
      .Case<NVVM::GridDimXOp>([](auto) { return simt::kOffsetNctaid; })
      .Case<NVVM::GridDimYOp>([](auto) { return simt::kOffsetNctaid + 4; })
      .Case<NVVM::GridDimZOp>([](auto) { return simt::kOffsetNctaid + 8; })
      .Case<NVVM::LaneIdOp>([](auto) { return simt::kOffsetLane; })
      .Case<NVVM::WarpIdOp>([](auto) { return simt::kOffsetWarp; })
      .Case<NVVM::WarpDimOp>([](auto) { return simt::kOffsetWarps; })
      .Case<NVVM::DynamicSmemSize>([](auto) { return simt::kOffsetDynamicSharedBytes; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Rewrites the body of one function that already has its context argument.
class FunctionRewriter {
public:
  FunctionRewriter(LLVM::LLVMFuncOp function, const SimtSharedLayout &layout, SymbolTable &symbols)
      : function(function), layout(layout), symbols(symbols) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function.getBody().walk([&](Operation *op) { ops.push_back(op); });
    LogicalResult result = success();
    for (Operation *op : ops)
      if (failed(rewrite(op)))
        result = failure(); // Go on: the user sees every unsupported operation.
    return result;
  }

private:
  LogicalResult rewrite(Operation *op) {
    if (isa<NVVM::NVVMDialect>(op->getDialect()))
      return rewriteNvvm(op);
    if (!isa<LLVM::LLVMDialect>(op->getDialect()))
      return op->emitError("expected the LLVM dialect, as the SIMT device's code is made from it");
    // No scope of a GPU means anything to a host: atomics become ordered for all threads.
    op->removeAttr("syncscope");
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<LLVM::AddressOfOp>([&](auto address) { return rewriteAddressOf(address); })
        .Case<LLVM::CallOp>([&](auto call) { return rewriteCall(call); })
        .Case<LLVM::PtrToIntOp>(
            [&](auto cast) { return checkPointerCast(op, cast.getArg(), cast.getRes()); })
        .Case<LLVM::IntToPtrOp>(
            [&](auto cast) { return checkPointerCast(op, cast.getRes(), cast.getArg()); })
        .Case<LLVM::CallIntrinsicOp>([&](auto call) {
          return call.getIntrin().starts_with("llvm.nvvm.")
                     ? unsupportedOnSimt(op, call.getIntrin())
                     : success();
        })
        .Case<LLVM::InlineAsmOp, LLVM::InvokeOp>(
            [&](auto) { return unsupportedOnSimt(op, op->getName().getStringRef()); })
        .Default([](Operation *) { return success(); });
  }

  LogicalResult rewriteNvvm(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
    };
    auto orZero = [&](Value value) { return value ? value : constant(0); };

    if (std::optional<size_t> offset = contextOffset(op)) {
      if (!op->getResult(0).getType().isInteger(32))
        return unsupportedOnSimt(op,
                                 Twine(op->getName().getStringRef()) + " of a type other than i32");
      return replace(op, contextField(*offset, builder.getI32Type()));
    }
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<NVVM::WarpSizeOp>([&](auto) { return replace(op, constant(32)); })
        .Case<NVVM::Barrier0Op>([&](auto) {
          return replaceByCall(op, "mmtune_simt_barrier", {constant(0), constant(0)});
        })
        .Case<NVVM::BarrierOp>([&](auto barrier) {
          if (barrier.getReductionOp())
            return unsupportedOnSimt(op, "nvvm.barrier with a reduction");
          Value id = orZero(barrier.getBarrierId());
          Value threads = orZero(barrier.getNumberOfThreads());
          return replaceByCall(op, "mmtune_simt_barrier", {id, threads});
        })
        .Case<NVVM::SyncWarpOp>([&](auto barrier) {
          return replaceByCall(op, "mmtune_simt_barrier_warp", {barrier.getMask()});
        })
        .Case<NVVM::CpAsyncOp>([&](auto copy) {
          Value bytes = constant(copy.getSize());
          Value sourceBytes = copy.getCpSize() ? copy.getCpSize() : bytes;
          return replaceByCall(op, "mmtune_simt_cp_async",
                               {copy.getDst(), copy.getSrc(), bytes, sourceBytes});
        })
        .Case<NVVM::CpAsyncCommitGroupOp>(
            [&](auto) { return replaceByCall(op, "mmtune_simt_cp_async_commit", {}); })
        .Case<NVVM::CpAsyncWaitGroupOp>([&](auto wait) {
          return replaceByCall(op, "mmtune_simt_cp_async_wait", {constant(wait.getN())});
        })
        .Case<NVVM::MembarOp>([&](auto) {
          LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst);
          op->erase();
          return success();
        })
        .Default([](Operation *op) { return unsupportedOnSimt(op, op->getName().getStringRef()); });
  }

  LogicalResult rewriteAddressOf(LLVM::AddressOfOp address) {
    if (symbols.lookup<LLVM::LLVMFuncOp>(address.getGlobalName()))
      return unsupportedOnSimt(address, "the address of a function");
    std::optional<uint32_t> offset = layout.offsetOf(address.getGlobalName());
    if (!offset)
      return success();
    ImplicitLocOpBuilder builder(address.getLoc(), address);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value arena = contextField(simt::kOffsetShared, pointer);
    Value begin = LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), arena,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(*offset)},
                                      LLVM::GEPNoWrapFlags::inbounds);
    return replace(address, begin);
  }

  LogicalResult rewriteCall(LLVM::CallOp call) {
    std::optional<StringRef> name = call.getCallee();
    if (!name)
      return unsupportedOnSimt(call, "an indirect call");
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*name);
    if (callee && isLibdeviceFunction(callee))
      return success();
    if (!callee || callee.isExternal())
      return unsupportedOnSimt(call,
                               "a call of '" + *name + "', which the module does not define,");
    SmallVector<Value> operands{function.getArgument(0)};
    llvm::append_range(operands, call.getCalleeOperands());
    call.getCalleeOperandsMutable().assign(operands);
    if (ArrayAttr attrs = call.getArgAttrsAttr()) {
      SmallVector<Attribute> all{DictionaryAttr::get(call.getContext())};
      llvm::append_range(all, attrs);
      call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), all));
    }
    return success();
  }

  /// A 32-bit address of shared memory would lose the upper half of the host's pointer.
  LogicalResult checkPointerCast(Operation *op, Value pointer, Value integer) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
    if (type && integer.getType().isInteger(64))
      return success();
    return unsupportedOnSimt(op, "a pointer as an integer of other than 64 bits");
  }

  LogicalResult replace(Operation *op, Value value) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
    return success();
  }

  /// Replaces an operation without results by `name(context, arguments...)`.
  LogicalResult replaceByCall(Operation *op, StringRef name, ArrayRef<Value> arguments) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    SmallVector<Value> operands{function.getArgument(0)};
    for (Value argument : arguments) {
      bool isPointer = isa<LLVM::LLVMPointerType>(argument.getType());
      operands.push_back(isPointer
                             ? LLVM::AddrSpaceCastOp::create(builder, pointer, argument).getResult()
                             : argument);
    }
    LLVM::CallOp::create(builder, runtimeFunction(name, TypeRange(operands)), operands);
    op->erase();
    return success();
  }

  LLVM::LLVMFuncOp runtimeFunction(StringRef name, TypeRange parameters) {
    if (auto declared = symbols.lookup<LLVM::LLVMFuncOp>(name))
      return declared;
    OpBuilder builder(symbols.getOp()->getRegion(0));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                            llvm::to_vector(parameters));
    auto declaration = LLVM::LLVMFuncOp::create(builder, function.getLoc(), name, type);
    declaration.setNoUnwind(true);
    symbols.insert(declaration);
    return declaration;
  }

  /// The field's value, loaded once at the function's entry: nothing changes it while a thread
  /// runs.
  Value contextField(size_t offset, Type type) {
    Value &field = fields[offset];
    if (!field) {
      auto builder =
          ImplicitLocOpBuilder::atBlockBegin(function.getLoc(), &function.getBody().front());
      Value context = function.getArgument(0);
      Value address = LLVM::GEPOp::create(builder, context.getType(), builder.getI8Type(), context,
                                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                                          LLVM::GEPNoWrapFlags::inbounds);
      field = LLVM::LoadOp::create(builder, type, address, /*alignment=*/0, /*isVolatile=*/false,
                                   /*isNonTemporal=*/false, /*isInvariant=*/true);
    }
    return field;
  }

  LLVM::LLVMFuncOp function;
  const SimtSharedLayout &layout;
  SymbolTable &symbols;
  llvm::DenseMap<size_t, Value> fields;
};

} // namespace

LogicalResult unsupportedOnSimt(Operation *op, const Twine &what) {
  return op->emitError(what) << " is not supported on the SIMT device";
}

LogicalResult rewriteForSimt(LLVM::LLVMFuncOp function, const SimtSharedLayout &layout,
                             SymbolTable &symbols) {
  return FunctionRewriter(function, layout, symbols).run();
}

} // namespace mmtune
