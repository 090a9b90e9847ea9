// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKHOSTLOWEREDPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

/// Launches and images become calls and data when the module is translated.
bool isTranslated(Operation* op) {
  return isa<ModuleOp, gpu::BinaryOp, gpu::GPUModuleOp, gpu::LaunchFuncOp>(op) ||
         isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
}

/// The most bytes of a global: code addresses nothing that is further away.
constexpr uint64_t kMostBytes = (uint64_t{1} << 31) - 1;

/// Returns the size of a global's type, or the largest number for a larger one.
uint64_t bytesOf(Type type, const DataLayout& layout) {
  uint64_t count = 1;
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    count = llvm::SaturatingMultiply(count, uint64_t{array.getNumElements()});
    type = array.getElementType();
  }
  return llvm::SaturatingMultiply(count, uint64_t{layout.getTypeSize(type).getFixedValue()});
}

/// Refuses what LLVM would write out, element by element, until memory is used up.
LogicalResult checkSize(LLVM::GlobalOp global, const DataLayout& layout) {
  const uint64_t bytes = bytesOf(global.getGlobalType(), layout);
  if (bytes <= kMostBytes) return success();
  return global.emitError("a constant or global of ")
         << bytes << " bytes does not fit an object, which has " << kMostBytes
         << " for each: pass it as an argument, or compute it";
}

struct CheckHostLowered : impl::CheckHostLoweredPassBase<CheckHostLowered> {
  void runOnOperation() override {
    bool found = false;
    const DataLayout layout(getOperation());
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (auto global = dyn_cast<LLVM::GlobalOp>(op)) found |= failed(checkSize(global, layout));
      if (isTranslated(op) || isa<UnrealizedConversionCastOp>(op))  // Casts are for the others.
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
}  // namespace mmtune
