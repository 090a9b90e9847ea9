// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/host_builder.h"
#include "kernels/compiler/passes/buffers/device_copy.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/passes/buffers/tensor_maps.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LAUNCHWITHPOINTERSPASS
#define GEN_PASS_DEF_LOADDEVICECONSTANTSPASS
#define GEN_PASS_DEF_TRANSFERVIEWSPASS
#include "kernels/compiler/passes/buffers/Passes.h.inc"

namespace {

/// True if elements are in row-major order without gaps, at any offset.
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

/// Returns the bytes from the aligned pointer to the first element; null for 0.
Value createOffset(ImplicitLocOpBuilder& builder, TypedValue<MemRefType> buffer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  MemRefType type = buffer.getType();
  (void)type.getStridesAndOffset(strides, offset);  // check() has verified that it succeeds.
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

/// True if the function allocates the memory, aligned as kernels need it; a caller's may not be.
bool isAllocatedHere(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) buffer = view.getViewSource();
  Operation* allocation = buffer.getDefiningOp();
  return isa_and_nonnull<gpu::AllocOp, memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(allocation);
}

/// Returns the alignment that the kernel, or a tensor map of the memory, needs.
int64_t alignmentOf(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel, unsigned index) {
  constexpr int64_t kOfMatrix = 16;  // The parameter itself, which has llvm.align, is the map.
  if (tensorMapOf(launch, index)) return kOfMatrix;
  auto alignment = kernel.getArgAttrOfType<IntegerAttr>(index, LLVM::LLVMDialect::getAlignAttrName());
  return alignment ? alignment.getInt() : 1;
}

/// Asserts that the address is a multiple of `alignment`.
void assertAligned(ImplicitLocOpBuilder& builder, Value address, LLVM::LLVMFuncOp kernel, unsigned index,
                   int64_t alignment) {
  if (alignment <= 1) return;
  Value mask = arith::ConstantIndexOp::create(builder, alignment - 1);
  Value rest = arith::AndIOp::create(builder, address, mask);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value isAligned = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, rest, zero);
  cf::AssertOp::create(builder, isAligned,
                       builder.getStringAttr("memory that kernel @" + kernel.getName() + " is given as argument " +
                                             Twine(index) + " begins at no multiple of " + Twine(alignment) +
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
    for (gpu::LaunchFuncOp launch : launches) {
      if (LLVM::LLVMFuncOp kernel = pointerKernel(launch)) {
        failed |= mlir::failed(rewrite(launch, kernel));
      } else if (launch->hasAttr(kTensorMapsAttrName)) {
        launch.emitError() << kTensorMapsAttrName
                           << " needs a kernel that is an llvm.func in a gpu.module of this module";
        failed = true;
      }
    }
    if (failed) signalPassFailure();
  }

 private:
  LogicalResult rewrite(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel) {
    ArrayRef<Type> parameters = kernel.getFunctionType().getParams();
    if (launch.getNumKernelOperands() != parameters.size())
      return attachKernel(launch.emitError("the launch passes ")
                              << launch.getNumKernelOperands() << " arguments to a kernel that has "
                              << parameters.size() << " parameters",
                          kernel);
    for (auto [index, type] : llvm::enumerate(parameters))
      if (failed(check(launch, kernel, index, type))) return failure();
    ImplicitLocOpBuilder builder(launch.getLoc(), launch);
    SmallVector<std::pair<OpOperand*, Value>> arguments;
    for (OpOperand& operand : launch.getKernelOperandsMutable()) {
      unsigned index = operand.getOperandNumber() - launch.getKernelOperands().getBeginOperandIndex();
      auto buffer = dyn_cast<TypedValue<MemRefType>>(operand.get());
      if (!buffer) continue;
      Value address = createAddress(builder, buffer);
      if (!isAllocatedHere(buffer)) assertAligned(builder, address, kernel, index, alignmentOf(launch, kernel, index));
      Value argument = createPointer(builder, address, parameters[index]);
      if (tensorMapOf(launch, index)) argument = createTensorMap(builder, launch, index, argument);
      if (!argument) return failure();
      arguments.push_back({&operand, argument});
    }
    // Maps are computed from the memrefs, which are all there until now.
    for (auto [operand, argument] : arguments) operand->set(argument);
    launch->removeAttr(kTensorMapsAttrName);
    return success();
  }

  LogicalResult check(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel, unsigned index, Type parameter) {
    if (tensorMapOf(launch, index) && failed(checkTensorMap(launch, kernel, index))) return failure();
    Type type = launch.getKernelOperand(index).getType();
    auto memref = dyn_cast<MemRefType>(type);
    Type passed = parameter;
    if (auto byValue = kernel.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByValAttrName()))
      passed = byValue.getValue();
    if (!memref && LLVMTypeConverter(&getContext()).convertType(type) == passed) return success();
    if (passed != parameter && !tensorMapOf(launch, index))
      return attachKernel(launch.emitError("argument ")
                              << index << " of type " << type << " is no " << passed
                              << ", which the kernel takes by value: for a tensor map of a memref, describe it in "
                              << kTensorMapsAttrName,
                          kernel);
    if (!memref || !isa<LLVM::LLVMPointerType>(parameter))
      return attachKernel(launch.emitError("argument ")
                              << index << " of type " << type << " is no " << parameter << ", which the kernel takes",
                          kernel);
    if (isContiguous(memref) || kernel.getArgAttr(index, kKnowsStridesAttrName)) return success();
    return attachKernel(
        launch.emitError("argument ")
            << index << " of type " << type
            << " has a layout that a pointer cannot describe: copy it to a buffer with the identity layout",
        kernel);
  }

