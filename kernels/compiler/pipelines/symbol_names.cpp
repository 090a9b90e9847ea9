// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on symbol names: of kernels, and of a host module its own and exported ones.
#include "kernels/compiler/pipelines/pipelines.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_NAMEKERNELSPASS
#define GEN_PASS_DEF_EXPORTCINTERFACESPASS
#define GEN_PASS_DEF_SETHOSTLINKAGEPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

bool mayFollow(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// True if the name is a PTX identifier: a letter, or an underscore or dollar sign with something behind it, and not
/// reserved.
bool isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name[0]) || !llvm::all_of(name, mayFollow) || name == "WARP_SZ") return false;
  return name.size() > 1 || llvm::isAlpha(name[0]);
}

std::string identifierOf(StringRef name, const SymbolTable& taken) {
  std::string identifier = "k_";
  for (char c : name) identifier += mayFollow(c) ? c : '_';
  std::string unique = identifier;
  for (int i = 2; taken.lookup(unique); ++i) unique = identifier + "_" + std::to_string(i);
  return unique;
}

struct NameKernels : impl::NameKernelsPassBase<NameKernels> {
  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      SmallVector<Operation*> renamed;
      for (Operation& op : *kernels.getBody())
        if (isa<SymbolOpInterface>(op) && !isIdentifier(SymbolTable::getSymbolName(&op))) renamed.push_back(&op);
      if (renamed.empty()) continue;
      SymbolTable symbols(kernels);
      for (Operation* op : renamed) {
        StringAttr name = StringAttr::get(&getContext(), identifierOf(SymbolTable::getSymbolName(op), symbols));
        if (failed(SymbolTable::replaceAllSymbolUses(op, name, getOperation()))) return signalPassFailure();
        symbols.remove(op);
        SymbolTable::setSymbolName(op, name);
        symbols.insert(op);
      }
    }
  }
};

/// An attribute of func.func that func-to-llvm reads.
constexpr llvm::StringLiteral kLinkageAttrName = "llvm.linkage";

/// Prefix of the names that the module defines. No C function has a period in its name, so none of those that lowering
/// calls (malloc, expf, memrefCopy) is one of the module's.
constexpr llvm::StringLiteral kOwnPrefix = "mmtune.";

bool takesMemrefs(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(type.getInputs(), llvm::IsaPred<BaseMemRefType>) ||
         llvm::any_of(type.getResults(), llvm::IsaPred<BaseMemRefType>);
}

/// True if the module defines the symbol, under a name of its own.
bool isDefinition(Operation& op) {
  if (op.hasAttr(kLinkageAttrName)) return false;  // Its author gave the linkage.
  if (auto function = dyn_cast<func::FuncOp>(op)) return !function.isExternal();
  if (auto global = dyn_cast<memref::GlobalOp>(op)) return !global.isExternal();
  return isa<gpu::BinaryOp>(op);
}

/// Prepends kOwnPrefix to the name of each definition, also where it is used.
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
  // Uses inside a nested symbol table refer to its own symbols.
  module.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (op != module && op->hasTrait<OpTrait::SymbolTable>()) return WalkResult::skip();
    replacer.replaceElementsIn(op);
    return WalkResult::advance();
  });
}

struct SetHostLinkage : impl::SetHostLinkagePassBase<SetHostLinkage> {
  void runOnOperation() override {
    renameDefinitions(getOperation());
    // A global without a value is a declaration, like a function without a body.
    for (auto global : getOperation().getOps<memref::GlobalOp>())
      global.setVisibility(global.isExternal() ? SymbolTable::Visibility::Public : SymbolTable::Visibility::Private);
    auto internal = LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    StringRef cInterface = LLVM::LLVMDialect::getEmitCWrapperAttrName();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // An external function without memrefs is called directly, by its own name.
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
