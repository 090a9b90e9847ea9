// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves the kernels of a model, by its functions or by launchers made for them.
#pragma once

#include "kernels/tools/compile_options.h"

namespace mmtune {

/// The exit code: kExitOk when all is verified, kExitFailed when not, kExitUsage for options, files and arguments.
/// Verdicts are on standard output, errors on standard error.
int RunVerifyCommand(const CompileOptions& options);

}  // namespace mmtune
