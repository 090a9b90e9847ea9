// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the memory that functions of a module use, derived from the calls between them.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// True for the result of a call that allocates it, so that nothing else refers to it. False for a function that is
/// only declared here, as it may keep a reference.
bool isFreshResult(mlir::Value root);

/// The calls of each private function of a module, found by one walk. Valid while no calls are added or removed.
class PrivateCalls {
 public:
  explicit PrivateCalls(mlir::ModuleOp module);

  /// Returns the calls; empty where anything but calls refers to the function, or it is visible outside the module.
  llvm::ArrayRef<mlir::func::CallOp> of(mlir::func::FuncOp function) const {
    auto found = calls.find(function);
    return found == calls.end() ? llvm::ArrayRef<mlir::func::CallOp>() : llvm::ArrayRef(found->second);
  }

 private:
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::func::CallOp>> calls;
};

/// True for a memref of a global that nothing may write.
bool isConstantGlobal(mlir::Value value);

/// Replaces an argument of a private function by the constant global that every call passes for it, so that the
/// function sees a constant. Keeps an argument that the function may write, return or pass to unknown code, and one
/// that mutually recursive functions pass around.
void nameConstantArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Replaces several arguments of a private function by one where every call passes the same value for them, so that a
/// kernel that takes them is seen to take one buffer. The others stay, without uses.
void joinEqualArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Which functions use globals, and which arguments may overlap. Created once, before functions are converted. Assumes
/// that callers outside the module, and functions that it only declares, pass and return memory that does not overlap.
class CallFacts {
 public:
  explicit CallFacts(mlir::ModuleOp module);

  /// True if the function, or one that it calls, uses a global that is not constant.
  bool touchesGlobals(mlir::func::FuncOp function) const { return touching.contains(function); }

  /// True if a call passes the argument along with memory that may overlap it: another argument, or a global that the
  /// function uses.
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

/// Function arguments for which some call passes memory of gpu.alloc, and results of calls that return such memory.
/// Memory of gpu.alloc host_shared counts as the host's. Functions that the module only declares accept either. Created
/// once, before functions are converted.
class DeviceValues {
 public:
  explicit DeviceValues(mlir::ModuleOp module);

  /// Fails with diagnostics where the same argument or result is host memory in another call, and where callers outside
  /// the module would have to pass device memory.
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
