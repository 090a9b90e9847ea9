// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/kernel_names.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/simt/module_tables.h"
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CONVERTNVVMTOSIMTPASS
#include "kernels/compiler/passes/simt/Passes.h.inc"

namespace {

/// CUDA's function for failed assertions: message, file, line, function, bytes of a character.
constexpr char kAssertFail[] = "__assertfail";

/// Rewrites the body of one function that already has its context argument: NVVM operations become accesses of the
/// context and runtime calls, and with race detection every memory access is reported. Calls of the module's own
/// functions pass the context on. Address spaces and libdevice calls stay. Fails with a diagnostic at every operation
/// that the SIMT device does not model.
class FunctionRewriter {
 public:
  FunctionRewriter(LLVM::LLVMFuncOp function, SimtModuleState& state) : function(function, state), state(state) {}

  LogicalResult run() {
    raiseIntrinsics(function.op());
    LogicalResult result = raiseInlinePtx(function);
    if (!function.reportsAccesses() && failed(batchWarpOperations(function))) return failure();
    SmallVector<Operation*> ops;
    function.op().getBody().walk([&](Operation* op) { ops.push_back(op); });
    if (function.profiles()) announceIterations();
    for (Operation* op : ops)
      if (failed(rewrite(op)))
        result = failure();  // Continue, so that the user sees every unsupported operation. operation.
    return result;
  }

 private:
  void announceIterations() {
    Region& body = function.op().getBody();
    if (body.hasOneBlock()) return;
    DominanceInfo dominance(function.op());
    CFGLoopInfo loops(dominance.getDomTree(&body));
    for (Block& block : body) {
      const CFGLoop* loop = loops.getLoopFor(&block);
      if (loop && loop->getHeader() == &block) SimtEmitter(&block.front(), function).call("mmtune_simt_iterate", {});
    }
  }

  LogicalResult rewrite(Operation* op) {
    if (!isa<NVVM::NVVMDialect, LLVM::LLVMDialect>(op->getDialect()))
      return op->emitError("expected the LLVM dialect, as the SIMT device's code is made from it");
    if (isa<LLVM::InlineAsmOp, NVVM::InlinePtxOp>(op)) return failure();  // raiseInlinePtx() has reported it.
    SimtEmitter emit(op, function);
    for (auto rewriteGroup : {rewriteRegister, rewriteSynchronization, rewriteMbarrier, rewriteCopy, rewriteConversion,
                              rewriteWarpOperation, rewriteCluster})
      if (Rewritten result = rewriteGroup(emit)) return *result;
    if (isa<NVVM::NVVMDialect>(op->getDialect())) return emit.unsupported(op->getName().getStringRef());
    if (function.reportsAccesses() && failed(emitAccessChecks(emit))) return failure();
    return rewriteLlvm(emit);
  }

  static StringRef scopeOf(Operation* op) {
    auto scope = op->getAttrOfType<StringAttr>("syncscope");
    return scope ? scope.getValue() : StringRef();
  }

  LogicalResult rewriteLlvm(SimtEmitter& emit) {
    Operation* op = emit.op;
    // GPU scopes have no meaning on the host: atomics become ordered for all threads.
    const bool isOfBlock = scopeOf(op) == "block";
    op->removeAttr("syncscope");
    return llvm::TypeSwitch<Operation*, LogicalResult>(op)
        .Case<LLVM::AddressOfOp>([&](auto address) { return rewriteAddressOf(address, emit); })
        .Case<LLVM::CallOp>([&](auto call) { return rewriteCall(call, emit); })
        .Case<LLVM::PtrToIntOp>([&](auto cast) { return rewritePtrToInt(cast, emit); })
        .Case<LLVM::IntToPtrOp>([&](auto cast) { return rewriteIntToPtr(cast, emit); })
        .Case<LLVM::FenceOp>([&](auto) {
          if (function.reportsAccesses())
            emit.call("mmtune_simt_fence", {emit.i32(static_cast<int64_t>(memoryFence(isOfBlock))), emit.site()});
          return success();
        })
        .Case<LLVM::CondBrOp>([&](auto branch) {
          if (function.profiles()) {
            Value taken = LLVM::ZExtOp::create(emit.builder, emit.builder.getI32Type(), branch.getCondition());
            emit.call("mmtune_simt_branch", {taken, emit.site()});
          }
          return success();
        })
        .Case<LLVM::AtomicRMWOp>([&](auto atomic) { return rewriteAtomic(atomic, emit); })
        .Case<LLVM::LifetimeStartOp>([&](auto start) { return rewriteLifetimeStart(start, emit); })
        .Case<LLVM::CallIntrinsicOp>([&](auto call) {
          return call.getIntrin().starts_with("llvm.nvvm.") ? emit.unsupported(call.getIntrin()) : success();
        })
        .Case<LLVM::InvokeOp>([&](auto) { return emit.unsupported("llvm.invoke"); })
        .Default([](Operation*) { return success(); });
  }

