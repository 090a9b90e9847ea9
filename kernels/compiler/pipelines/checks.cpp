// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>

#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/runtime/device/device.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_VERIFYDEVICEPLACEMENTPASS
#define GEN_PASS_DEF_CHECKVALUETYPESPASS
#define GEN_PASS_DEF_CHECKHOSTLOWEREDPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

/// True for operations of the gpu dialect that belong to host code: transfers, launches, and containers of kernels.
bool isHostOperation(Operation* op) {
  return isa<gpu::AsyncOpInterface, gpu::LaunchOp, gpu::LaunchFuncOp, gpu::HostRegisterOp, gpu::HostUnregisterOp,
             gpu::SetDefaultDeviceOp, gpu::GPUModuleOp, gpu::BinaryOp>(op);
}

LogicalResult refuseMemory(Operation* op, Type type) {
  if (isInSharedMemory(type)) return success();
  return op->emitError("memory of type ")
         << type
         << " would come from a heap in every thread of the kernel, and device code has none here: use memref.alloca, "
            "memory space 3 (shared by a block), or a buffer of the host; a tensor that is computed in a kernel is "
            "such memory, too";
}

/// Refuses a declared global in a kernel: nothing is linked with device code that could define it, and shared memory
/// has no initial contents.
LogicalResult refuseDeclaration(memref::GlobalOp global) {
  if (!global.isExternal() || isInSharedMemory(global.getType())) return success();
  return global.emitError("@")
         << global.getSymName()
         << " has no value and is a declaration, and nothing else defines globals of device code: "
            "give it a value, or = uninitialized";
}

LogicalResult checkInKernel(Operation* op) {
  if (auto global = dyn_cast<memref::GlobalOp>(op)) return refuseDeclaration(global);
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
    return op->emitError(
        "a launch in a kernel: only host code launches kernels; move it out, and launch one after the other");
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) && isHostOperation(op))
    return op->emitError() << "'" << op->getName()
                           << "' is a host operation but is in a kernel: move it out of the kernel";
  if (isa<memref::AllocOp, memref::ReallocOp>(op)) return refuseMemory(op, op->getResult(0).getType());
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) return refuseMemory(op, dealloc.getMemref().getType());
  return success();
}

/// Refuses values that mgpuMemset16 and mgpuMemset32 cannot write.
LogicalResult checkMemset(gpu::MemsetOp memset) {
  Type type = memset.getValue().getType();
  if (type.isIntOrFloat() && llvm::is_contained({16u, 32u}, type.getIntOrFloatBitWidth())) return success();
  return memset.emitError("gpu.memset writes values of 16 or 32 bits, and this is ")
         << type << ": fill the buffer by a kernel, or by linalg.fill";
}

LogicalResult checkInHostCode(Operation* op) {
  if (auto memset = dyn_cast<gpu::MemsetOp>(op)) return checkMemset(memset);
  bool forKernels = isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) ||
                    (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) && !isHostOperation(op));
  if (!forKernels) return success();
  return op->emitError() << "'" << op->getName()
                         << "' is a kernel operation but is in host code: move it into a gpu.launch";
}

struct VerifyDevicePlacement : impl::VerifyDevicePlacementPassBase<VerifyDevicePlacement> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult {
      if (failed(checkInHostCode(op))) return WalkResult::interrupt();
      if (!isa<gpu::LaunchOp, gpu::GPUModuleOp>(op)) return WalkResult::advance();
      for (Region& body : op->getRegions())
        if (body.walk([](Operation* inner) -> WalkResult { return checkInKernel(inner); }).wasInterrupted())
          return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted()) signalPassFailure();
  }
};

Type elementOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type)) return elementOf(shaped.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type)) return elementOf(complex.getElementType());
  return type;
}

/// Returns why code cannot have values of the type; empty when it can.
StringRef whyNoCode(Type type, bool inKernel) {
  Type element = elementOf(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (auto memref = dyn_cast<MemRefType>(type); memref && failed(memref.getStridesAndOffset(strides, offset)))
    return "has elements that are not at fixed distances: use a dense or strided buffer";
  if (isa<NoneType, TupleType>(element)) return "has no machine representation: pass its parts one by one";
  if (isa<FloatTF32Type>(element)) return "exists only within matrix instructions: keep the values as f32";
  if (inKernel && isa<Float80Type, Float128Type>(element)) return "is not supported in device code: use f64 at most";
  return "";
}

/// True if no kernel can have a parameter of this type: PTX has whole bytes only.
bool isOddInteger(Type type) {
  return type.isInteger() && !llvm::is_contained({1u, 8u, 16u, 32u, 64u, 128u}, type.getIntOrFloatBitWidth());
}

LogicalResult check(Location loc, Type type, bool inKernel) {
  StringRef reason = whyNoCode(type, inKernel);
  return reason.empty() ? success() : emitError(loc) << "a value of type " << type << " " << reason;
}

LogicalResult checkParameters(gpu::GPUFuncOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (kernel.isKernel() && isOddInteger(argument.getType()))
      return emitError(argument.getLoc())
             << "a value of type " << argument.getType()
             << " cannot be passed to a kernel: extend it to 8, 16, 32, 64 or 128 bits before the launch";
  return success();
}

/// Refuses a vector access to elements that LLVM packs by the bit in a vector, but stores in a power of two of whole
/// bytes in a buffer.
LogicalResult checkAccess(Operation* op, Type base, VectorType vector) {
  auto buffer = dyn_cast<MemRefType>(base);
  Type element = vector.getElementType();
  const unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 8;
  const bool isOne = !vector.isScalable() && vector.getNumElements() == 1;
  if (!buffer || isa<VectorType>(buffer.getElementType()) || isOne || (bits >= 8 && llvm::isPowerOf2_32(bits)))
    return success();
  return op->emitError("the elements of ") << vector << " do not lie in memory as those of " << buffer
                                           << ": load and store them one by one, or as integers of 8 bits or more";
}

LogicalResult checkAccess(Operation* op) {
  return llvm::TypeSwitch<Operation*, LogicalResult>(op)
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp, VectorTransferOpInterface>(
          [&](auto access) { return checkAccess(op, access.getBase().getType(), access.getVectorType()); })
      .Case<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(
          [&](auto access) { return checkAccess(op, access.getMemRefType(), access.getVectorType()); })
      .Default(success());
}

LogicalResult checkOperation(Operation* op) {
  if (failed(checkAccess(op))) return failure();
  bool inKernel = op->getParentOfType<gpu::GPUModuleOp>() != nullptr;
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op); kernel && failed(checkParameters(kernel))) return failure();
  if (auto function = dyn_cast<func::FuncOp>(op))
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
      if (failed(check(op->getLoc(), type, inKernel))) return failure();
  for (Region& region : op->getRegions())
    for (Block& block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(check(argument.getLoc(), argument.getType(), inKernel))) return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(op->getLoc(), type, inKernel))) return failure();
  return success();
}

