// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program points that stay apart.
#include "kernels/passes/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mmtune {
#define GEN_PASS_DEF_NUMBERPROGRAMPOINTSPASS
#include "kernels/passes/Passes.h.inc"
}  // namespace mmtune

using namespace mlir;

namespace mmtune {
namespace {

struct NumberProgramPoints : impl::NumberProgramPointsPassBase<NumberProgramPoints> {
  using NumberProgramPointsPassBase::NumberProgramPointsPassBase;

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
