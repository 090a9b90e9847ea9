// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a model, runs one of its functions in this process, and checks what it gave.
#pragma once

#include "kernels/tools/compile_options.h"

namespace mmtune {

/// The exit code; results are on standard output, errors on standard error.
int RunModelCommand(const CompileOptions& options);

}  // namespace mmtune
