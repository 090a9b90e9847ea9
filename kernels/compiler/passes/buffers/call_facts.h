// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls inside a module tell of the memory that its functions use.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// Whether a buffer comes out of a call that allocates it, so that nothing else has it. Functions
/// that the module only declares are taken to do so.
bool isFreshResult(mlir::Value root);

/// The calls of each private function of a module, found by one walk. Valid while no calls come or go.
class PrivateCalls {
 public:
  explicit PrivateCalls(mlir::ModuleOp module);

  /// Empty where something else refers to the function, or others than the module may.
  llvm::ArrayRef<mlir::func::CallOp> of(mlir::func::FuncOp function) const {
    auto found = calls.find(function);
    return found == calls.end() ? llvm::ArrayRef<mlir::func::CallOp>() : llvm::ArrayRef(found->second);
  }

 private:
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::func::CallOp>> calls;
};

/// Whether a value is a memref of a global that nothing may write.
bool isConstantGlobal(mlir::Value value);

/// Uses a constant global by its own name in a private function that every call passes it, so that it is seen to be a
/// constant there. The argument goes. One that the function may write, return or hand to what is not known stays, and
/// so does one that functions which call each other pass around.
void nameConstantArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Uses one argument for several of a private function that every call passes the same value, so that a kernel that
/// takes them is seen to take one buffer. The others stay, without uses.
void joinEqualArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Made once, before functions are converted. Of callers outside the module, and of functions that
/// it only declares, it is assumed that they pass and return memory that overlaps no other's.
class CallFacts {
 public:
  explicit CallFacts(mlir::ModuleOp module);

  /// The function, or one that it calls, uses a global that is not constant.
  bool touchesGlobals(mlir::func::FuncOp function) const { return touching.contains(function); }

  /// A call passes the argument together with what may overlap it: as another argument, or as a
  /// global that the function uses.
  bool isShared(mlir::BlockArgument argument) const { return shared.contains(argument); }

 private:
  void findTouching(mlir::ModuleOp module);
  bool spreadTouching(mlir::func::FuncOp function);
  void findShared(mlir::ModuleOp module);
  bool shareArguments(mlir::func::CallOp call, mlir::func::FuncOp callee);
  bool mayOverlap(mlir::Value a, mlir::Value b) const;
  bool mayBeGlobal(mlir::Value root) const;

  mlir::SymbolTableCollection symbols;
  llvm::DenseSet<mlir::Operation*> touching;
  llvm::DenseSet<mlir::Value> shared;
};

/// The arguments of functions that a call gives memory of gpu.alloc, and the results of calls that
/// return such memory. Memory for both (host_shared) is taken for the host's. Functions that the
/// module only declares know what they are given. Made once, before functions are converted.
class DeviceValues {
 public:
  explicit DeviceValues(mlir::ModuleOp module);

  /// Fails, with diagnostics, where the same argument or result is the host's memory at another
  /// place, and where callers outside the module would have to know.
  mlir::LogicalResult check();

  bool contains(mlir::Value root) const { return device.contains(root); }

 private:
  mlir::func::FuncOp calleeOf(mlir::func::CallOp call);
  bool isDevice(mlir::Value value) const;
  bool isHost(mlir::Value value) const;
  bool spread(mlir::func::CallOp call);
  bool hasUnknownCallers(mlir::func::FuncOp function) const;
  mlir::LogicalResult check(mlir::func::CallOp call);

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  llvm::DenseSet<mlir::Value> device;
};

}  // namespace mmtune
