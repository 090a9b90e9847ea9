// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may call the functions of a host module, and how.
#include "kernels/pipelines/passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EMITPACKEDENTRIESPASS
#define GEN_PASS_DEF_SETHOSTLINKAGEPASS
#include "kernels/pipelines/Passes.h.inc"

namespace {

/// An attribute of func.func that func-to-llvm reads.
constexpr llvm::StringLiteral kLinkageAttrName = "llvm.linkage";

bool takesMemrefs(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(type.getInputs(), llvm::IsaPred<BaseMemRefType>) ||
         llvm::any_of(type.getResults(), llvm::IsaPred<BaseMemRefType>);
}

struct SetHostLinkage : impl::SetHostLinkagePassBase<SetHostLinkage> {
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
    // Without a value a global is declared, and has its memory in another module, like a function without a body.
    for (auto global : getOperation().getOps<memref::GlobalOp>())
      if (global.isExternal()) SymbolTable::setSymbolVisibility(global, SymbolTable::Visibility::Public);
  }
};

constexpr llvm::StringLiteral kCInterfacePrefix = "_mlir_ciface_";
constexpr llvm::StringLiteral kPackedPrefix = "_mlir_packed_";

void emitPackedEntry(OpBuilder& builder, LLVM::LLVMFuncOp function) {
  Location loc = function.getLoc();
  MLIRContext* context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer});
  std::string name = (kPackedPrefix + function.getName().drop_front(kCInterfacePrefix.size())).str();
  auto packed = LLVM::LLVMFuncOp::create(builder, loc, name, type);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(packed.addEntryBlock(builder));
  auto slot = [&](int32_t index) -> Value {
    Value address =
        LLVM::GEPOp::create(builder, loc, pointer, pointer, packed.getArgument(0), ArrayRef<LLVM::GEPArg>{index});
    return LLVM::LoadOp::create(builder, loc, pointer, address);
  };
  SmallVector<Value> arguments;
  int32_t count = 0;
  for (Type argument : function.getArgumentTypes())
    arguments.push_back(LLVM::LoadOp::create(builder, loc, argument, slot(count++)));
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  if (call.getNumResults() != 0) LLVM::StoreOp::create(builder, loc, call.getResult(), slot(count));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

struct EmitPackedEntries : impl::EmitPackedEntriesPassBase<EmitPackedEntries> {
  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto functions = llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions)
      if (!function.isExternal() && function.getName().starts_with(kCInterfacePrefix))
        emitPackedEntry(builder, function);
  }
};

}  // namespace
}  // namespace mmtune
