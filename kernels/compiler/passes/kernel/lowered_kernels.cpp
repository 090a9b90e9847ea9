// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small passes on kernels around convert-gpu-to-nvvm: numbers of program points before it; checks, libdevice calls and
// fences of atomics after it.
#include "kernels/compiler/passes/kernel/passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKKERNELSLOWEREDPASS
#define GEN_PASS_DEF_REPLACELIBDEVICECALLSPASS
#define GEN_PASS_DEF_ORDERATOMICSPASS
#define GEN_PASS_DEF_NUMBERPROGRAMPOINTSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr uint64_t kMaxGlobalBytes = (uint64_t{1} << 31) - 1;

/// Returns the size of a global's type, or the largest number for a larger one.
uint64_t bytesOf(Type type, const DataLayout& layout) {
  uint64_t count = 1;
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    count = llvm::SaturatingMultiply(count, uint64_t{array.getNumElements()});
    type = array.getElementType();
  }
  return llvm::SaturatingMultiply(count, uint64_t{layout.getTypeSize(type).getFixedValue()});
}

struct CheckKernelsLowered : impl::CheckKernelsLoweredPassBase<CheckKernelsLowered> {
  void runOnOperation() override {
    bool found = false;
    const DataLayout layout(getOperation());
    getOperation().walk([&](Operation* op) {
      if (auto global = dyn_cast<LLVM::GlobalOp>(op)) found |= failed(checkGlobalSize(global, layout));
      if (op == getOperation() || isa<UnrealizedConversionCastOp>(op) ||
          isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
        return;
      found = true;
      op->emitError("'") << op->getName()
                         << "' in a kernel has no lowering here: lower it to operations of gpu, nvgpu, nvvm, memref, "
                            "vector, affine, scf, arith or math first";
    });
    if (found) signalPassFailure();
  }
};

constexpr StringLiteral kPrefix = "__nv_";

/// Masks of llvm.is.fpclass: signalling and quiet NaN; both infinities; all finite classes.
constexpr uint32_t kNan = 0x003, kInfinite = 0x204, kFinite = 0x1f8;

/// Returns the LLVM intrinsic of a function, without its type, if PTX has an instruction for it; else empty.
StringRef intrinsicFor(StringRef base) {
  constexpr StringLiteral kSame[] = {"ceil", "copysign", "fabs", "floor", "fma", "rint", "round", "sqrt", "trunc"};
  if (llvm::is_contained(kSame, base)) return base;
  return llvm::StringSwitch<StringRef>(base).Case("fmax", "maxnum").Case("fmin", "minnum").Default("");
}

/// Replaces one call, or leaves it unchanged.
class CallRewriter {
 public:
  explicit CallRewriter(LLVM::CallOp call) : call(call), builder(call.getLoc(), call) {}

  void run() {
    StringRef name = call.getCallee()->drop_front(kPrefix.size());
    if (call.getNumOperands() == 0) return;
    type = call.getOperand(0).getType();
    if (name == "abs" && type.isInteger())
      return replace(LLVM::AbsOp::create(builder, type, call.getOperand(0), /*is_int_min_poison=*/false));
    if (!type.isF32() && !type.isF64()) return;
    if (std::optional<uint32_t> mask = classMask(name)) return replaceByClassTest(*mask);
    if (type.isF32()) name.consume_back("f");
    if (StringRef intrinsic = intrinsicFor(name); !intrinsic.empty())
      return replace(createIntrinsic(intrinsic, call.getOperands()));
    if (name != "rsqrt") return;
    Value one = LLVM::ConstantOp::create(builder, builder.getFloatAttr(type, 1.0));
    replace(LLVM::FDivOp::create(builder, one, createIntrinsic("sqrt", call.getOperands())));
  }

 private:
  static std::optional<uint32_t> classMask(StringRef name) {
    return llvm::StringSwitch<std::optional<uint32_t>>(name)
        .Cases({"isnanf", "isnand"}, kNan)
        .Cases({"isinff", "isinfd"}, kInfinite)
        .Cases({"finitef", "isfinited"}, kFinite)
        .Default(std::nullopt);
  }