  static LogicalResult attachKernel(InFlightDiagnostic error, LLVM::LLVMFuncOp kernel) {
    error.attachNote(kernel.getLoc()) << "the kernel";
    return error;
  }
};

constexpr char kLoad[] = "mgpuConstantLoad";
constexpr char kUnload[] = "mgpuConstantUnload";
constexpr char kRelease[] = "mmtune_release_constants";

/// Returns the host address of the constant.
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
    SymbolTable(getOperation()).insert(release);  // Renamed if the module uses the name.
    LLVM::GlobalDtorsOp::create(builder, builder.getArrayAttr({FlatSymbolRefAttr::get(release.getNameAttr())}),
                                builder.getI32ArrayAttr({0}),
                                builder.getArrayAttr({LLVM::ZeroAttr::get(&getContext())}));
    builder.setInsertionPointToStart(release.addEntryBlock(builder));
    for (memref::GetGlobalOp constant : constants)
      LLVM::CallOp::create(builder, unload, ValueRange{hostAddress(builder, constant)});
    LLVM::ReturnOp::create(builder, ValueRange());
  }
};

constexpr char kCopy[] = "mgpuMemcpyMemRef";

bool isDense(Value memref) { return cast<MemRefType>(memref.getType()).getLayout().isIdentity(); }

/// True if gpu-to-llvm, which reads the layout of the source only and ignores offsets, would lower it wrongly or not at
/// all.
bool takesView(gpu::MemcpyOp copy) { return !isDense(copy.getSrc()) || !isDense(copy.getDst()); }

/// Returns the address of the memref's descriptor, on the stack.
Value descriptorOf(ImplicitLocOpBuilder& builder, const LLVMTypeConverter& converter, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto unranked = UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace());
  Value cast = memref::CastOp::create(builder, unranked, memref);
  Value lowered = UnrealizedConversionCastOp::create(builder, converter.convertType(unranked), cast).getResult(0);
  return LLVM::ExtractValueOp::create(builder, lowered, ArrayRef<int64_t>{1});
}

/// Lowers a gpu.memcpy of views. The descriptors are freed after each copy, also in a loop:
///
///     %stack = llvm.intr.stacksave
///     mgpuMemcpyMemRef(rank, descriptor of target, descriptor of source, bytes of an element, stream)
///     llvm.intr.stackrestore %stack
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
