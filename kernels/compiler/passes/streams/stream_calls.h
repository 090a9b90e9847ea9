// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of a function, as calls of the mgpu* functions that gpu-to-llvm declares too.
#pragma once

#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "mlir/IR/Builders.h"

namespace mmtune {

/// Streams are made at the function's entry, each when it is first asked for, so that they can be
/// used in every block and region of it.
class StreamCalls {
 public:
  explicit StreamCalls(mlir::func::FuncOp function);

  /// Fails, with a diagnostic, when the module has something else by the name of a function that
  /// would be called.
  mlir::LogicalResult check();

  /// gpu-to-llvm puts operations that depend on this token on the stream.
  mlir::Value token(unsigned stream);
  /// A token that nothing has to wait for.
  CompletedToken& completed() { return completedToken; }

  void synchronize(mlir::Operation* before, unsigned stream);
  /// An event behind `op`, the last operation on the stream so far.
  mlir::Value record(mlir::Operation* op, unsigned stream);
  /// Returns the call.
  mlir::Operation* wait(mlir::Operation* before, unsigned stream, mlir::Value event);
  /// The runtime keeps an event that is waited for until the wait is over.
  void destroyEvent(mlir::Operation* after, mlir::Value event);

  /// Destroys the streams at every return.
  void finish();

 private:
  struct Stream {
    mlir::Value pointer, token;
  };

  Stream& get(unsigned stream);
  mlir::Operation* call(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef name, mlir::ValueRange arguments);

  mlir::func::FuncOp function;
  mlir::ModuleOp module;
  mlir::Type pointerType;
  CompletedToken completedToken;
  llvm::SmallVector<Stream> streams;
};

}  // namespace mmtune
