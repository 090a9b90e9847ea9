// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers that describe the thread and its launch: %tid.x, %laneid, %clock64, and the constant WARP_SZ.
//
// A cluster is one block here, so the registers of clusters say that: kernels with larger ones are refused.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace mmtune::ptx {

/// Returns the value of a special register, an i32 or i64; null for other names.
mlir::Value specialRegister(llvm::StringRef name, mlir::ImplicitLocOpBuilder& b);

}  // namespace mmtune::ptx
