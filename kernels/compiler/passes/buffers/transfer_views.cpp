// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/device_copy.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_TRANSFERVIEWSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

constexpr char kCopy[] = "mgpuMemcpyMemRef";

bool isDense(Value memref) { return cast<MemRefType>(memref.getType()).getLayout().isIdentity(); }

/// True if gpu-to-llvm, which looks at the layout of the source alone, and at no offset, has the wrong lowering or
/// none.
bool takesView(gpu::MemcpyOp copy) { return !isDense(copy.getSrc()) || !isDense(copy.getDst()); }

/// The address of the memref's descriptor, on the stack.
Value descriptorOf(ImplicitLocOpBuilder& builder, const LLVMTypeConverter& converter, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto unranked = UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace());
  Value cast = memref::CastOp::create(builder, unranked, memref);
  Value lowered = UnrealizedConversionCastOp::create(builder, converter.convertType(unranked), cast).getResult(0);
  return LLVM::ExtractValueOp::create(builder, lowered, ArrayRef<int64_t>{1});
}

// %stack = llvm.intr.stacksave                    the descriptors go with each copy, also in a loop
// mgpuMemcpyMemRef(rank, descriptor of target, descriptor of source, bytes of an element, stream)
// llvm.intr.stackrestore %stack
void lower(gpu::MemcpyOp copy, LLVM::LLVMFuncOp callee) {
  ImplicitLocOpBuilder builder(copy.getLoc(), copy);
  LLVMTypeConverter converter(builder.getContext());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = cast<MemRefType>(copy.getDst().getType());
  Value stack = LLVM::StackSaveOp::create(builder, pointer);
  Value rank = LLVM::ConstantOp::create(builder, builder.getI64Type(), type.getRank());
  Value target = descriptorOf(builder, converter, copy.getDst());
  Value source = descriptorOf(builder, converter, copy.getSrc());
  Value bytes = bytesOf(builder, converter.convertType(type.getElementType()), /*count=*/1);
  Value stream = UnrealizedConversionCastOp::create(builder, pointer, copy.getAsyncDependencies()).getResult(0);
  LLVM::CallOp::create(builder, callee, ValueRange{rank, target, source, bytes, stream});
  LLVM::StackRestoreOp::create(builder, stack);
  copy.getAsyncToken().replaceAllUsesWith(copy.getAsyncDependencies().front());
  copy.erase();
}

struct TransferViews : impl::TransferViewsPassBase<TransferViews> {
  void runOnOperation() override {
    SmallVector<gpu::MemcpyOp> copies;
    getOperation().walk([&](gpu::MemcpyOp copy) {
      bool isOnStream = copy.getAsyncToken() && copy.getAsyncDependencies().size() == 1;
      if (isOnStream && takesView(copy)) copies.push_back(copy);
    });
    if (copies.empty()) return;
    OpBuilder declarations(&getContext());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Type number = declarations.getI64Type();
    FailureOr<LLVM::LLVMFuncOp> callee =
        LLVM::lookupOrCreateFn(declarations, getOperation(), kCopy, {number, pointer, pointer, number, pointer},
                               LLVM::LLVMVoidType::get(&getContext()));
    if (failed(callee)) return signalPassFailure();
    for (gpu::MemcpyOp copy : copies) lower(copy, *callee);
  }
};

}  // namespace
}  // namespace mmtune
