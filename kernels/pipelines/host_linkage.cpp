// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pipelines/host_linkage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Of func.func; what func-to-llvm reads.
constexpr llvm::StringLiteral kLinkageAttrName = "llvm.linkage";

bool takesMemrefs(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(type.getInputs(), llvm::IsaPred<BaseMemRefType>) ||
         llvm::any_of(type.getResults(), llvm::IsaPred<BaseMemRefType>);
}

struct SetHostLinkage : PassWrapper<SetHostLinkage, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SetHostLinkage)

  StringRef getName() const override { return "SetHostLinkage"; }
  StringRef getDescription() const override {
    return "Give public functions a C interface and private ones internal linkage";
  }
  void getDependentDialects(DialectRegistry& registry) const override { registry.insert<LLVM::LLVMDialect>(); }

  void runOnOperation() override {
    auto internal = LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    StringRef cInterface = LLVM::LLVMDialect::getEmitCWrapperAttrName();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // Without memrefs a function elsewhere is called as it is, by its own name.
      if (function.isExternal() ? takesMemrefs(function) : function.isPublic()) {
        function->setAttr(cInterface, UnitAttr::get(&getContext()));
        continue;
      }
      function->removeAttr(cInterface);
      if (!function.isExternal() && !function->hasAttr(kLinkageAttrName)) function->setAttr(kLinkageAttrName, internal);
    }
  }
};

}  // namespace

std::unique_ptr<Pass> createSetHostLinkagePass() { return std::make_unique<SetHostLinkage>(); }

}  // namespace mmtune
