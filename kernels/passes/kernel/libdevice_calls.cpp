// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/kernel/libdevice_calls.h"

#include "kernels/passes/kernel/passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_REPLACELIBDEVICECALLSPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

constexpr StringLiteral kPrefix = "__nv_";
constexpr StringLiteral kFastPrefix = "fast_";

/// Masks of llvm.is.fpclass: signalling and quiet NaN; both infinities; all others.
constexpr uint32_t kNan = 0x003, kInfinite = 0x204, kFinite = 0x1f8;

/// The intrinsic of LLVM that computes the same, without its type; empty when there is none.
StringRef intrinsicFor(StringRef base) {
  constexpr StringLiteral kSame[] = {"acos",  "asin", "atan",  "atan2", "ceil", "copysign", "cos",  "cosh", "exp",
                                     "exp2",  "fabs", "floor", "fma",   "log",  "log10",    "log2", "pow",  "rint",
                                     "round", "sin",  "sinh",  "sqrt",  "tan",  "tanh",     "trunc"};
  if (llvm::is_contained(kSame, base)) return base;
  return llvm::StringSwitch<StringRef>(base).Case("fmax", "maxnum").Case("fmin", "minnum").Default("");
}

/// Whether the NVPTX backend has instructions for an intrinsic, and not a call.
bool hasPtxInstruction(StringRef intrinsic) {
  constexpr StringLiteral kIntrinsics[] = {"ceil",   "copysign", "fabs",  "floor", "fma",  "maxnum",
                                           "minnum", "rint",     "round", "sqrt",  "trunc"};
  return llvm::is_contained(kIntrinsics, intrinsic);
}

bool isInMathLibrary(StringRef base) {
  constexpr StringLiteral kFunctions[] = {"acosh", "asinh", "atanh", "cbrt", "erf", "erfc", "expm1", "log1p"};
  return llvm::is_contained(kFunctions, base);
}

/// Replaces one call.
class CallRewriter {
 public:
  CallRewriter(LLVM::CallOp call, MathSupport support, SymbolTable& symbols)
      : call(call), support(support), symbols(symbols), builder(call.getLoc(), call) {}

  LogicalResult run() {
    StringRef name = call.getCallee()->drop_front(kPrefix.size());
    name.consume_front(kFastPrefix);
    if (call.getNumOperands() == 0) return unknown();
    type = call.getOperand(0).getType();
    if (name == "abs" && type.isInteger())
      return replace(LLVM::AbsOp::create(builder, type, call.getOperand(0), /*is_int_min_poison=*/false));
    if (!type.isF32() && !type.isF64()) return unknown();
    if (std::optional<uint32_t> mask = classMask(name)) return replaceByClassTest(*mask);
    if (type.isF32()) name.consume_back("f");
    FailureOr<Value> result = compute(name);
    if (failed(result)) return unknown();
    return replace(*result);
  }

 private:
  static std::optional<uint32_t> classMask(StringRef name) {
    return llvm::StringSwitch<std::optional<uint32_t>>(name)
        .Cases({"isnanf", "isnand"}, kNan)
        .Cases({"isinff", "isinfd"}, kInfinite)
        .Cases({"finitef", "isfinited"}, kFinite)
        .Default(std::nullopt);
  }

  /// The value that the call gives; null for a call that gives none.
  FailureOr<Value> compute(StringRef base) {
    SmallVector<Value> operands(call.getOperands());
    if (StringRef intrinsic = intrinsicFor(base); !intrinsic.empty())
      return supports(intrinsic) ? createIntrinsic(intrinsic, operands) : FailureOr<Value>();
    if (base == "fmod") return LLVM::FRemOp::create(builder, operands[0], operands[1]).getResult();
    if (base == "rsqrt") {
      Value one = LLVM::ConstantOp::create(builder, builder.getFloatAttr(type, 1.0));
      return LLVM::FDivOp::create(builder, one, createIntrinsic("sqrt", operands)).getResult();
    }
    if (support == MathSupport::kPtx) return failure();
    if (isInMathLibrary(base)) return createLibraryCall(base, operands);
    if (base == "powi") {
      operands[1] = LLVM::SIToFPOp::create(builder, type, operands[1]);
      return createIntrinsic("pow", operands);
    }
    if (base == "sincos") {
      LLVM::StoreOp::create(builder, createIntrinsic("sin", operands[0]), operands[1]);
      LLVM::StoreOp::create(builder, createIntrinsic("cos", operands[0]), operands[2]);
      return Value();
    }
    return failure();
  }

  bool supports(StringRef intrinsic) const { return support == MathSupport::kHost || hasPtxInstruction(intrinsic); }

  Value createIntrinsic(StringRef base, ValueRange operands) {
    std::string name = ("llvm." + base + (type.isF32() ? ".f32" : ".f64")).str();
    return LLVM::CallIntrinsicOp::create(builder, type, builder.getStringAttr(name), operands).getResults();
  }

  FailureOr<Value> createLibraryCall(StringRef base, ValueRange operands) {
    std::string name = (base + (type.isF32() ? "f" : "")).str();
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (function && !function.isExternal()) return failure();
    if (!function) {
      OpBuilder declarations(symbols.getOp()->getRegion(0));
      SmallVector<Type> parameters(operands.size(), type);
      function =
          LLVM::LLVMFuncOp::create(declarations, call.getLoc(), name, LLVM::LLVMFunctionType::get(type, parameters));
      function.setNoUnwind(true);
      symbols.insert(function);
    }
    return LLVM::CallOp::create(builder, function, operands).getResult();
  }

  LogicalResult replaceByClassTest(uint32_t mask) {
    Value test = LLVM::IsFPClass::create(builder, builder.getI1Type(), call.getOperand(0), mask);
    return replace(LLVM::ZExtOp::create(builder, call.getResult().getType(), test));
  }

  LogicalResult replace(Value value) {
    if (value) call.replaceAllUsesWith(ValueRange{value});
    call.erase();
    return success();
  }

  LogicalResult unknown() {
    InFlightDiagnostic error = call.emitError("a call of '") << *call.getCallee() << "', which ";
    return support == MathSupport::kPtx
               ? error << "is part of libdevice and has no instruction in PTX"
               : error << "is no function that a host's math library has, is not supported on the SIMT device";
  }

  LLVM::CallOp call;
  MathSupport support;
  SymbolTable& symbols;
  ImplicitLocOpBuilder builder;
  Type type;  ///< Of the first operand.
};

struct ReplaceLibdeviceCalls : impl::ReplaceLibdeviceCallsPassBase<ReplaceLibdeviceCalls> {
  void runOnOperation() override {
    if (failed(replaceLibdeviceCalls(getOperation(), MathSupport::kPtx))) signalPassFailure();
  }
};

}  // namespace

bool isLibdeviceFunction(LLVM::LLVMFuncOp function) {
  return function.isExternal() && function.getSymName().starts_with(kPrefix);
}

LogicalResult replaceLibdeviceCalls(gpu::GPUModuleOp module, MathSupport support) {
  SymbolTable symbols(module);
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (isLibdeviceFunction(function)) functions.push_back(function);
  if (functions.empty()) return success();
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() && llvm::is_contained(functions, symbols.lookup(*call.getCallee()))) calls.push_back(call);
  });
  LogicalResult result = success();
  for (LLVM::CallOp call : calls)
    if (failed(CallRewriter(call, support, symbols).run())) result = failure();
  if (failed(result)) return failure();
  for (LLVM::LLVMFuncOp function : functions)
    if (SymbolTable::symbolKnownUseEmpty(function, module)) symbols.erase(function);
  return success();
}

}  // namespace mmtune
