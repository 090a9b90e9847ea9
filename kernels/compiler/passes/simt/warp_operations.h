// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes operations that the lanes of a warp execute together, such as shuffles and mma.sync, and emits the runtime
// calls that execute them. The runtime collects the operands of all lanes, computes the results and distributes them.
//
//   nvvm.shfl.sync bfly %mask, %x, 16, 31   ->   words = {x, 16, 31};  call of the runtime with a constant simt::WarpOp
#pragma once

#include "kernels/compiler/passes/simt/emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mmtune {

/// One warp operation. Operands and results are passed as the 32-bit words that simt::WarpOp (abi.h) describes, one
/// value after another.
struct WarpOperation {
  /// The description for the runtime. emitWarpOperation() sets its numbers of words and its site (the number that
  /// identifies the operation in reports).
  simt::WarpOp op = {};
  mlir::Value mask;                   ///< Participating lanes; null means the whole warp.
  llvm::SmallVector<mlir::Value> in;  ///< Operands, of i1 or of 32 or 64 bits.
  llvm::SmallVector<mlir::Type> out;  ///< Types of the results.
};

/// Attributes (i32) of a wgmma.mma_async that is PTX text in llvm.inline_asm. They are numbers of lines of the PTX, or
/// 0. The line of the first attribute accesses registers of the wgmma before the wgmma is complete. The line of the
/// second accesses them before the wgmma starts, without a wgmma.fence in between. Reports show the lines; simt::WarpOp
/// has them, too.
inline constexpr llvm::StringLiteral kEarlyAccessAttrName = "mmtune.early_access";
inline constexpr llvm::StringLiteral kUnfencedAccessAttrName = "mmtune.unfenced_access";

/// Describes the emitter's operation if it is a shuffle, vote, reduction, election or match. Returns nothing if it is
/// another operation, and failure if it reported an error.
mlir::FailureOr<std::optional<WarpOperation>> describeExchange(SimtEmitter& emit);
/// Like describeExchange(), for ldmatrix, stmatrix, mma.sync and wgmma.mma_async.
mlir::FailureOr<std::optional<WarpOperation>> describeMatrixOperation(SimtEmitter& emit);

/// Returns the element types if `type` is a struct, otherwise `type` itself; an empty list for null.
llvm::SmallVector<mlir::Type> partsOf(mlir::Type type);

/// Emits `operation` before the emitter's operation and returns its results.
llvm::SmallVector<mlir::Value> emitWarpOperation(SimtEmitter& emit, const WarpOperation& operation);
/// Replaces the emitter's operation by `results`. If the operation returns a struct, `results` are its elements.
mlir::LogicalResult replaceByParts(SimtEmitter& emit, llvm::ArrayRef<mlir::Value> results);

/// Emits independent operations of whole warps as one runtime call, and returns the results of each. Must not be used
/// with race detection, where each operation has its own site.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> emitWarpBatch(SimtEmitter& emit,
                                                                llvm::ArrayRef<WarpOperation> operations);

/// Returns the number of 32-bit words that values of these types take.
size_t wordsOf(mlir::TypeRange types);

/// Returns the runtime's element type for an NVVM type; kNone if no operation of the device accepts it.
simt::ElementType elementType(std::optional<mlir::NVVM::MMATypes> type);
simt::ElementType elementType(mlir::NVVM::WGMMATypes type);
/// Returns the runtime's element type for a PTX name: "f16", "tf32", ...
simt::ElementType elementType(llvm::StringRef name);

/// True if the runtime supports mma.sync with this shape and these types.
bool isMmaShape(const simt::WarpOp& op);
/// True if the runtime supports wgmma.mma_async with this shape and these types.
bool isWgmmaShape(const simt::WarpOp& op);
/// Returns the number of 32-bit words of the accumulator that each lane holds.
size_t wgmmaAccumulatorWords(const simt::WarpOp& op);

}  // namespace mmtune
