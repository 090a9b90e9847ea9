// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect tm_tensor, as torch-mlir writes it: scan, scatter, sort.
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

/// The dialect, with its bufferization: an output's buffer is written in place where nothing needs what it holds.
void registerDialect(mlir::DialectRegistry& registry);

/// Whether it is an operation of the dialect that makes tensors or writes buffers.
inline bool isOperation(mlir::Operation* op) { return llvm::isa<ScanOp, ScatterOp, SortOp>(op); }

/// Whether what an output holds before may be part of the result.
bool readsOutput(mlir::OpOperand& output);

/// Whether there may be no elements along the dimension.
bool mayBeEmpty(ScanOp scan);

/// How the updates of a scatter lie in its output.
struct ScatterPlaces {
  explicit ScatterPlaces(ScatterOp op);

  /// The dimension of the updates that has such a dimension of the output, or none.
  std::optional<int64_t> updateDim(int64_t dim) const;

  /// Which column of the places a dimension of the output has, or none.
  std::optional<int64_t> column(int64_t dim) const;

  mlir::Value updates, places, original;
  mlir::ShapedType updateType, originalType;

 private:
  llvm::ArrayRef<int64_t> dimensionMap;
};

/// Copies the region's operations to where the builder is; returns what they yield for such arguments.
llvm::SmallVector<mlir::Value> inlineRegion(mlir::OpBuilder& builder, mlir::Region& region, mlir::ValueRange arguments);

}  // namespace mmtune::tm_tensor
