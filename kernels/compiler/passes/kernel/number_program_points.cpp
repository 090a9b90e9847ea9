// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NUMBERPROGRAMPOINTSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

struct NumberProgramPoints : impl::NumberProgramPointsPassBase<NumberProgramPoints> {
  void runOnOperation() override {
    Builder builder(&getContext());
    int64_t number = 0;
    getOperation().walk([&](Operation* op) {
      if (!isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect>(op->getDialect())) return;
      if (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op))
        op->setAttr("program_point", builder.getI64IntegerAttr(number++));
    });
  }
};

}  // namespace
}  // namespace mmtune