  /// Splits an update of each element of a vector (kByElementAttrName) into scalar updates.
  static LogicalResult rewriteAtomic(LLVM::AtomicRMWOp atomic, SimtEmitter& emit) {
    if (!atomic->hasAttr(kByElementAttrName)) return success();
    auto type = cast<VectorType>(atomic.getVal().getType());
    for (int32_t i = 0; i < type.getNumElements(); ++i) {
      Value value = LLVM::ExtractElementOp::create(emit.builder, atomic.getVal(), emit.i32(i));
      Value pointer = LLVM::GEPOp::create(emit.builder, atomic.getPtr().getType(), type.getElementType(),
                                          atomic.getPtr(), ArrayRef<LLVM::GEPArg>{i});
      LLVM::AtomicRMWOp::create(emit.builder, atomic.getBinOp(), pointer, value, atomic.getOrdering());
    }
    return emit.erase();
  }

  LogicalResult rewriteAddressOf(LLVM::AddressOfOp address, SimtEmitter& emit) {
    if (state.symbols.lookup<LLVM::LLVMFuncOp>(address.getGlobalName()))
      return emit.unsupported("the address of a function");
    std::optional<uint32_t> offset = state.layout.offsetOf(address.getGlobalName());
    return offset ? emit.replace(arenaPointer(emit, static_cast<int32_t>(*offset))) : success();
  }

  /// Returns a pointer into the block's arena, in the address space of the operation's result, which its users expect.
  Value arenaPointer(SimtEmitter& emit, LLVM::GEPArg offset) {
    auto pointer = LLVM::LLVMPointerType::get(emit.builder.getContext());
    Value arena = function.contextField(offsetof(simt::ThreadContext, shared), pointer);
    Value address = LLVM::GEPOp::create(emit.builder, pointer, emit.builder.getI8Type(), arena,
                                        ArrayRef<LLVM::GEPArg>{offset}, LLVM::GEPNoWrapFlags::inbounds);
    return LLVM::AddrSpaceCastOp::create(emit.builder, emit.op->getResult(0).getType(), address);
  }

  LogicalResult rewriteCall(LLVM::CallOp call, SimtEmitter& emit) {
    std::optional<StringRef> name = call.getCallee();
    if (!name) return emit.unsupported("an indirect call");
    auto callee = state.symbols.lookup<LLVM::LLVMFuncOp>(*name);
    if (callee && (isLibdeviceFunction(callee) || state.runtimeFunctions.contains(callee))) return success();
    if (*name == kAssertFail && call.getNumOperands() > 0)
      return emit.replaceByCall("mmtune_simt_assert_fail", {call.getOperand(0), emit.site()});
    if (!callee || callee.isExternal())
      return emit.unsupported("a call of '" + *name + "', which the module does not define,");
    SmallVector<Value> operands{function.context()};
    llvm::append_range(operands, call.getCalleeOperands());
    call.getCalleeOperandsMutable().assign(operands);
    if (ArrayAttr attrs = call.getArgAttrsAttr()) {
      SmallVector<Attribute> all{DictionaryAttr::get(call.getContext())};
      llvm::append_range(all, attrs);
      call.setArgAttrsAttr(ArrayAttr::get(call.getContext(), all));
    }
    return success();
  }

