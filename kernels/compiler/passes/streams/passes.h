// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder, which assign device operations to streams. Also declares the helper
// that emits operations on streams and events, as calls of the same mgpu* functions that code from MLIR's gpu-to-llvm
// calls.
#pragma once

#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/streams/Passes.h.inc"

/// Emits the stream and event calls of one function. A stream is created at the function's entry on first use, so that
/// every block and region can use it.
class StreamCalls {
 public:
  explicit StreamCalls(mlir::func::FuncOp function);

  /// Fails with a diagnostic if the module uses the name of one of these mgpu* functions for something else.
  mlir::LogicalResult check();

  /// Returns a token of the stream. gpu-to-llvm puts operations that depend on this token on the stream.
  mlir::Value token(unsigned stream);

  /// Returns the token of the function that stands for "nothing to wait for" (gpu_tokens.h).
  CompletedToken& completed() { return completedToken; }

  /// Makes the host wait for the stream, before `before`.
  void synchronize(mlir::Operation* before, unsigned stream);

  /// Records an event after `op`, the last operation on the stream so far, and returns it.
  mlir::Value record(mlir::Operation* op, unsigned stream);

  /// Makes the stream wait for the event, before `before`. Returns the emitted call.
  mlir::Operation* wait(mlir::Operation* before, unsigned stream, mlir::Value event);

  /// Destroys the event, after `after`. The runtime keeps it until all waits for it are over.
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
