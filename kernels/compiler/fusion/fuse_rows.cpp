// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and what is elementwise around them, as one kernel.
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/fusion/row_kernel.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FUSEROWSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

enum class Turn : std::uint8_t { kAlongRows, kAcross, kElementwise };

/// Reductions choose first: they have the most to gain. Those across memory leave elements to others, which may go
/// along with what they would take.
Turn turnOf(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0) return Turn::kElementwise;
  std::optional<RowSpace> space = rowSpaceOf(op);
  return space && space->isAcross ? Turn::kAcross : Turn::kAlongRows;
}

struct FuseRows : impl::FuseRowsPassBase<FuseRows> {
  void runOnOperation() override {
    CallFacts calls(getOperation());
    BufferEffects effects(calls);
    SmallVector<std::pair<Turn, linalg::LinalgOp>> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) return WalkResult::skip();
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (linalgOp) ops.push_back({turnOf(linalgOp), linalgOp});
      return linalgOp ? WalkResult::skip() : WalkResult::advance();
    });
    llvm::stable_sort(ops, llvm::less_first());
    // Found before any is rewritten: what launches do is seen less well.
    llvm::SmallPtrSet<Operation*, 32> taken;
    std::vector<RowGroup> groups;
    for (auto& [turn, op] : ops) {
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
