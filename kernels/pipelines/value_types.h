// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of values that no code can have.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On builtin.module, with kernels outlined: a value whose type has no form in machine code (a
/// tuple, a layout that is not strided, tf32 outside of matrix operations), or in a kernel none in
/// device code (f80, f128, a parameter of 7 bits), is an error at its place.
std::unique_ptr<mlir::Pass> createCheckValueTypesPass();

}  // namespace mmtune
