// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr unsigned char kBitcode[] = {
#include "kernels/compiler/codegen/device_math.inc"
};

constexpr llvm::StringLiteral kPrefix = "__nv_";
constexpr llvm::StringLiteral kFastPrefix = "__nv_fast_";

llvm::MemoryBufferRef bitcode() {
  return {llvm::StringRef(reinterpret_cast<const char*>(kBitcode), sizeof(kBitcode)), "device math"};
}

/// Returns the library function of an instruction, without the suffix of f32; empty where targets have instructions for
/// it.
llvm::StringRef functionOf(const llvm::Instruction& instruction) {
  const auto* call = dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return "";
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::acos:
      return "acos";
    case llvm::Intrinsic::asin:
      return "asin";
    case llvm::Intrinsic::atan:
      return "atan";
    case llvm::Intrinsic::atan2:
      return "atan2";
    case llvm::Intrinsic::cos:
      return "cos";
    case llvm::Intrinsic::cosh:
      return "cosh";
    case llvm::Intrinsic::exp:
      return "exp";
    case llvm::Intrinsic::exp2:
      return "exp2";
    case llvm::Intrinsic::log:
      return "log";
    case llvm::Intrinsic::log10:
      return "log10";
    case llvm::Intrinsic::log2:
      return "log2";
    case llvm::Intrinsic::pow:
      return "pow";
    case llvm::Intrinsic::powi:
      return "powi";
    case llvm::Intrinsic::sin:
      return "sin";
    case llvm::Intrinsic::sinh:
      return "sinh";
    case llvm::Intrinsic::tan:
      return "tan";
    case llvm::Intrinsic::tanh:
      return "tanh";
    default:
      return "";
  }
}

/// Calls `function` with the operands of `instruction`: element by element of a vector, and in f32 for elements of 16
/// bits.
llvm::Value* createCall(llvm::IRBuilder<>& builder, llvm::Module& module, llvm::StringRef function, llvm::Type* type,
                        llvm::ArrayRef<llvm::Value*> operands) {
  if (auto* vector = dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value* result = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::SmallVector<llvm::Value*> elements;
      for (llvm::Value* operand : operands)
        elements.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, i) : operand);
      result = builder.CreateInsertElement(
          result, createCall(builder, module, function, vector->getElementType(), elements), i);
    }
    return result;
  }
  llvm::Type* computed = type->isDoubleTy() ? type : builder.getFloatTy();
  llvm::SmallVector<llvm::Value*> values;
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands) {
    values.push_back(operand->getType() == type ? builder.CreateFPExt(operand, computed) : operand);
    types.push_back(values.back()->getType());
  }
  llvm::Value* result =
      builder.CreateCall(module.getOrInsertFunction((kPrefix + function + (type->isDoubleTy() ? "" : "f")).str(),
                                                    llvm::FunctionType::get(computed, types, false)),
                         values);
  return builder.CreateFPTrunc(result, type);
}

/// Calls the library in place of instructions that a target would approximate or take from its own library.
void callFunctions(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::StringRef name = functionOf(instruction);
      llvm::Type* element = instruction.getType()->getScalarType();
      if (name.empty() ||
          !(element->isHalfTy() || element->isBFloatTy() || element->isFloatTy() || element->isDoubleTy()))
        continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::SmallVector<llvm::Value*> operands(cast<llvm::CallBase>(instruction).args());
      instruction.replaceAllUsesWith(createCall(builder, module, name, instruction.getType(), operands));
      instruction.eraseFromParent();
    }
  }
}

/// Returns InvalidArgument unless the library has every function of `calls`, with its type.
absl::Status checkCalls(llvm::ArrayRef<llvm::Function*> calls, const llvm::Module& library) {
  std::vector<std::string> missing, different;
  for (llvm::Function* called : calls) {
    const llvm::Function* function = library.getFunction(called->getName());
    if (!function)
      missing.push_back(called->getName().str());
    else if (function->getFunctionType() != called->getFunctionType())
      different.push_back(called->getName().str());
  }
  if (!missing.empty()) {
    return InvalidArgument(absl::StrCat("a call of ", absl::StrJoin(missing, ", "),
                                        ", which is not defined: libdevice functions exist only for the operations "
                                        "of the math dialect"));
  }
  if (!different.empty())
    return InvalidArgument(
        absl::StrCat(absl::StrJoin(different, ", "), " is declared with another type than libdevice has"));
  return absl::OkStatus();
}

/// Replaces calls of fast forms, whose approximations differ between devices, by the exact function.
void callExactForms(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front(kFastPrefix)) continue;
    function.replaceAllUsesWith(
        module.getOrInsertFunction((kPrefix + name).str(), function.getFunctionType()).getCallee());
    function.eraseFromParent();
  }
}

/// Fixes the arithmetic that the library leaves to a target: whether multiply-adds are fused, and the integer for a
/// float out of range.
void fixArithmetic(llvm::Function& function) {
  for (llvm::StringRef attribute : {"target-features", "frame-pointer", "stack-protector-buffer-size"})
    function.removeFnAttr(attribute);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (isa<llvm::FPMathOperator>(instruction)) {
      instruction.copyFastMathFlags(llvm::FastMathFlags());  // setFastMathFlags() adds.
      instruction.setMetadata(llvm::LLVMContext::MD_fpmath, nullptr);
    }
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value* exact = nullptr;
    if (auto* call = dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
      exact = builder.CreateIntrinsic(llvm::Intrinsic::fma, {call->getType()},
                                      {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)});
    } else if (isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) {
      const auto saturating =
          isa<llvm::FPToSIInst>(instruction) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
      llvm::Value* number = instruction.getOperand(0);
      exact = builder.CreateIntrinsic(saturating, {instruction.getType(), number->getType()}, {number});
    }
    if (!exact) continue;
    instruction.replaceAllUsesWith(exact);
    instruction.eraseFromParent();
  }
}

}  // namespace

absl::Status linkDeviceMath(llvm::Module& module) {
  callFunctions(module);
  callExactForms(module);
  std::vector<llvm::Function*> calls;
  llvm::SmallPtrSet<llvm::Function*, 16> own;
  for (llvm::Function& function : module) {
    own.insert(&function);
    if (function.isDeclaration() && function.getName().starts_with(kPrefix) && !function.use_empty())
      calls.push_back(&function);
  }
  if (calls.empty()) return absl::OkStatus();

  llvm::Expected<std::unique_ptr<llvm::Module>> library = llvm::getLazyBitcodeModule(bitcode(), module.getContext());
  if (!library)
    return Internal(absl::StrCat("cannot read the libdevice functions: ", llvm::toString(library.takeError())));
  RETURN_IF_ERROR(checkCalls(calls, **library));
  for (llvm::Function* called : calls) own.erase(called);
  for (llvm::NamedMDNode& notes : llvm::make_early_inc_range((*library)->named_metadata())) notes.eraseFromParent();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return Internal("cannot link the libdevice functions into the kernels");
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || own.contains(&function)) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    fixArithmetic(function);
  }
  return absl::OkStatus();
}

}  // namespace mmtune
