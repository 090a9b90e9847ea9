// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LINEARIZEGPUTOKENSPASS
#include "kernels/compiler/passes/streams/Passes.h.inc"

namespace {

constexpr char kStreamCreate[] = "mgpuStreamCreate";
constexpr char kStreamDestroy[] = "mgpuStreamDestroy";
constexpr char kStreamSynchronize[] = "mgpuStreamSynchronize";
constexpr char kStreamWaitEvent[] = "mgpuStreamWaitEvent";
constexpr char kEventCreate[] = "mgpuEventCreate";
constexpr char kEventDestroy[] = "mgpuEventDestroy";
constexpr char kEventRecord[] = "mgpuEventRecord";

struct Signature {
  const char* name;
  unsigned pointers;  ///< Number of parameters, all of type void*.
  bool returns;       ///< Returns a void*, else nothing.
};

constexpr Signature kSignatures[] = {
    {kStreamCreate, 0, true}, {kStreamDestroy, 1, false}, {kStreamSynchronize, 1, false}, {kStreamWaitEvent, 2, false},
    {kEventCreate, 0, true},  {kEventDestroy, 1, false},  {kEventRecord, 2, false},
};

LLVM::LLVMFunctionType typeOf(const Signature& signature, Type pointer) {
  SmallVector<Type> parameters(signature.pointers, pointer);
  Type result = signature.returns ? pointer : LLVM::LLVMVoidType::get(pointer.getContext());
  return LLVM::LLVMFunctionType::get(result, parameters);
}

struct LinearizeGpuTokens : impl::LinearizeGpuTokensPassBase<LinearizeGpuTokens> {
  void runOnOperation() override {
    if (failed(linearizeGpuTokens(getOperation()))) signalPassFailure();
  }
};

}  // namespace

StreamCalls::StreamCalls(func::FuncOp function)
    : function(function),
      module(function->getParentOfType<ModuleOp>()),
      pointerType(LLVM::LLVMPointerType::get(function.getContext())),
      completedToken(function) {}

LogicalResult StreamCalls::check() {
  for (const Signature& signature : kSignatures) {
    Operation* symbol = module.lookupSymbol(signature.name);
    auto declared = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol);
    if (symbol && (!declared || declared.getFunctionType() != typeOf(signature, pointerType)))
      return symbol->emitError("'") << signature.name
                                    << "' is a function of the GPU runtime: it must be an llvm.func of "
                                    << typeOf(signature, pointerType);
  }
  return success();
}

Operation* StreamCalls::call(OpBuilder& builder, Location loc, StringRef name, ValueRange arguments) {
  const Signature* signature = llvm::find_if(kSignatures, [&](const Signature& each) { return name == each.name; });
  LLVM::LLVMFunctionType type = typeOf(*signature, pointerType);
  OpBuilder declarations(module.getContext());
  LLVM::LLVMFuncOp callee = *LLVM::lookupOrCreateFn(declarations, module, name, type.getParams(), type.getReturnType());
  return LLVM::CallOp::create(builder, loc, callee, arguments);
}

StreamCalls::Stream& StreamCalls::get(unsigned stream) {
  while (streams.size() <= stream) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    if (!streams.empty()) builder.setInsertionPointAfterValue(streams.back().token);
    Location loc = function.getLoc();
    Value pointer = call(builder, loc, kStreamCreate, {})->getResult(0);
    auto tokenType = gpu::AsyncTokenType::get(builder.getContext());
    Value token = UnrealizedConversionCastOp::create(builder, loc, tokenType, pointer).getResult(0);
    streams.push_back({pointer, token});
  }
  return streams[stream];
}

Value StreamCalls::token(unsigned stream) { return get(stream).token; }

void StreamCalls::synchronize(Operation* before, unsigned stream) {
  OpBuilder builder(before);
  call(builder, before->getLoc(), kStreamSynchronize, get(stream).pointer);
}

Value StreamCalls::record(Operation* op, unsigned stream) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value event = call(builder, op->getLoc(), kEventCreate, {})->getResult(0);
  call(builder, op->getLoc(), kEventRecord, {event, get(stream).pointer});
  return event;
}

Operation* StreamCalls::wait(Operation* before, unsigned stream, Value event) {
  OpBuilder builder(before);
  return call(builder, before->getLoc(), kStreamWaitEvent, {get(stream).pointer, event});
}

void StreamCalls::destroyEvent(Operation* after, Value event) {
  OpBuilder builder(after->getContext());
  builder.setInsertionPointAfter(after);
  call(builder, after->getLoc(), kEventDestroy, event);
}

void StreamCalls::finish() {
  function.getBody().walk([&](func::ReturnOp exit) {
    OpBuilder builder(exit);
    for (const Stream& stream : streams) call(builder, exit.getLoc(), kStreamDestroy, stream.pointer);
  });
}

}  // namespace mmtune
