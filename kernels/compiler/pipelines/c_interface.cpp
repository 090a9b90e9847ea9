// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a host module: its own, which nothing outside can take for others, and those that it exports.
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPORTCINTERFACESPASS
#define GEN_PASS_DEF_SETHOSTLINKAGEPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

/// An attribute of func.func that func-to-llvm reads.
constexpr llvm::StringLiteral kLinkageAttrName = "llvm.linkage";

/// Begins the names of what the module defines. No function of C has a period in its name, so that none of what
/// lowering calls (malloc, expf, memrefCopy) is one of the module's.
constexpr llvm::StringLiteral kOwnPrefix = "mmtune.";

bool takesMemrefs(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(type.getInputs(), llvm::IsaPred<BaseMemRefType>) ||
         llvm::any_of(type.getResults(), llvm::IsaPred<BaseMemRefType>);
}

/// Whether the module defines it, under a name of its own.
bool isDefinition(Operation& op) {
  if (op.hasAttr(kLinkageAttrName)) return false;  // Its author says what its name is to others.
  if (auto function = dyn_cast<func::FuncOp>(op)) return !function.isExternal();
  if (auto global = dyn_cast<memref::GlobalOp>(op)) return !global.isExternal();
  return isa<gpu::BinaryOp>(op);
}

/// Puts kOwnPrefix before the name of each definition, also where it is used.
void renameDefinitions(ModuleOp module) {
  llvm::DenseMap<StringAttr, StringAttr> names;
  for (Operation& op : *module.getBody()) {
    if (!isDefinition(op)) continue;
    StringAttr name = SymbolTable::getSymbolName(&op);
    StringAttr own = StringAttr::get(module.getContext(), kOwnPrefix + name.getValue());
    names[name] = own;
    SymbolTable::setSymbolName(&op, own);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr used) -> std::optional<std::pair<Attribute, WalkResult>> {
    auto found = names.find(used.getRootReference());
    if (found == names.end()) return std::pair<Attribute, WalkResult>(used, WalkResult::skip());
    Attribute renamed = SymbolRefAttr::get(found->second, used.getNestedReferences());
    return std::pair(renamed, WalkResult::skip());
  });
  // What nests symbols of its own refers to those.
  module.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (op != module && op->hasTrait<OpTrait::SymbolTable>()) return WalkResult::skip();
    replacer.replaceElementsIn(op);
    return WalkResult::advance();
  });
}

struct SetHostLinkage : impl::SetHostLinkagePassBase<SetHostLinkage> {
  void runOnOperation() override {
    renameDefinitions(getOperation());
    // Without a value a global is declared, and has its memory in another module, like a function without a body.
    for (auto global : getOperation().getOps<memref::GlobalOp>())
      global.setVisibility(global.isExternal() ? SymbolTable::Visibility::Public : SymbolTable::Visibility::Private);
    auto internal = LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    StringRef cInterface = LLVM::LLVMDialect::getEmitCWrapperAttrName();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // Without memrefs a function elsewhere is called as it is, by its own name.
      if (function.isExternal() ? takesMemrefs(function) : function.isPublic()) {
        function->setAttr(cInterface, UnitAttr::get(&getContext()));
      } else {
        function->removeAttr(cInterface);
      }
      if (!function.isExternal() && !function->hasAttr(kLinkageAttrName)) function->setAttr(kLinkageAttrName, internal);
    }
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

struct ExportCInterfaces : impl::ExportCInterfacesPassBase<ExportCInterfaces> {
  using ExportCInterfacesPassBase::ExportCInterfacesPassBase;

  void runOnOperation() override {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto functions = llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions) {
      StringRef name = function.getName();
      if (function.isExternal() || !name.consume_front(kCInterfacePrefix) || !name.consume_front(kOwnPrefix)) continue;
      function.setName((kCInterfacePrefix + StringRef(prefix) + name).str());
      if (packed) emitPackedEntry(builder, function);
    }
  }
};

}  // namespace
}  // namespace mmtune
