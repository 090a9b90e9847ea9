// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of type !gpu.async.token and the operations that take part in them.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

bool isToken(mlir::Value value);

/// An operation that gpu-to-llvm puts on the stream of its one dependency: gpu.alloc, gpu.dealloc,
/// gpu.memcpy, gpu.memset, gpu.launch_func. A synchronous host_shared allocation and a launch on a
/// stream of its own (`<%stream>`) are not: they are converted as they are.
bool isStreamOperation(mlir::Operation* op);

/// Whether tokens go in or out of a host operation: operands of branches, terminators and
/// operations with regions, their results and block arguments.
///
/// The rule of the boundary: before such an operation the host waits for everything in flight, so
/// a token that comes out of one is complete and orders nothing.
bool carriesTokens(mlir::Operation* op);

/// Fails with a diagnostic where a token comes from or goes to what the rule does not cover.
mlir::LogicalResult checkTokens(mlir::func::FuncOp function);

/// The operation with a token as result, whose dependencies are still to be set; itself if it has.
mlir::gpu::AsyncOpInterface makeAsynchronous(mlir::gpu::AsyncOpInterface op);

/// Makes `token` the only dependency of a stream operation.
void setDependency(mlir::Operation* op, mlir::Value token);

/// A token that nothing has to wait for, made at the function's entry when it is first asked for.
class CompletedToken {
 public:
  explicit CompletedToken(mlir::func::FuncOp function) : function(function) {}
  mlir::Value get();

 private:
  mlir::func::FuncOp function;
  mlir::Value token;
};

/// When the stream operations have their dependencies: makes the tokens that others carry the
/// completed one, and erases every gpu.wait of `waits`, which nothing else uses any more.
void eraseTokens(mlir::func::FuncOp function, CompletedToken& completed, llvm::ArrayRef<mlir::gpu::WaitOp> waits);

/// Every gpu.wait of the function.
llvm::SmallVector<mlir::gpu::WaitOp> collectWaits(mlir::func::FuncOp function);

/// Puts the device operations of every block of `function` on one chain of tokens: what
/// linearize-gpu-tokens does.
mlir::LogicalResult linearizeGpuTokens(mlir::func::FuncOp function);

}  // namespace mmtune
