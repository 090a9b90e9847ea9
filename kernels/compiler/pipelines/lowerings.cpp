// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOWERKERNELLINALGPASS
#define GEN_PASS_DEF_LOWERHOSTASSERTSPASS
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
  /// Makes copies linalg operations, as the conversion to LLVM would call a host function.
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
      return op->emitOpError("cannot be loops in a kernel: use an operation with a body, on memrefs");
    rewriter.eraseOp(op);
    return success();
  }
};

constexpr char kAssertFailed[] = "mgpuAssertFailed";

std::string messageOf(cf::AssertOp assertion) {
  std::string message = "an assertion failed: " + assertion.getMsg().str();
  if (auto at = dyn_cast<FileLineColLoc>(assertion.getLoc()))
    message =
        (at.getFilename().getValue() + ":" + Twine(at.getLine()) + ":" + Twine(at.getColumn()) + ": ").str() + message;
  return message + '\0';
}

struct LowerHostAsserts : impl::LowerHostAssertsPassBase<LowerHostAsserts> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> assertions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation* op) {
      if (isa<gpu::GPUModuleOp>(op)) return WalkResult::skip();
      if (auto assertion = dyn_cast<cf::AssertOp>(op)) assertions.push_back(assertion);
      return WalkResult::advance();
    });
    if (assertions.empty()) return;
    OpBuilder declarations(&getContext());
    FailureOr<LLVM::LLVMFuncOp> failed =
        LLVM::lookupOrCreateFn(declarations, getOperation(), kAssertFailed, {LLVM::LLVMPointerType::get(&getContext())},
                               LLVM::LLVMVoidType::get(&getContext()));
    if (mlir::failed(failed)) return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (cf::AssertOp assertion : assertions) lower(assertion, *failed, symbols);
  }

 private:
  void lower(cf::AssertOp assertion, LLVM::LLVMFuncOp failed, SymbolTable& symbols) {
    LLVM::GlobalOp message = createText(assertion, symbols);
    ImplicitLocOpBuilder builder(assertion.getLoc(), assertion);
    Value yes = arith::ConstantIntOp::create(builder, 1, /*width=*/1);
    Value violated = arith::XOrIOp::create(builder, assertion.getArg(), yes);
    auto branch = scf::IfOp::create(builder, violated, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    LLVM::CallOp::create(builder, failed, ValueRange{LLVM::AddressOfOp::create(builder, message)});
    assertion.erase();
  }

  LLVM::GlobalOp createText(cf::AssertOp assertion, SymbolTable& symbols) {
    std::string text = messageOf(assertion);
    auto type = LLVM::LLVMArrayType::get(IntegerType::get(&getContext(), 8), text.size());
    OpBuilder builder(&getContext());
    auto global = LLVM::GlobalOp::create(builder, assertion.getLoc(), type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal, "assertion", builder.getStringAttr(text));
    symbols.insert(global);
    return global;
  }
};

}  // namespace
}  // namespace mmtune
