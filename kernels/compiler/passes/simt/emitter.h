// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders that the steps of convert-nvvm-to-simt share: the state of a module, a function and one operation.
#pragma once

#include "kernels/compiler/passes/simt/module_tables.h"
#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// State that the functions of a module share while they are rewritten; outlives them.
struct SimtModuleState {
  const SimtSharedLayout& layout;
  mlir::SymbolTable& symbols;
  SimtSites* sites = nullptr;                                ///< Null without race detection.
  llvm::StringMap<mlir::LLVM::GlobalOp> warpOps;             ///< Keyed by contents.
  llvm::SmallPtrSet<mlir::Operation*, 16> runtimeFunctions;  ///< The declared functions of the runtime.
};

/// A function that is being rewritten for the SIMT device; its first argument is the thread's context.
class SimtFunction {
 public:
  using Value = mlir::Value;

  SimtFunction(mlir::LLVM::LLVMFuncOp function, SimtModuleState& module) : function(function), module(module) {}

  mlir::LLVM::LLVMFuncOp op() { return function; }
  SimtModuleState& state() { return module; }
  /// True if the code reports its accesses, for race detection.
  bool isWatched() const { return module.sites != nullptr; }
  /// True if it reports branches and loop iterations, too, for profiling.
  bool profiles() const { return isWatched() && module.sites->arePerOperation(); }
  Value context() { return function.getArgument(0); }

  /// Returns the context's field, loaded once at the function's entry: it is constant while a thread runs.
  Value contextField(size_t offset, mlir::Type type);

  /// Returns the declaration of the runtime's function `name`.
  mlir::LLVM::LLVMFuncOp runtimeFunction(llvm::StringRef name, mlir::Type result, mlir::TypeRange parameters);

  /// Stack words for the operands and results of one runtime call. Calls that fit share the same words, which keeps a
  /// fiber's hot stack small.
  struct Words {
    Value in, out;
  };
  Words words(size_t in, size_t out);

 private:
  /// Stack words, as many as the largest request.
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

/// Reports "<what> is not supported on the SIMT device" at `op`.
mlir::LogicalResult unsupportedOnSimt(mlir::Operation* op, const llvm::Twine& what);

/// Emits the replacement of one operation.
class SimtEmitter {
 public:
  using Value = mlir::Value;

  SimtEmitter(mlir::Operation* op, SimtFunction& function) : op(op), function(function), builder(op->getLoc(), op) {}

  Value i32(int64_t value);
  Value i64(int64_t value) { return mlir::LLVM::ConstantOp::create(builder, builder.getI64Type(), value); }
  Value orZero(Value value) { return value ? value : i32(0); }
  /// Returns the constant that identifies the operation in reports.
  Value site();
  /// Zero-extends `value` to i64.
  Value zeroExtended(Value value) {
    return value.getType().isInteger(64) ? value
                                         : mlir::LLVM::ZExtOp::create(builder, builder.getI64Type(), value).getResult();
  }
  /// Casts `pointer` to the default address space.
  Value generic(Value pointer);

  /// Calls `name(context, arguments...)`, pointers cast to the default address space.
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

  /// Moves the operation, which has no result, under a branch on `predicate`; does nothing when that is null.
  void guard(Value predicate);

  mlir::Operation* op;
  SimtFunction& function;
  mlir::ImplicitLocOpBuilder builder;
};

/// Returns the runtime's number for NVVM's `kind`; `modes` lists every kind.
template <typename Kind, typename Mode, size_t N>
uint32_t modeOf(Kind kind, const std::pair<Kind, Mode> (&modes)[N]) {
  const auto* entry = llvm::find_if(modes, [&](const auto& candidate) { return candidate.first == kind; });
  if (entry == std::end(modes)) llvm::report_fatal_error("the SIMT device has no mode of this kind");
  return static_cast<uint32_t>(entry->second);
}

}  // namespace mmtune