  /// Keeps a lifetime mark of the thread's own memory; LLVM knows no lifetime of other memory.
  LogicalResult rewriteLifetimeStart(LLVM::LifetimeStartOp start, SimtEmitter& emit) {
    if (!isShared(start.getPtr().getType())) return success();
    if (function.reportsAccesses()) emit.call("mmtune_simt_shared_begins", {start.getPtr()});
    return emit.erase();
  }

  static bool isInSpace(Type pointer, unsigned space) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer);
    return type && type.getAddressSpace() == space;
  }
  static bool isShared(Type pointer) { return isInSpace(pointer, kSharedAddressSpace); }

  /// Rewrites a shared pointer as an integer to its address in the shared window: the offset in the arena.
  LogicalResult rewritePtrToInt(LLVM::PtrToIntOp cast, SimtEmitter& emit) {
    Type integer = cast.getRes().getType();
    const bool isOfCluster = isInSpace(cast.getArg().getType(), kSharedClusterAddressSpace);
    if (!isShared(cast.getArg().getType()) && !isOfCluster) return checkWidth(emit, cast.getArg().getType(), integer);
    if (!integer.isInteger(32) && !integer.isInteger(64))
      return emit.unsupported("a shared pointer as an integer of other than 32 or 64 bits");
    if (isOfCluster) {
      Value address = clusterAddress(emit, cast.getArg());
      return emit.replace(integer.isInteger(64) ? emit.zeroExtended(address) : address);
    }
    Value address = LLVM::PtrToIntOp::create(emit.builder, emit.builder.getI64Type(), emit.generic(cast.getArg()));
    Value offset = LLVM::AndOp::create(emit.builder, address, emit.i64(simt::kArenaAlignment - 1));
    if (integer.isInteger(32)) offset = LLVM::TruncOp::create(emit.builder, integer, offset);
    return emit.replace(offset);
  }

  LogicalResult rewriteIntToPtr(LLVM::IntToPtrOp cast, SimtEmitter& emit) {
    Type integer = cast.getArg().getType(), pointer = cast.getRes().getType();
    const bool isOfCluster = isInSpace(pointer, kSharedClusterAddressSpace);
    if (!isShared(pointer) && !isOfCluster) return checkWidth(emit, pointer, integer);
    if (!integer.isInteger(32) && !integer.isInteger(64))
      return emit.unsupported("a shared pointer as an integer of other than 32 or 64 bits");
    if (isOfCluster)
      return emit.replace(LLVM::AddrSpaceCastOp::create(emit.builder, pointer, clusterPointer(emit, cast.getArg())));
    return emit.replace(arenaPointer(emit, emit.zeroExtended(cast.getArg())));
  }

  /// Refuses a narrow integer, which would lose the upper half of the host's pointer.
  LogicalResult checkWidth(SimtEmitter& emit, Type pointer, Type integer) {
    if (isa<LLVM::LLVMPointerType>(pointer) && integer.isInteger(64)) return success();
    return emit.unsupported("a pointer as an integer of other than 64 bits");
  }

  SimtFunction function;
  SimtModuleState& state;
};

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
    FailureOr<SimtSharedLayout> layout =
        SimtSharedLayout::create(getOperation(), raceDetection ? simt::kRedZoneBytes : 0);
    if (failed(layout) || failed(checkSymbols())) return failure();

    SimtVariables variables;
    if (raceDetection) variables = SimtVariables::pad(getOperation());

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
    SimtModuleState state{*layout, symbols, raceDetection ? &sites : nullptr, {}, {}};
    LogicalResult result = success();
    for (LLVM::LLVMFuncOp function : functions) {
      makeHostFunction(function);
      if (failed(FunctionRewriter(function, state).run())) result = failure();
      dropDeviceAttributes(function);
    }
    if (failed(result)) return failure();
    eraseSharedGlobals();
    if (raceDetection) {
      sites.emitTable(getOperation(), symbols);
      emitRedZones(*layout, getOperation(), symbols);
    }
    useDefaultAddressSpace();
    if (raceDetection) variables.emitTable(getOperation(), symbols);
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

  /// Refuses a global that another module defines: it would be missing when the object is loaded.
  LogicalResult checkGlobal(LLVM::GlobalOp global) {
    if (global.getThreadLocal_()) return unsupportedOnSimt(global, "a variable of each thread");
    if (global.getAddrSpace() == kSharedAddressSpace || isDefinedHere(global) ||
        SymbolTable::symbolKnownUseEmpty(global, getOperation()))
      return success();
    return unsupportedOnSimt(global, "a variable that the module does not define");
  }

  /// Adds the context argument and drops attributes for GPU code generation.
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

  /// Drops attributes that rewriting the body needed. Those that make the function a kernel stay for launches in the
  /// same module.
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

  /// Inserts the argument by hand, as FunctionOpInterface::insertArgument() fails for an llvm.func that returns void.
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

  /// Creates `@kernel__simt`, from the kernel's own signature, and `@kernel__simt_static_shared`. If the kernel demands
  /// a cluster size, it creates `@kernel__simt_cluster`; if it bounds the threads, `@kernel__simt_thread_bounds`.
  LogicalResult createEntry(LLVM::LLVMFuncOp kernel, const SimtSharedLayout& layout, SymbolTable& symbols) {
    if (!isa<LLVM::LLVMVoidType>(kernel.getFunctionType().getReturnType()))
      return kernel.emitError("a kernel must not return a value");
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
    exportThreadBounds(kernel, builder, symbols);
    exportNames(kernel, builder, symbols);
    if (auto cluster = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getClusterDimAttrName()))
      createClusterSize(kernel, cluster.asArrayRef(), builder, symbols);
    return success();
  }

  /// Adds the kernel's simt::ThreadBounds to the module, if it has any.
  void exportThreadBounds(LLVM::LLVMFuncOp kernel, ImplicitLocOpBuilder& builder, SymbolTable& symbols) {
    auto required = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getReqntidAttrName());
    auto most = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getMaxntidAttrName());
    if (!required && !most) return;
    SmallVector<int32_t> words(3, 0);
    if (required) {
      words.assign(3, 1);
      llvm::copy(required.asArrayRef().take_front(3), words.begin());
    }
    int64_t threads = most ? 1 : 0;
    if (most)
      for (int32_t extent : most.asArrayRef()) threads = std::min<int64_t>(threads * extent, INT32_MAX);
    words.push_back(static_cast<int32_t>(threads));
    auto global = LLVM::GlobalOp::create(
        builder, LLVM::LLVMArrayType::get(builder.getI32Type(), words.size()), /*isConstant=*/true,
        LLVM::Linkage::External, (kernel.getSymName() + simt::kThreadBoundsSuffix).str(),
        DenseElementsAttr::get(RankedTensorType::get({4}, builder.getI32Type()), ArrayRef<int32_t>(words)));
    symbols.insert(global);
  }

  /// Adds what the kernel calls its barriers and warps (kNamesAttrName) to the module.
  static void exportNames(LLVM::LLVMFuncOp kernel, ImplicitLocOpBuilder& builder, SymbolTable& symbols) {
    auto lines = kernel->getAttrOfType<ArrayAttr>(kNamesAttrName);
    if (!lines) return;
    std::string text;
    for (auto line : lines.getAsRange<StringAttr>()) (text += line.getValue()) += '\n';
    text += '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    auto names = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::External,
                                        (kernel.getSymName() + simt::kNamesSuffix).str(), builder.getStringAttr(text));
    symbols.insert(names);
  }

  /// Creates `@kernel__simt_cluster`; extents that the attribute leaves out are 1.
  static void createClusterSize(LLVM::LLVMFuncOp kernel, ArrayRef<int32_t> blocks, ImplicitLocOpBuilder& builder,
                                SymbolTable& symbols) {
    SmallVector<int32_t, 3> extents(blocks);
    extents.resize(3, 1);
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), extents.size());
    auto size =
        LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::External,
                               (kernel.getSymName() + simt::kClusterSuffix).str(), builder.getI32TensorAttr(extents));
    symbols.insert(size);
  }

  /// Loads a parameter. One passed by value in memory is used in place, so the kernel must not write it.
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
