// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/global_size.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKKERNELSLOWEREDPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

struct CheckKernelsLowered : impl::CheckKernelsLoweredPassBase<CheckKernelsLowered> {
  void runOnOperation() override {
    bool found = false;
    const DataLayout layout(getOperation());
    getOperation().walk([&](Operation* op) {
      if (auto global = dyn_cast<LLVM::GlobalOp>(op)) found |= failed(checkSize(global, layout));
      if (op == getOperation() || isa<UnrealizedConversionCastOp>(op) ||
          isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
        return;
      found = true;
      op->emitError("'") << op->getName()
                         << "' in a kernel has no lowering here: lower it to operations of gpu, nvgpu, nvvm, memref, "
                            "vector, affine, scf, arith or math first";
    });
    if (found) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
