// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_LOWERHOSTASSERTSPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

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
