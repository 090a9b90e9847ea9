// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the memory that the functions of a module use, derived from the calls between them: which arguments may
// overlap, which are constants, and which are in device memory. The passes that place buffers on the device depend on
// these facts.
//
//   func.func private @f(%x: memref<4xf32>, %y: memref<4xf32>)
//   call @f(%a, %a)          ->  CallFacts: isShared(%x) and isShared(%y), as they overlap in this call
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// True if `root` is the result of a call whose function allocated it, so that nothing else refers to that memory.
/// False if the module only declares the function, because it may keep a reference.
bool isFreshResult(mlir::Value root);

/// The calls to each private function of a module, found by one walk. Valid until calls are added or removed.
class PrivateCalls {
 public:
  explicit PrivateCalls(mlir::ModuleOp module);

  /// Returns the calls to `function`. Returns none if anything but calls refers to the function, or if it is visible
  /// outside the module.
  llvm::ArrayRef<mlir::func::CallOp> of(mlir::func::FuncOp function) const {
    auto found = calls.find(function);
    return found == calls.end() ? llvm::ArrayRef<mlir::func::CallOp>() : llvm::ArrayRef(found->second);
  }

 private:
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::func::CallOp>> calls;
};

/// True for the result of memref.get_global of a global that nothing may write.
bool isConstantGlobal(mlir::Value value);

/// Replaces an argument of a private function by a constant global, if every call passes that global for it. Does not
/// replace an argument that the function may write, return or pass to unknown code, or that mutually recursive
/// functions pass to each other.
void propagateConstantArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Replaces several arguments of a private function by one of them, if each call passes the same value for all of them.
/// Later passes then see that a kernel which uses several of these arguments uses one buffer. The replaced arguments
/// remain, without uses.
void mergeEqualArguments(mlir::ModuleOp module, const PrivateCalls& calls);

/// Finds which functions use globals, and which arguments may overlap. In convert-memcpy-to-gpu, create it before the
/// first function is converted: conversion replaces buffers by device copies, so that later calls no longer show which
/// memory is meant. It assumes that external callers pass memory that does not overlap, and that functions that are
/// only declared return memory that does not overlap other memory.
class CallFacts {
 public:
  explicit CallFacts(mlir::ModuleOp module);

  /// True if the function, or a function that it calls, uses a global that is not constant.
  bool touchesGlobals(mlir::func::FuncOp function) const { return touching.contains(function); }

  /// True if some call passes the argument together with memory that may overlap it: another argument, or a global that
  /// the function uses.
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

/// The function arguments for which some call passes memory of gpu.alloc, and the results of calls that return such
/// memory. Memory of `gpu.alloc host_shared` counts as host memory. Functions that the module only declares may receive
/// both kinds of memory. Create the object before the first function is converted, for the same reason as CallFacts.
class DeviceValues {
 public:
  explicit DeviceValues(mlir::ModuleOp module);

  /// Fails with a diagnostic if an argument or result is device memory in one call and host memory in another. Fails,
  /// too, if callers outside the module would have to pass device memory.
  mlir::LogicalResult check();

  /// True if `root` is an argument or result that is device memory.
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
