// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of type !gpu.async.token, and the operations that create or consume them.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

bool isToken(mlir::Value value);

/// True for an operation that gpu-to-llvm puts on the stream of its one dependency: gpu.alloc, gpu.dealloc, gpu.memcpy,
/// gpu.memset, gpu.launch_func. False for a synchronous host_shared allocation and a launch on an explicit stream
/// (`<%stream>`), which are converted unchanged.
bool isStreamOperation(mlir::Operation* op);

/// True if tokens enter or leave a host operation (a branch, a terminator, or one with regions): as its operands,
/// results or block arguments.
///
/// Boundary rule: before such an operation the host waits for everything in flight, so a token that it yields is
/// complete and orders nothing.
bool carriesTokens(mlir::Operation* op);

/// Fails with a diagnostic where a token comes from or goes to an operation that the boundary rule does not cover.
mlir::LogicalResult checkTokens(mlir::func::FuncOp function);

/// Returns the operation with a token as result, whose dependencies the caller sets; `op` itself if it has one.
mlir::gpu::AsyncOpInterface makeAsynchronous(mlir::gpu::AsyncOpInterface op);

/// Makes `token` the only dependency of a stream operation.
void setDependency(mlir::Operation* op, mlir::Value token);

/// A completed token, created at the function's entry on first use.
class CompletedToken {
 public:
  explicit CompletedToken(mlir::func::FuncOp function) : function(function) {}
  mlir::Value get();

 private:
  mlir::func::FuncOp function;
  mlir::Value token;
};

/// Replaces the tokens that host operations carry by the completed one, and erases `waits`. Call it once the stream
/// operations have their dependencies, when nothing else uses these tokens.
void eraseTokens(mlir::func::FuncOp function, CompletedToken& completed, llvm::ArrayRef<mlir::gpu::WaitOp> waits);

/// Returns every gpu.wait of the function.
llvm::SmallVector<mlir::gpu::WaitOp> collectWaits(mlir::func::FuncOp function);

/// Puts the device operations of each block of `function` on one chain of tokens (linearize-gpu-tokens).
mlir::LogicalResult linearizeGpuTokens(mlir::func::FuncOp function);

}  // namespace mmtune
