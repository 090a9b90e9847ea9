// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts of a kernel all threads of a block execute together.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Value.h"

namespace mmtune {

/// What shows of a kernel's control flow. Says no where it cannot tell. Barriers may be added while
/// it is in use; nothing else may change.
class UniformControlFlow {
 public:
  /// Whether all threads of a block execute `block` equally often: it is the kernel's entry, it is
  /// reached by conditions and bounds that are the same for all threads, or it has a barrier
  /// itself, which the program must not reach otherwise.
  bool isUniform(mlir::Block* block);

  /// Whether `value` is the same for all threads of a block.
  bool isUniform(mlir::Value value);

 private:
  bool compute(mlir::Value value);

  llvm::DenseMap<mlir::Value, bool> known;
};

/// Whether a thread may execute `block` more than once.
bool isInLoop(mlir::Block* block);

/// The first barrier among the operations of `block` itself, after `first` (its begin when null)
/// and before `last` (its end when null); null when there is none.
mlir::Operation* barrierBetween(mlir::Block* block, mlir::Operation* first, mlir::Operation* last);

}  // namespace mmtune
