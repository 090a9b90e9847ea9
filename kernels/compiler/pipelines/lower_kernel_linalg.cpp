// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOWERKERNELLINALGPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

struct LowerKernelLinalg : impl::LowerKernelLinalgPassBase<LowerKernelLinalg> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) makeLinalg(copy);
    SmallVector<Operation*> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect())) return WalkResult::advance();
      ops.push_back(op);
      return WalkResult::skip();
    });
    for (Operation* op : ops)
      if (failed(lower(op))) return signalPassFailure();
  }

 private:
  /// The conversion to LLVM calls a function of the host for these.
  static void makeLinalg(memref::CopyOp copy) {
    auto isOnePiece = [](Value value) { return cast<MemRefType>(value.getType()).getLayout().isIdentity(); };
    const bool ranked = isa<MemRefType>(copy.getSource().getType()) && isa<MemRefType>(copy.getTarget().getType());
    if (!ranked || (isOnePiece(copy.getSource()) && isOnePiece(copy.getTarget()))) return;
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  }

  static LogicalResult lower(Operation* op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    IRRewriter rewriter(op);
    if (!linalgOp || !linalgOp.hasPureBufferSemantics() || failed(linalg::linalgOpToLoops(rewriter, linalgOp)))
      return op->emitError("cannot be loops in a kernel: use an operation with a body, on memrefs");
    rewriter.eraseOp(op);
    return success();
  }
};

}  // namespace
}  // namespace mmtune
