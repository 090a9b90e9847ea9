// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builders for the pass convert-nvvm-to-simt, which rewrites kernels in the NVVM dialect for the SIMT device. There a
// GPU thread is a fiber on the CPU, and NVVM operations become calls of the device's runtime with the thread's context:
//
//   nvvm.barrier0        ->  llvm.call @mmtune_simt_...(%context, %site)
//
// %site is the number that identifies the operation in reports (kernels/simulator/abi/abi.h).
//
// SimtModuleState holds the state of a module and SimtFunction that of a function. SimtEmitter rewrites one operation.
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

/// State that the functions of a module share while they are rewritten. It must outlive their SimtFunction objects.
struct SimtModuleState {
  const SimtSharedLayout& layout;  ///< The offsets of the module's variables in shared memory.
  mlir::SymbolTable& symbols;
  SimtSites* sites = nullptr;                     ///< Numbers operations for reports; null without race detection.
  llvm::StringMap<mlir::LLVM::GlobalOp> warpOps;  ///< Constants that describe warp operations, by their contents.
  llvm::SmallPtrSet<mlir::Operation*, 16> runtimeFunctions;  ///< Declared functions of the runtime.
};

/// A function that is being rewritten. Its first argument is the thread's context.
class SimtFunction {
 public:
  using Value = mlir::Value;

  SimtFunction(mlir::LLVM::LLVMFuncOp function, SimtModuleState& module);

  mlir::LLVM::LLVMFuncOp op() { return function; }
  SimtModuleState& state() { return module; }
  /// True if the code reports its memory accesses, for race detection.
  bool reportsAccesses() const { return module.sites != nullptr; }
  /// True if it also reports branches and loop iterations, for profiles.
  bool profiles() const { return reportsAccesses() && module.sites->arePerOperation(); }
  /// Returns the number of registers with which each thread of a kernel starts, if setmaxnreg has an effect in the
  /// kernel. Otherwise returns nothing: ptxas ignores setmaxnreg unless the kernel declares its most registers
  /// (maxnreg), or both its threads and its resident blocks.
  std::optional<int64_t> registersAtEntry() const { return entryRegisters; }
  /// Returns the thread's context.
  Value context() { return function.getArgument(0); }

  /// Returns the context's field at the byte offset `offset`. It is loaded once, at the function's entry, because it is
  /// constant while a thread runs.
  Value contextField(size_t offset, mlir::Type type);

  /// Returns the declaration of the runtime's function `name`.
  mlir::LLVM::LLVMFuncOp runtimeFunction(llvm::StringRef name, mlir::Type result, mlir::TypeRange parameters);

  /// Stack memory for the operands (`in`) and results (`out`) of one runtime call, in 32-bit words.
  struct Words {
    Value in, out;
  };
  /// Returns memory for `in` and `out` words. Calls with few words share the same memory, which keeps the stacks of
  /// fibers small.
  Words words(size_t in, size_t out);

 private:
  /// Stack memory, as large as the largest request so far.
  struct Buffer {
    mlir::LLVM::ConstantOp size;
    Value words;
  };
  Value grow(Buffer& buffer, size_t words);
  mlir::ImplicitLocOpBuilder atEntry();

  mlir::LLVM::LLVMFuncOp function;
  SimtModuleState& module;
  std::optional<int64_t> entryRegisters;
  llvm::DenseMap<size_t, Value> fields;
  Buffer common, wideIn, wideOut;
  Value commonOut;  ///< The second half of `common`.
};

/// Returns the kind of a memory fence: for the threads of the block only (.cta) if `isOfBlock` is true, otherwise for
/// all threads.
inline simt::FenceKind memoryFence(bool isOfBlock) {
  return isOfBlock ? simt::FenceKind::kBlockMemory : simt::FenceKind::kMemory;
}

/// Reports "<what> is not supported on the SIMT device" at `op`, and returns failure.
mlir::LogicalResult unsupportedOnSimt(mlir::Operation* op, const llvm::Twine& what);

/// Rewrites one operation. Code is emitted before the operation.
class SimtEmitter {
 public:
  using Value = mlir::Value;

  SimtEmitter(mlir::Operation* op, SimtFunction& function) : op(op), function(function), builder(op->getLoc(), op) {}

  // Return constants.
  Value i32(int64_t value);
  Value i64(int64_t value) { return mlir::LLVM::ConstantOp::create(builder, builder.getI64Type(), value); }
  /// Returns `value`, or the i32 0 if it is null.
  Value orZero(Value value) { return value ? value : i32(0); }
  /// Emits the constant that identifies the operation in reports; 0 without race detection.
  Value site();
  /// Zero-extends `value` to i64.
  Value zeroExtended(Value value) {
    return value.getType().isInteger(64) ? value
                                         : mlir::LLVM::ZExtOp::create(builder, builder.getI64Type(), value).getResult();
  }
  /// Casts `pointer` to the default address space.
  Value generic(Value pointer);

  /// Emits the call `name(context, arguments...)`. Pointers are cast to the default address space.
  Value call(llvm::StringRef name, llvm::ArrayRef<Value> arguments, mlir::Type result = {});
  /// Replaces an operation without results by call(name, arguments).
  mlir::LogicalResult replaceByCall(llvm::StringRef name, llvm::ArrayRef<Value> arguments) {
    call(name, arguments);
    return erase();
  }
  /// Replaces the operation by `value`.
  mlir::LogicalResult replace(Value value) const {
    op->replaceAllUsesWith(mlir::ValueRange{value});
    return erase();
  }
  mlir::LogicalResult erase() const {
    op->erase();
    return mlir::success();
  }
  /// Reports the operation as not supported, and returns failure.
  mlir::LogicalResult unsupported(const llvm::Twine& what) const { return unsupportedOnSimt(op, what); }

  /// Emits a branch so that the operation, which must have no result, executes only if `predicate` is true. Does
  /// nothing if `predicate` is null.
  void guard(Value predicate);

  mlir::Operation* op;
  SimtFunction& function;
  mlir::ImplicitLocOpBuilder builder;
};

/// Returns the number that the runtime uses for the enumerator `kind` of NVVM. `modes` has an entry for every
/// enumerator.
template <typename Kind, typename Mode, size_t N>
uint32_t modeOf(Kind kind, const std::pair<Kind, Mode> (&modes)[N]) {
  const auto* entry = llvm::find_if(modes, [&](const auto& candidate) { return candidate.first == kind; });
  if (entry == std::end(modes)) llvm::report_fatal_error("the SIMT device has no mode of this kind");
  return static_cast<uint32_t>(entry->second);
}

}  // namespace mmtune
