// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect tm_tensor of torch-mlir, with the operations scan, scatter and sort, which linalg cannot express. Models
// exported from PyTorch contain them (for cumsum, index_put and sort). We define the part of the dialect that such
// models need, so that torch-mlir need not be installed.
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

/// Registers the dialect and its bufferization, which writes an output in place if nothing needs its old contents.
void registerDialect(mlir::DialectRegistry& registry);

/// True for scan, scatter and sort, on tensors or buffers; false for the yield in their regions.
inline bool isOperation(mlir::Operation* op) { return llvm::isa<ScanOp, ScatterOp, SortOp>(op); }

/// True if the result of the operation that writes `output` may depend on the previous contents of `output`.
bool readsOutput(mlir::OpOperand& output);

/// True if the scanned dimension may have size 0.
bool mayBeEmpty(ScanOp scan);

/// The relation between the operands of a scatter. Row i of `indices` has the position in the output at which update i,
/// a slice of `updates`, is written.
struct ScatterLayout {
  explicit ScatterLayout(ScatterOp op);

  /// Returns the dimension of the updates that corresponds to dimension `dim` of the output, or nothing.
  std::optional<int64_t> updateDim(int64_t dim) const;

  /// Returns the column of the indices that has the position in dimension `dim` of the output, or nothing.
  std::optional<int64_t> column(int64_t dim) const;

  mlir::Value updates, indices, original;  ///< `original` is the output before the updates.
  mlir::ShapedType updateType, originalType;

 private:
  llvm::ArrayRef<int64_t> dimensionMap;
};

/// Clones the operations of a region at the insertion point, with `arguments` in place of the region's arguments.
/// Returns the values that the region yields.
llvm::SmallVector<mlir::Value> inlineRegion(mlir::OpBuilder& builder, mlir::Region& region, mlir::ValueRange arguments);

}  // namespace mmtune::tm_tensor
