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
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (linalgOp) ops.push_back(linalgOp);
      return linalgOp ? WalkResult::skip() : WalkResult::advance();
    });
    // Reductions choose first: they have the most to gain.
    llvm::stable_sort(ops, [](linalg::LinalgOp x, linalg::LinalgOp y) {
      return x.getNumReductionLoops() != 0 && y.getNumReductionLoops() == 0;
    });
    // Found before any is rewritten: what launches do is seen less well.
    llvm::SmallPtrSet<Operation*, 32> taken;
    std::vector<RowGroup> groups;
    for (linalg::LinalgOp op : ops) {
      if (taken.contains(op)) continue;
      std::optional<RowGroup> group = findRowGroup(op, taken, effects);
      if (!group) continue;
      for (RowOperation& row : group->operations) taken.insert(row.op);
      groups.push_back(*std::move(group));
    }
    for (RowGroup& group : groups) launchRowGroup(group);
  }
};

}  // namespace
}  // namespace mmtune
