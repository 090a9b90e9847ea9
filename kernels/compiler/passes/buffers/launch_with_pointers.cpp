// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/kernel_access.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LAUNCHWITHPOINTERSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

/// Whether elements lie in row-major order without gaps, whatever the offset of the first.
bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset))) return false;
  if (type.getLayout().isIdentity()) return true;
  int64_t expected = 1;
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    if (type.getDimSize(i) == 1) continue;
    if (ShapedType::isDynamic(expected) || strides[i] != expected) return false;
    expected = type.isDynamicDim(i) ? ShapedType::kDynamic : expected * type.getDimSize(i);
  }
  return true;
}

/// Bytes from the aligned pointer to the first element; null when there are none.
Value createOffset(ImplicitLocOpBuilder& builder, TypedValue<MemRefType> buffer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  MemRefType type = buffer.getType();
  (void)type.getStridesAndOffset(strides, offset);  // Succeeds: check() has seen to it.
  if (offset == 0) return Value();
  DataLayout layout = DataLayout::closest(builder.getInsertionBlock()->getParentOp());
  int64_t bytes = layout.getTypeSize(type.getElementType()).getFixedValue();
  Value elements = ShapedType::isDynamic(offset) ? memref::ExtractStridedMetadataOp::create(builder, buffer).getOffset()
                                                 : arith::ConstantIndexOp::create(builder, offset).getResult();
  return arith::MulIOp::create(builder, elements, arith::ConstantIndexOp::create(builder, bytes));
}

Value createAddress(ImplicitLocOpBuilder& builder, TypedValue<MemRefType> buffer) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer);
  if (Value offset = createOffset(builder, buffer)) address = arith::AddIOp::create(builder, address, offset);
  return address;
}

/// Whether the memory is allocated here, so that it lies as kernels want it; otherwise it is a caller's.
bool isAllocatedHere(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) buffer = view.getViewSource();
  Operation* allocation = buffer.getDefiningOp();
  return isa_and_nonnull<gpu::AllocOp, memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(allocation);
}

/// Asserts that the address is as aligned as the kernel's parameter.
void assertAligned(ImplicitLocOpBuilder& builder, Value address, LLVM::LLVMFuncOp kernel, unsigned index) {
  auto alignment = kernel.getArgAttrOfType<IntegerAttr>(index, LLVM::LLVMDialect::getAlignAttrName());
  if (!alignment || alignment.getInt() <= 1) return;
  Value mask = arith::ConstantIndexOp::create(builder, alignment.getInt() - 1);
  Value rest = arith::AndIOp::create(builder, address, mask);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value isAligned = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, rest, zero);
  cf::AssertOp::create(builder, isAligned,
                       builder.getStringAttr("memory that kernel @" + kernel.getName() + " is given as argument " +
                                             Twine(index) + " begins at no multiple of " + Twine(alignment.getInt()) +
                                             " bytes: align the function's argument so"));
}

Value createPointer(ImplicitLocOpBuilder& builder, Value address, Type pointer) {
  Value integer = arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, pointer, integer);
}

LLVM::LLVMFuncOp pointerKernel(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(launch, launch.getKernelAttr());
  return kernel && isa<gpu::GPUModuleOp>(kernel->getParentOp()) ? kernel : nullptr;
}

struct LaunchWithPointers : impl::LaunchWithPointersPassBase<LaunchWithPointers> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    bool failed = false;
    for (gpu::LaunchFuncOp launch : launches)
      if (LLVM::LLVMFuncOp kernel = pointerKernel(launch)) failed |= mlir::failed(rewrite(launch, kernel));
    if (failed) signalPassFailure();
  }

 private:
  LogicalResult rewrite(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel) {
    ArrayRef<Type> parameters = kernel.getFunctionType().getParams();
    if (launch.getNumKernelOperands() != parameters.size())
      return attachKernel(launch.emitError("passes ")
                              << launch.getNumKernelOperands() << " arguments to a kernel that has "
                              << parameters.size() << " parameters",
                          kernel);
    for (auto [index, type] : llvm::enumerate(parameters))
      if (failed(check(launch, kernel, index, type))) return failure();
    ImplicitLocOpBuilder builder(launch.getLoc(), launch);
    for (OpOperand& operand : launch.getKernelOperandsMutable()) {
      unsigned index = operand.getOperandNumber() - launch.getKernelOperands().getBeginOperandIndex();
      auto buffer = dyn_cast<TypedValue<MemRefType>>(operand.get());
      if (!buffer) continue;
      Value address = createAddress(builder, buffer);
      if (!isAllocatedHere(buffer)) assertAligned(builder, address, kernel, index);
      operand.set(createPointer(builder, address, parameters[index]));
    }
    return success();
  }

  LogicalResult check(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel, unsigned index, Type parameter) {
    Type type = launch.getKernelOperand(index).getType();
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref && LLVMTypeConverter(&getContext()).convertType(type) == parameter) return success();
    if (!memref || !isa<LLVM::LLVMPointerType>(parameter))
      return attachKernel(launch.emitError("argument ")
                              << index << " of type " << type << " is no " << parameter << ", which the kernel takes",
                          kernel);
    if (isContiguous(memref) || kernel.getArgAttr(index, kKnowsStridesAttrName)) return success();
    return attachKernel(launch.emitError("argument ")
                            << index << " of type " << type
                            << " has a layout that a pointer cannot tell: copy it to a buffer with the identity layout",
                        kernel);
  }

  static LogicalResult attachKernel(InFlightDiagnostic error, LLVM::LLVMFuncOp kernel) {
    error.attachNote(kernel.getLoc()) << "the kernel";
    return error;
  }
};

}  // namespace
}  // namespace mmtune
