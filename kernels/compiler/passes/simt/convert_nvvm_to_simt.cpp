// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/compiler/passes/simt/rewriting.h"
#include "kernels/compiler/passes/simt/tables.h"
#include "kernels/simulator/abi/abi.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CONVERTNVVMTOSIMTPASS
#include "kernels/compiler/passes/simt/Passes.h.inc"

namespace {

bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

struct ConvertNvvmToSimt : impl::ConvertNvvmToSimtPassBase<ConvertNvvmToSimt> {
  using ConvertNvvmToSimtPassBase::ConvertNvvmToSimtPassBase;

  void runOnOperation() override {
    if (failed(convert())) signalPassFailure();
  }

 private:
  LogicalResult convert() {
    FailureOr<SimtSharedLayout> layout = SimtSharedLayout::create(getOperation(), watched ? simt::kRedZoneBytes : 0);
    if (failed(layout) || failed(checkSymbols())) return failure();

    SimtVariables variables;
    if (watched) variables = SimtVariables::pad(getOperation());

    SmallVector<LLVM::LLVMFuncOp> functions, kernels;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal()) continue;
      functions.push_back(function);
      if (isKernel(function)) kernels.push_back(function);
    }
    SymbolTable symbols(getOperation());
    for (LLVM::LLVMFuncOp kernel : kernels)
      if (failed(createEntry(kernel, *layout, symbols))) return failure();
    SimtSites sites(profile);
    SimtModuleState state{*layout, symbols, watched ? &sites : nullptr, {}, {}};
    LogicalResult result = success();
    for (LLVM::LLVMFuncOp function : functions) {
      makeHostFunction(function);
      if (failed(rewriteForSimt(function, state))) result = failure();
      dropDeviceAttributes(function);
    }
    if (failed(result)) return failure();
    eraseSharedGlobals();
    if (watched) {
      sites.emitTable(getOperation(), symbols);
      emitRedZones(*layout, getOperation(), symbols);
    }
    useDefaultAddressSpace();
    if (watched) variables.emitTable(getOperation(), symbols);
    getOperation().removeTargetsAttr();
    return success();
  }

  LogicalResult checkSymbols() {
    for (Operation& op : *getOperation().getBody()) {
      if (auto global = dyn_cast<LLVM::GlobalOp>(op); global && failed(checkGlobal(global))) return failure();
      if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op)) continue;
      return op.emitError(
          "expected functions and globals of the LLVM dialect only, as the SIMT device's code is made from them");
    }
    return success();
  }

  /// What other modules define would be missing when the object is loaded.
  LogicalResult checkGlobal(LLVM::GlobalOp global) {
    if (global.getThreadLocal_()) return unsupportedOnSimt(global, "a variable of each thread");
    if (global.getAddrSpace() == kSharedAddressSpace || isDefinedHere(global) ||
        SymbolTable::symbolKnownUseEmpty(global, getOperation()))
      return success();
    return unsupportedOnSimt(global, "a variable that the module does not define");
  }

  /// Adds the context argument and drops what only a GPU's code generator understands.
  void makeHostFunction(LLVM::LLVMFuncOp function) {
    insertContextArgument(function);
    function.setCConv(LLVM::CConv::C);
    function.setLinkage(LLVM::Linkage::Internal);
    function.setNoUnwind(true);
    function.removeConvergentAttr();
    function.removeWillReturnAttr();
    function.removeMemoryEffectsAttr();
    function.removePassthroughAttr();
    function.removeTargetCpuAttr();
    function.removeTuneCpuAttr();
    function.removeTargetFeaturesAttr();
  }

  /// Drops what rewriting the body asked for. What makes the function a kernel stays: launches in
  /// the same module ask for it.
  void dropDeviceAttributes(LLVM::LLVMFuncOp function) {
    bool kernel = isKernel(function);
    for (NamedAttribute attr : llvm::to_vector(function->getDiscardableAttrs()))
      if (attr.getName().strref().starts_with("nvvm.") ||
          (attr.getName().strref().starts_with("gpu.") && attr.getName() != gpu::GPUDialect::getKernelFuncAttrName()))
        function->removeDiscardableAttr(attr.getName());
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      for (NamedAttribute attr : llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
        if (attr.getName().strref().starts_with("nvvm.")) function.removeArgAttr(i, attr.getName());
      if (kernel) function.removeArgAttr(i, LLVM::LLVMDialect::getByValAttrName());
    }
  }

  /// FunctionOpInterface::insertArgument() fails for an llvm.func that returns void.
  void insertContextArgument(LLVM::LLVMFuncOp function) {
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    SmallVector<DictionaryAttr> attrs{DictionaryAttr::get(&getContext())};
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      attrs.push_back(function_interface_impl::getArgAttrDict(function, i));
    LLVM::LLVMFunctionType type = function.getFunctionType();
    SmallVector<Type> parameters{pointer};
    llvm::append_range(parameters, type.getParams());
    function.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), parameters, type.isVarArg()));
    function.getBody().insertArgument(0u, pointer, function.getLoc());
    function_interface_impl::setAllArgAttrDicts(function, attrs);
  }

  /// Creates `@kernel__simt` and `@kernel__simt_static_shared`, from the kernel's own signature.
  LogicalResult createEntry(LLVM::LLVMFuncOp kernel, const SimtSharedLayout& layout, SymbolTable& symbols) {
    if (!isa<LLVM::LLVMVoidType>(kernel.getFunctionType().getReturnType()))
      return kernel.emitError("a kernel returns nothing");
    auto cluster = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getClusterDimAttrName());
    if (cluster && llvm::any_of(cluster.asArrayRef(), [](int32_t blocks) { return blocks != 1; }))
      return unsupportedOnSimt(kernel, "a kernel with a cluster of blocks, which is not modelled,");
    ImplicitLocOpBuilder builder(kernel.getLoc(), &getContext());
    builder.setInsertionPointAfter(kernel);
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {pointer, pointer});
    std::string name = (kernel.getSymName() + simt::kEntrySuffix).str();
    auto entry = LLVM::LLVMFuncOp::create(builder, name, type);
    entry.setNoUnwind(true);
    symbols.insert(entry);

    builder.setInsertionPointToStart(entry.addEntryBlock(builder));
    SmallVector<Value> operands{entry.getArgument(0)};
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      Value slot = LLVM::GEPOp::create(builder, pointer, pointer, entry.getArgument(1),
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)}, LLVM::GEPNoWrapFlags::inbounds);
      Value address = LLVM::LoadOp::create(builder, pointer, slot);
      FailureOr<Value> operand = loadParameter(builder, kernel, i, address);
      if (failed(operand)) return failure();
      operands.push_back(*operand);
    }
    LLVM::CallOp::create(builder, TypeRange(), kernel.getSymName(), operands);
    LLVM::ReturnOp::create(builder, ValueRange());

    builder.setInsertionPointAfter(entry);
    auto size = LLVM::GlobalOp::create(builder, builder.getI32Type(), /*isConstant=*/true, LLVM::Linkage::External,
                                       (kernel.getSymName() + simt::kStaticSharedSuffix).str(),
                                       builder.getI32IntegerAttr(layout.staticBytes()));
    symbols.insert(size);
    return success();
  }

  /// A parameter passed by value in memory is used where it lies, which only a kernel that does
  /// not write it may do.
  FailureOr<Value> loadParameter(ImplicitLocOpBuilder& builder, LLVM::LLVMFuncOp kernel, unsigned index,
                                 Value address) {
    if (!kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()))
      return LLVM::LoadOp::create(builder, kernel.getArgument(index).getType(), address).getResult();
    if (!kernel.getArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName()))
      return unsupportedOnSimt(kernel, "parameter " + Twine(index) + " with llvm.byval but without nvvm.grid_constant");
    return address;
  }

  void eraseSharedGlobals() {
    for (auto global : llvm::make_early_inc_range(getOperation().getOps<LLVM::GlobalOp>())) {
      if (global.getAddrSpace() == kSharedAddressSpace)
        global.erase();
      else
        global.setAddrSpace(0);
    }
  }

  void useDefaultAddressSpace() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](LLVM::LLVMPointerType type) -> std::optional<Type> {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false, /*replaceTypes=*/true);
    getOperation().walk([](LLVM::AddrSpaceCastOp cast) {
      cast.replaceAllUsesWith(cast.getArg());
      cast.erase();
    });
  }
};

}  // namespace
}  // namespace mmtune
