// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory that crosses a call inside a module.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

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
