// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect tm_tensor of torch-mlir: scan, scatter and sort, which linalg cannot express. Models exported from
// PyTorch contain it (cumsum, index_put, sort). We define the part that such models need, so that torch-mlir need not
// be installed.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// clang-format off
#include "kernels/compiler/tm_tensor/TmTensorDialect.h.inc"
#define GET_OP_CLASSES
#include "kernels/compiler/tm_tensor/TmTensorOps.h.inc"
// clang-format on

namespace mmtune::tm_tensor {

/// Registers the dialect and its bufferization. An output is written in place if nothing needs its old contents.
void registerDialect(mlir::DialectRegistry& registry);

/// True for scan, scatter and sort, on tensors or buffers; false for the yield in their regions.
inline bool isOperation(mlir::Operation* op) { return llvm::isa<ScanOp, ScatterOp, SortOp>(op); }

/// True if the result may depend on the previous contents of `output`.
bool readsOutput(mlir::OpOperand& output);

/// True if the scanned dimension may have size 0.
bool mayBeEmpty(ScanOp scan);

/// Maps the operands of a scatter to each other. Each row of `indices` has the position in the output at which an
/// update is written.
struct ScatterLayout {
  explicit ScatterLayout(ScatterOp op);

  /// Returns the dimension of the updates that corresponds to dimension `dim` of the output, or nothing.
  std::optional<int64_t> updateDim(int64_t dim) const;

  /// Returns the column of the indices that has dimension `dim` of the output, or nothing.
  std::optional<int64_t> column(int64_t dim) const;

  mlir::Value updates, indices, original;
  mlir::ShapedType updateType, originalType;

 private:
  llvm::ArrayRef<int64_t> dimensionMap;
};

/// Clones the operations of a region at the insertion point, with these arguments, and returns the yielded values.
llvm::SmallVector<mlir::Value> inlineRegion(mlir::OpBuilder& builder, mlir::Region& region, mlir::ValueRange arguments);

}  // namespace mmtune::tm_tensor
