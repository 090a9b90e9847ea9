// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for async tokens (!gpu.async.token), which order device operations:
//
//   %t1 = gpu.memcpy async [%t0] %device, %host;   %t2 = gpu.launch_func async [%t1] @kernels::@f ...
//
// The pass gpu-to-llvm of MLIR 22 supports one dependency per operation, so our passes bring tokens into that form. For
// host control flow they follow the "boundary rule": before a host operation that takes or yields tokens, such as a
// branch, the host waits for all device operations.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

/// True for a value of type !gpu.async.token.
bool isToken(mlir::Value value);

/// True for an operation that gpu-to-llvm puts on the stream of its only dependency: gpu.alloc, gpu.dealloc,
/// gpu.memcpy, gpu.memset and gpu.launch_func. There are two exceptions, which need no token: a host_shared allocation,
/// because it is synchronous, and a launch that names its stream (`<%stream>`).
bool isStreamOperation(mlir::Operation* op);

/// True if tokens enter or leave a host operation as operands, results or block arguments. Such operations are
/// branches, terminators, and operations with regions. By the boundary rule the host waits before them, so every token
/// that they pass on is complete, and nothing has to wait for it.
bool carriesTokens(mlir::Operation* op);

/// Fails with a diagnostic if a token comes from, or goes to, an operation that the boundary rule does not cover.
mlir::LogicalResult checkTokens(mlir::func::FuncOp function);

/// Replaces `op` by the same operation with a token as an additional result, and returns the new operation. Returns
/// `op` itself if it has a token already.
mlir::gpu::AsyncOpInterface makeAsynchronous(mlir::gpu::AsyncOpInterface op);

/// Makes `token` the only dependency of a stream operation.
void setDependency(mlir::Operation* op, mlir::Value token);

/// A token that stands for "nothing to wait for". It is created at the function's entry when get() is first called.
class CompletedToken {
 public:
  explicit CompletedToken(mlir::func::FuncOp function) : function(function) {}
  mlir::Value get();

 private:
  mlir::func::FuncOp function;
  mlir::Value token;
};

/// Replaces the tokens that host operations take or yield by the completed token, and erases `waits`. Call it when all
/// stream operations have their final dependencies, so that nothing else uses the replaced tokens.
void eraseTokens(mlir::func::FuncOp function, CompletedToken& completed, llvm::ArrayRef<mlir::gpu::WaitOp> waits);

/// Returns every gpu.wait of the function.
llvm::SmallVector<mlir::gpu::WaitOp> collectWaits(mlir::func::FuncOp function);

/// Makes the device operations of each block one chain, each depending on the previous one (pass linearize-gpu-tokens).
mlir::LogicalResult linearizeGpuTokens(mlir::func::FuncOp function);

}  // namespace mmtune