struct CheckValueTypes : impl::CheckValueTypesPassBase<CheckValueTypes> {
  void runOnOperation() override {
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult { return checkOperation(op); });
    if (result.wasInterrupted()) signalPassFailure();
  }
};

using Extents = std::array<Value, 3>;

Extents extentsOf(gpu::KernelDim3 sizes) { return {sizes.x, sizes.y, sizes.z}; }

struct CheckLaunchLimits : PassWrapper<CheckLaunchLimits, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckLaunchLimits)

  explicit CheckLaunchLimits(const DeviceInfo& device) : device(device) {}

  StringRef getName() const override { return "CheckLaunchLimits"; }
  StringRef getDescription() const override { return "Refuse launches that are larger than the device allows"; }

  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    if (failed(solver.initializeAndRun(getOperation()))) return signalPassFailure();
    bool refused = false;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto* live = solver.lookupState<dataflow::Executable>(solver.getProgramPointBefore(launch->getBlock()));
      if (live && live->isLive()) refused |= failed(check(launch));
    });
    if (refused) signalPassFailure();
  }

 private:
  LogicalResult check(gpu::LaunchFuncOp launch) {
    LaunchShape shape;
    if (failed(read(launch, "grid", extentsOf(launch.getGridSizeOperandValues()), shape.grid)) ||
        failed(read(launch, "block", extentsOf(launch.getBlockSizeOperandValues()), shape.block)))
      return failure();
    if (llvm::is_contained(shape.grid, 0u)) return success();  // An empty grid launches nothing.
    if (launch.hasClusterSize() &&
        failed(read(launch, "cluster", extentsOf(launch.getClusterSizeOperandValues()), shape.cluster)))
      return failure();
    // A grid that is known at run time only has one cluster at least.
    for (auto [i, size] : llvm::enumerate(extentsOf(launch.getGridSizeOperandValues())))
      if (!getConstantIntValue(size)) shape.grid[i] = shape.cluster[i];
    if (Value bytes = launch.getDynamicSharedMemorySize())
      shape.dynamic_shared_bytes = static_cast<uint32_t>(std::max<int64_t>(getConstantIntValue(bytes).value_or(0), 0));
    absl::Status status = CheckLaunchShape(shape, device, /*static_shared_bytes=*/0);
    if (status.ok()) return success();
    return launch.emitError() << std::string(status.message()) << " (compiled for " << device.arch << ")";
  }

  /// Reads the constant sizes; unknown ones become 1.
  static LogicalResult read(gpu::LaunchFuncOp launch, StringRef what, const Extents& sizes, uint32_t* extents) {
    for (auto [i, size] : llvm::enumerate(sizes)) {
      int64_t extent = getConstantIntValue(size).value_or(1);
      if (extent < 0 || extent > std::numeric_limits<uint32_t>::max())
        return launch.emitError() << "a " << what << " of " << extent << " along " << "xyz"[i];
      extents[i] = static_cast<uint32_t>(extent);
    }
    return success();
  }

  DeviceInfo device;
};

/// True for launches and images, which become calls and data when the module is translated.
bool isTranslated(Operation* op) {
  return isa<ModuleOp, gpu::BinaryOp, gpu::GPUModuleOp, gpu::LaunchFuncOp>(op) ||
         isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
}

struct CheckHostLowered : impl::CheckHostLoweredPassBase<CheckHostLowered> {
  void runOnOperation() override {
    bool found = false;
    const DataLayout layout(getOperation());
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (auto global = dyn_cast<LLVM::GlobalOp>(op)) found |= failed(checkGlobalSize(global, layout));
      if (isTranslated(op) || isa<UnrealizedConversionCastOp>(op))  // Other errors name their operations.
        return WalkResult::advance();
      found = true;
      op->emitError("'") << op->getName()
                         << "' in host code has no lowering here for these types: use dense memrefs, or lower it to "
                            "operations of memref, vector, affine, scf or arith first";
      return WalkResult::advance();
    });
    if (found) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<Pass> createCheckLaunchLimitsPass(const DeviceInfo& device) {
  return std::make_unique<CheckLaunchLimits>(device);
}

}  // namespace mmtune
