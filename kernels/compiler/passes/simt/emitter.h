// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of convert-nvvm-to-simt rewrite a function's operations with.
#pragma once

#include "kernels/compiler/passes/simt/shared_layout.h"
#include "kernels/compiler/passes/simt/tables.h"
#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// What the functions of a module share while they are rewritten; outlives them.
struct SimtModuleState {
  const SimtSharedLayout& layout;
  mlir::SymbolTable& symbols;
  SimtSites* sites = nullptr;                                ///< Null outside watch mode.
  llvm::StringMap<mlir::LLVM::GlobalOp> warpOps;             ///< By contents.
  llvm::SmallPtrSet<mlir::Operation*, 16> runtimeFunctions;  ///< The runtime's, as far as they are called.
};

/// A function on its way to the SIMT device; its first argument is the thread's context.
class SimtFunction {
 public:
  using Value = mlir::Value;

  SimtFunction(mlir::LLVM::LLVMFuncOp function, SimtModuleState& module) : function(function), module(module) {}

  mlir::LLVM::LLVMFuncOp op() { return function; }
  SimtModuleState& state() { return module; }
  bool isWatched() const { return module.sites != nullptr; }
  bool profiles() const { return isWatched() && module.sites->arePerOperation(); }
  Value context() { return function.getArgument(0); }

  /// The context's field, loaded once at the function's entry: nothing changes it while a thread
  /// runs.
  Value contextField(size_t offset, mlir::Type type);

  /// The runtime's function of this name.
  mlir::LLVM::LLVMFuncOp runtimeFunction(llvm::StringRef name, mlir::Type result, mlir::TypeRange parameters);

  /// Words on the thread's stack for the operands and the results of one runtime call. All calls
  /// use the same few words, as far as they fit: a fiber's hot stack stays small.
  struct Words {
    Value in, out;
  };
  Words words(size_t in, size_t out);

 private:
  /// Words that grow to the largest number asked for.
  struct Buffer {
    mlir::LLVM::ConstantOp size;
    Value words;
  };
  Value grow(Buffer& buffer, size_t words);
  mlir::ImplicitLocOpBuilder atEntry();

  mlir::LLVM::LLVMFuncOp function;
  SimtModuleState& module;
  llvm::DenseMap<size_t, Value> fields;
  Buffer common, wideIn, wideOut;
  Value commonOut;  ///< The second half of `common`.
};

/// The error "<what> is not supported on the SIMT device" at `op`.
mlir::LogicalResult unsupportedOnSimt(mlir::Operation* op, const llvm::Twine& what);

/// Emits in place of one operation.
class SimtEmitter {
 public:
  using Value = mlir::Value;

  SimtEmitter(mlir::Operation* op, SimtFunction& function) : op(op), function(function), builder(op->getLoc(), op) {}

  Value i32(int64_t value);
  Value i64(int64_t value) { return mlir::LLVM::ConstantOp::create(builder, builder.getI64Type(), value); }
  Value orZero(Value value) { return value ? value : i32(0); }
  /// The constant that names the operation in reports.
  Value site();
  /// `value` as i64, its upper bits zero.
  Value zeroExtended(Value value) {
    return value.getType().isInteger(64) ? value
                                         : mlir::LLVM::ZExtOp::create(builder, builder.getI64Type(), value).getResult();
  }
  /// In the default address space.
  Value generic(Value pointer);

  /// `name(context, arguments...)`; pointers are passed in the default address space.
  Value call(llvm::StringRef name, llvm::ArrayRef<Value> arguments, mlir::Type result = {});
  /// Replaces an operation without results by such a call.
  mlir::LogicalResult replaceByCall(llvm::StringRef name, llvm::ArrayRef<Value> arguments) {
    call(name, arguments);
    return erase();
  }
  mlir::LogicalResult replace(Value value) const {
    op->replaceAllUsesWith(mlir::ValueRange{value});
    return erase();
  }
  mlir::LogicalResult erase() const {
    op->erase();
    return mlir::success();
  }
  mlir::LogicalResult unsupported(const llvm::Twine& what) const { return unsupportedOnSimt(op, what); }

  /// Puts the operation, which has no result, under a branch; nothing is done when `predicate` is
  /// null.
  void guard(Value predicate);

  mlir::Operation* op;
  SimtFunction& function;
  mlir::ImplicitLocOpBuilder builder;
};

/// The runtime's number for what NVVM calls `kind`; `modes` lists every kind.
template <typename Kind, typename Mode, size_t N>
uint32_t modeOf(Kind kind, const std::pair<Kind, Mode> (&modes)[N]) {
  const auto* entry = llvm::find_if(modes, [&](const auto& candidate) { return candidate.first == kind; });
  if (entry == std::end(modes)) llvm::report_fatal_error("the SIMT device has no mode of this kind");
  return static_cast<uint32_t>(entry->second);
}

}  // namespace mmtune
