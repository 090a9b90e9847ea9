// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/device_copy.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOADDEVICECONSTANTSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

constexpr char kLoad[] = "mgpuConstantLoad";
constexpr char kUnload[] = "mgpuConstantUnload";
constexpr char kRelease[] = "mmtune_release_constants";

/// Where the host has the constant.
Value hostAddress(ImplicitLocOpBuilder& builder, memref::GetGlobalOp constant) {
  Operation* host = builder.clone(*constant);
  host->removeAttr(kDeviceConstantAttrName);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, host->getResult(0));
  Value integer = arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()), integer);
}

struct LoadDeviceConstants : impl::LoadDeviceConstantsPassBase<LoadDeviceConstants> {
  void runOnOperation() override {
    llvm::MapVector<StringAttr, memref::GetGlobalOp> constants;
    SmallVector<memref::GetGlobalOp> loads;
    getOperation().walk([&](memref::GetGlobalOp load) {
      if (!load->hasAttr(kDeviceConstantAttrName)) return;
      loads.push_back(load);
      constants.insert({load.getNameAttr().getAttr(), load});
    });
    if (loads.empty()) return;
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto nothing = LLVM::LLVMVoidType::get(&getContext());
    OpBuilder declarations(&getContext());
    FailureOr<LLVM::LLVMFuncOp> load =
        LLVM::lookupOrCreateFn(declarations, getOperation(), kLoad, {pointer, declarations.getI64Type()}, pointer);
    FailureOr<LLVM::LLVMFuncOp> unload =
        LLVM::lookupOrCreateFn(declarations, getOperation(), kUnload, {pointer}, nothing);
    if (failed(load) || failed(unload)) return signalPassFailure();
    addDestructor(llvm::map_to_vector(constants, [](auto& entry) { return entry.second; }), *unload);
    for (memref::GetGlobalOp constant : loads) lower(constant, *load);
  }

 private:
  void lower(memref::GetGlobalOp constant, LLVM::LLVMFuncOp load) {
    ImplicitLocOpBuilder builder(constant.getLoc(), constant);
    MemRefType type = constant.getType();
    LLVMTypeConverter converter(&getContext());
    Value bytes = bytesOf(builder, converter.convertType(type.getElementType()), type.getNumElements());
    auto call = LLVM::CallOp::create(builder, load, ValueRange{hostAddress(builder, constant), bytes});
    Value descriptor = MemRefDescriptor::fromStaticShape(builder, builder.getLoc(), converter, type, call.getResult());
    constant.replaceAllUsesWith(UnrealizedConversionCastOp::create(builder, type, descriptor).getResult(0));
    constant.erase();
  }

  void addDestructor(ArrayRef<memref::GetGlobalOp> constants, LLVM::LLVMFuncOp unload) {
    ImplicitLocOpBuilder builder(getOperation().getLoc(), getOperation().getBody(), getOperation().getBody()->end());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {});
    auto release = LLVM::LLVMFuncOp::create(builder, kRelease, type, LLVM::Linkage::Internal);
    SymbolTable(getOperation()).insert(release);  // Under another name where the module has this one.
    LLVM::GlobalDtorsOp::create(builder, builder.getArrayAttr({FlatSymbolRefAttr::get(release.getNameAttr())}),
                                builder.getI32ArrayAttr({0}),
                                builder.getArrayAttr({LLVM::ZeroAttr::get(&getContext())}));
    builder.setInsertionPointToStart(release.addEntryBlock(builder));
    for (memref::GetGlobalOp constant : constants)
      LLVM::CallOp::create(builder, unload, ValueRange{hostAddress(builder, constant)});
    LLVM::ReturnOp::create(builder, ValueRange());
  }
};

}  // namespace
}  // namespace mmtune
