// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/kernel/libdevice_calls.h"

#include "kernels/compiler/passes/kernel/passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_REPLACELIBDEVICECALLSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

constexpr StringLiteral kPrefix = "__nv_";

/// Masks of llvm.is.fpclass: signalling and quiet NaN; both infinities; all others.
constexpr uint32_t kNan = 0x003, kInfinite = 0x204, kFinite = 0x1f8;

/// The intrinsic of LLVM that a function is, without its type, where PTX has instructions for it; else empty.
StringRef intrinsicFor(StringRef base) {
  constexpr StringLiteral kSame[] = {"ceil", "copysign", "fabs", "floor", "fma", "rint", "round", "sqrt", "trunc"};
  if (llvm::is_contained(kSame, base)) return base;
  return llvm::StringSwitch<StringRef>(base).Case("fmax", "maxnum").Case("fmin", "minnum").Default("");
}

/// Replaces one call, or leaves it as it is.
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
  Type type;  ///< Of the first operand.
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

}  // namespace

bool isLibdeviceFunction(LLVM::LLVMFuncOp function) {
  return function.isExternal() && function.getSymName().starts_with(kPrefix);
}

}  // namespace mmtune
