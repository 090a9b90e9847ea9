// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/global_size.h"
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

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
