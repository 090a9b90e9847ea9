// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of operations that the lanes of a warp execute together, and the runtime calls that execute them.
#pragma once

#include "kernels/compiler/passes/simt/emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mmtune {

/// One warp operation of the program. Operands and results are passed as the 32-bit words that simt::WarpOp (abi.h)
/// describes, one value after another.
struct WarpOperation {
  simt::WarpOp op = {};               ///< Without site, inputs and outputs.
  mlir::Value mask;                   ///< Participating lanes; null for the whole warp.
  llvm::SmallVector<mlir::Value> in;  ///< Values of i1, or of 32 or 64 bits.
  llvm::SmallVector<mlir::Type> out;  ///< Result types.
};

/// Describes the emitter's operation if it is a shuffle, vote, reduction, election or match; nothing when it is not,
/// failure after an error.
mlir::FailureOr<std::optional<WarpOperation>> describeExchange(SimtEmitter& emit);
/// Describes ldmatrix, stmatrix, mma.sync and wgmma.mma_async in the same way.
mlir::FailureOr<std::optional<WarpOperation>> describeMatrixOperation(SimtEmitter& emit);

/// Returns the element types of a struct, else `type` itself; none for null.
llvm::SmallVector<mlir::Type> partsOf(mlir::Type type);

/// Emits `operation` before the emitter's operation and returns its results.
llvm::SmallVector<mlir::Value> emitWarpOperation(SimtEmitter& emit, const WarpOperation& operation);
/// Replaces the emitter's operation. Its result is a struct of `results`, or the one of them; or it has no result.
mlir::LogicalResult replaceByParts(SimtEmitter& emit, llvm::ArrayRef<mlir::Value> results);

/// Emits independent operations of the whole warp as one runtime call and returns their results in order. Not for race
/// detection, where each has its own site.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> emitWarpBatch(SimtEmitter& emit,
                                                                llvm::ArrayRef<WarpOperation> operations);

/// Returns the number of 32-bit words that operands or results of these types take.
size_t wordsOf(mlir::TypeRange types);

/// Returns kNone for a type that no operation of the device accepts.
simt::ElementType elementType(std::optional<mlir::NVVM::MMATypes> type);
simt::ElementType elementType(mlir::NVVM::WGMMATypes type);
/// Returns the element type of a PTX name: "f16", "tf32", …
simt::ElementType elementType(llvm::StringRef name);

/// True if the runtime supports mma.sync of this shape and these types.
bool isMmaShape(const simt::WarpOp& op);
/// True if the runtime supports wgmma.mma_async of this shape and these types.
bool isWgmmaShape(const simt::WarpOp& op);
/// Returns the number of 32-bit words of a lane's part of the accumulator.
size_t wgmmaAccumulatorWords(const simt::WarpOp& op);

}  // namespace mmtune
