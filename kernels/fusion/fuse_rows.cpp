// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and what is elementwise around them, as one kernel.
#include "kernels/fusion/passes.h"
#include "kernels/fusion/row_kernel.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FUSEROWSPASS
#include "kernels/fusion/Passes.h.inc"

namespace {

struct FuseRows : impl::FuseRowsPassBase<FuseRows> {
  void runOnOperation() override {
    CallFacts calls(getOperation());
    BufferEffects effects(calls);
    SmallVector<linalg::LinalgOp> reductions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      auto reduction = dyn_cast<linalg::LinalgOp>(op);
      if (reduction && reduction.getNumReductionLoops() != 0) reductions.push_back(reduction);
      return reduction ? WalkResult::skip() : WalkResult::advance();
    });
    llvm::SmallPtrSet<Operation*, 32> taken;
    for (linalg::LinalgOp reduction : reductions) {
      if (taken.contains(reduction)) continue;
      std::optional<RowGroup> group = findRowGroup(reduction, taken, effects);
      if (!group) continue;
      for (RowOperation& row : group->operations) taken.insert(row.op);
      launchRowGroup(*group);
    }
  }
};

}  // namespace
}  // namespace mmtune
