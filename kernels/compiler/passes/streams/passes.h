// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td (create<Name>Pass(), option structs, registerMmtuneStreamPasses()), and the streams and
// events that they create: calls of the mgpu* functions that gpu-to-llvm declares too.
#pragma once

#include "kernels/compiler/passes/buffers/gpu_tokens.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/streams/Passes.h.inc"

/// Emits the stream and event calls of one function. Each stream is created at the function's entry on first use, so
/// every block and region can use it.
class StreamCalls {
 public:
  explicit StreamCalls(mlir::func::FuncOp function);

  /// Fails with a diagnostic when the module gives the name of a called mgpu* function to something else.
  mlir::LogicalResult check();

  /// Returns a token of the stream: gpu-to-llvm puts operations that depend on it on the stream.
  mlir::Value token(unsigned stream);

  /// Returns a completed token.
  CompletedToken& completed() { return completedToken; }

  void synchronize(mlir::Operation* before, unsigned stream);

  /// Records an event after `op`, the last operation on the stream so far; returns the event.
  mlir::Value record(mlir::Operation* op, unsigned stream);

  /// Makes the stream wait for the event; returns the call.
  mlir::Operation* wait(mlir::Operation* before, unsigned stream, mlir::Value event);

  /// Destroys the event after `after`. The runtime keeps it until waits for it are over.
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
