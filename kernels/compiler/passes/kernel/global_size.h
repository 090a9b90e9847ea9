// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large a constant or global of host code or of kernels may be.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mmtune {

/// Refuses a global of 2 GiB or more, with a diagnostic: code does not address it, and LLVM writes it out, element by
/// element, until memory is used up.
mlir::LogicalResult checkSize(mlir::LLVM::GlobalOp global, const mlir::DataLayout& layout);

}  // namespace mmtune
