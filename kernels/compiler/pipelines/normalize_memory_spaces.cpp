// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NORMALIZEMEMORYSPACESPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

Attribute memorySpaceOf(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref ? memref.getMemorySpace() : Attribute();
}

/// True if a memref may be in this memory space of NVVM; 4 is constant memory, 5 is thread-local memory.
bool isKnown(Attribute space) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(space))
    return llvm::is_contained({0, 1, 3, 4, 5}, integer.getValue().getSExtValue());
  return !space || isa<gpu::AddressSpaceAttr>(space);
}

LogicalResult checkKnown(Location loc, Type type) {
  if (isKnown(memorySpaceOf(type))) return success();
  return emitError(loc)
         << type
         << " is in an unknown memory space; known are none (the default), 1 or #gpu.address_space<global>, 3 "
            "or #gpu.address_space<workgroup>, 4 (constants), 5 or #gpu.address_space<private>";
}

/// Refuses unknown memory spaces, in host code and in kernels.
LogicalResult checkSpaces(Operation* op) {
  for (Value result : op->getResults())
    if (failed(checkKnown(result.getLoc(), result.getType()))) return failure();
  for (Region& region : op->getRegions())
    for (Block& block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(checkKnown(argument.getLoc(), argument.getType()))) return failure();
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
      if (failed(checkKnown(op->getLoc(), type))) return failure();
  return success();
}

/// Refuses memory spaces at function boundaries: callers pass and get host memory.
LogicalResult checkBoundary(func::FuncOp function) {
  auto refuse = [&](Location loc, StringRef what, unsigned index, Type type) {
    return emitError(loc)
           << what << " #" << index << " of @" << function.getName() << ", of type " << type
           << ", is device memory by its memory space, and callers pass host memory: leave the memory space out, or "
              "say that all arguments are device memory (process-args=false, --device-arguments)";
  };
  for (BlockArgument argument : function.getArguments())
    if (memorySpaceOf(argument.getType()))
      return refuse(argument.getLoc(), "argument", argument.getArgNumber(), argument.getType());
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (memorySpaceOf(type)) return refuse(function.getLoc(), "result", index, type);
  return success();
}

/// Refuses memory spaces of kernels, such as shared memory, in host code.
LogicalResult checkHostOperation(Operation* op) {
  auto check = [&](Value value) -> LogicalResult {
    Attribute space = memorySpaceOf(value.getType());
    if (!space || isGlobalMemorySpace(space)) return success();
    return emitError(value.getLoc())
           << "host code has no memory of type " << value.getType()
           << ": only a kernel has this memory space; allocate in the kernel, or leave it out";
  };
  for (Value result : op->getResults())
    if (failed(check(result))) return failure();
  for (Region& region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (failed(check(argument))) return failure();
  return success();
}

struct NormalizeMemorySpaces : impl::NormalizeMemorySpacesPassBase<NormalizeMemorySpaces> {
  using NormalizeMemorySpacesPassBase::NormalizeMemorySpacesPassBase;

  void runOnOperation() override {
    WalkResult known =
        getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult { return checkSpaces(op); });
    if (known.wasInterrupted() || failed(checkHost())) return signalPassFailure();
    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
      if (!isGlobalMemorySpace(type.getMemorySpace())) return std::nullopt;
      return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
    });
    replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
      if (!isGlobalMemorySpace(type.getMemorySpace())) return std::nullopt;
      return UnrankedMemRefType::get(type.getElementType(), Attribute());
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

 private:
  LogicalResult checkHost() {
    if (processArgs)
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (function.isPublic() && !function.isExternal() && failed(checkBoundary(function))) return failure();
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      return checkHostOperation(op);
    });
    return failure(result.wasInterrupted());
  }
};

}  // namespace
}  // namespace mmtune
