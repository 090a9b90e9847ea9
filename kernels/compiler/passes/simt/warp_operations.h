// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that the lanes of a warp execute together, as the runtime's warp operations.
#pragma once

#include "kernels/compiler/passes/simt/emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mmtune {

/// What one operation of the program asks of the warp. Operands and results are laid out in words
/// as WarpOp has it, which is how their types lie in memory one after another.
struct WarpOperation {
  simt::WarpOp op = {};               ///< All but site, inputs and outputs.
  mlir::Value mask;                   ///< Lanes that take part; null for the whole warp.
  llvm::SmallVector<mlir::Value> in;  ///< i1, or of 32 or 64 bits.
  llvm::SmallVector<mlir::Type> out;  ///< Types of the results.
};

/// The shuffle, vote, reduction, election or match that the emitter's operation is; nothing when it
/// is none, failure after an error.
mlir::FailureOr<std::optional<WarpOperation>> describeExchange(SimtEmitter& emit);
/// The same for ldmatrix, stmatrix, mma.sync and wgmma.mma_async.
mlir::FailureOr<std::optional<WarpOperation>> describeMatrixOperation(SimtEmitter& emit);

/// The types that a result of `type` consists of: a struct's elements, else itself, none for null.
llvm::SmallVector<mlir::Type> partsOf(mlir::Type type);

/// Emits the operation for the emitter's operation and returns its results.
llvm::SmallVector<mlir::Value> emitWarpOperation(SimtEmitter& emit, const WarpOperation& operation);
/// Replaces the emitter's operation, whose result is a struct of `results`, the only one, or none.
mlir::LogicalResult replaceByParts(SimtEmitter& emit, llvm::ArrayRef<mlir::Value> results);

/// Emits operations of the whole warp that do not depend on one another as one meeting of it, and
/// returns their results in order. Not for code for watch mode, where each has a site of its own.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> emitWarpBatch(SimtEmitter& emit,
                                                                llvm::ArrayRef<WarpOperation> operations);

/// Words that an operand or result of these types takes.
size_t wordsOf(mlir::TypeRange types);

/// kNone for what no operation of the device takes.
simt::ElementType elementType(std::optional<mlir::NVVM::MMATypes> type);
simt::ElementType elementType(mlir::NVVM::WGMMATypes type);
/// By PTX's name: "f16", "tf32", …
simt::ElementType elementType(llvm::StringRef name);

/// Whether the runtime has the mma.sync of this shape and these types.
bool isMmaShape(const simt::WarpOp& op);
/// The same for wgmma.mma_async.
bool isWgmmaShape(const simt::WarpOp& op);
/// Words of a lane's part of the accumulator.
size_t wgmmaAccumulatorWords(const simt::WarpOp& op);

}  // namespace mmtune
