// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix operations that the SIMT device has, and their element types.
#pragma once

#include <optional>

#include "kernels/runtime/simt/abi/abi.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mmtune {

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
