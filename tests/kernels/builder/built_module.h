// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that a test emits with a KernelBuilder, compiled like those of families.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/compiler/compiler.h"

namespace mmtune {

/// Returns the target of device code for an architecture ("sm_90a").
CompileTarget DeviceCodeFor(std::string_view arch, DeviceKind kind = DeviceKind::kCuda);

/// Compiles the module that `emit` adds kernels to: to PTX for a CUDA target or with `shipped_ptx`, to an object for
/// the SIMT device otherwise.
absl::StatusOr<std::string> CompileBuiltModule(const CompileTarget& target,
                                               llvm::function_ref<void(KernelBuilder&)> emit);

/// Returns what ptxas writes when it assembles `ptx` for `arch`, or its error. It is empty if there is nothing to warn
/// of, and if there is no ptxas.
std::string AssemblerOutput(std::string_view ptx, std::string_view arch);

}  // namespace mmtune