  Value createIntrinsic(StringRef base, ValueRange operands) {
    std::string name = ("llvm." + base + (type.isF32() ? ".f32" : ".f64")).str();
    return LLVM::CallIntrinsicOp::create(builder, type, builder.getStringAttr(name), operands).getResults();
  }

  void replaceByClassTest(uint32_t mask) {
    Value test = LLVM::IsFPClass::create(builder, builder.getI1Type(), call.getOperand(0), mask);
    replace(LLVM::ZExtOp::create(builder, call.getResult().getType(), test));
  }

  void replace(Value value) {
    call.replaceAllUsesWith(ValueRange{value});
    call.erase();
  }

  LLVM::CallOp call;
  ImplicitLocOpBuilder builder;
  Type type;  ///< The type of the first operand.
};

struct ReplaceLibdeviceCalls : impl::ReplaceLibdeviceCallsPassBase<ReplaceLibdeviceCalls> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (isLibdeviceFunction(function)) functions.push_back(function);
    if (functions.empty()) return;
    SmallVector<LLVM::CallOp> calls;
    getOperation().walk([&](LLVM::CallOp call) {
      if (call.getCallee() && llvm::is_contained(functions, symbols.lookup(*call.getCallee()))) calls.push_back(call);
    });
    for (LLVM::CallOp call : calls) CallRewriter(call).run();
    for (LLVM::LLVMFuncOp function : functions)
      if (SymbolTable::symbolKnownUseEmpty(function, getOperation())) symbols.erase(function);
  }
};

using LLVM::AtomicOrdering;

/// Adds fences around an atomic update by the mapping of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model"
/// (Lustig et al., ASPLOS 2019): a release fence before it, an acquire fence after it.
void addFences(LLVM::AtomicRMWOp atomic) {
  const AtomicOrdering order = atomic.getOrdering();
  const bool both = order == AtomicOrdering::acq_rel || order == AtomicOrdering::seq_cst;
  const StringRef scope = atomic.getSyncscope().value_or("");
  OpBuilder builder(atomic);
  if (both || order == AtomicOrdering::release)
    LLVM::FenceOp::create(builder, atomic.getLoc(), order == AtomicOrdering::seq_cst ? order : AtomicOrdering::release,
                          scope);
  builder.setInsertionPointAfter(atomic);
  if (both || order == AtomicOrdering::acquire)
    LLVM::FenceOp::create(builder, atomic.getLoc(), AtomicOrdering::acquire, scope);
  atomic.setOrdering(AtomicOrdering::monotonic);
}

struct OrderAtomics : impl::OrderAtomicsPassBase<OrderAtomics> {
  void runOnOperation() override {
    getOperation().walk([](LLVM::AtomicRMWOp atomic) {
      if (atomic.getOrdering() > AtomicOrdering::monotonic) addFences(atomic);
    });
  }
};

struct NumberProgramPoints : impl::NumberProgramPointsPassBase<NumberProgramPoints> {
  void runOnOperation() override {
    Builder builder(&getContext());
    int64_t number = 0;
    getOperation().walk([&](Operation* op) {
      if (!isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect>(op->getDialect())) return;
      if (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op))
        op->setAttr("program_point", builder.getI64IntegerAttr(number++));
    });
  }
};

}  // namespace

LogicalResult checkGlobalSize(LLVM::GlobalOp global, const DataLayout& layout) {
  const uint64_t bytes = bytesOf(global.getGlobalType(), layout);
  if (bytes <= kMaxGlobalBytes) return success();
  return global.emitError("a constant or global of ")
         << bytes << " bytes is too large for an object file, which allows " << kMaxGlobalBytes
         << " bytes: pass it as an argument, or compute it";
}

bool isLibdeviceFunction(LLVM::LLVMFuncOp function) {
  return function.isExternal() && function.getSymName().starts_with(kPrefix);
}

}  // namespace mmtune
