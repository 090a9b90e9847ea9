// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mathematical functions that kernels call: one library for every device.
#pragma once

#include "absl/status/status.h"
#include "llvm/IR/Module.h"

namespace mmtune {

/// Defines the functions `__nv_*` that `module`, device code, declares and calls. Intrinsics of LLVM that no target has
/// an instruction for become calls of them, too. The functions are plain arithmetic that rounds as
/// IEEE 754 says and uses no approximate instruction, so that a GPU and the SIMT device compute the same bits,
/// whichever machine compiles. InvalidArgument when the library lacks one of them, or has it with another type.
absl::Status linkDeviceMath(llvm::Module& module);

}  // namespace mmtune
