// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small product of tests/kernels/verify/product.mlir, whole or with a line taken out.
#pragma once

#include <string_view>

#include "kernels/compiler/compiler.h"
#include "worker/verify/schedule_verifier.h"

namespace mmtune {

/// `without` is what follows "remove:" in the lines to take out; empty: none. Compiled for race detection.
VerificationSubject SmallProduct(std::string_view without);

}  // namespace mmtune
