// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the programs that compile kernels (Toolchain) for error messages.
#pragma once

#include <string>

#include "proto/types/compilation.h"

namespace mmtune {

/// Returns the first field in which a toolchain differs from `own`: "mlir 21.1.8, here 22.1.8"; empty if none does.
std::string DifferenceText(const Toolchain& other, const Toolchain& own);

}  // namespace mmtune
