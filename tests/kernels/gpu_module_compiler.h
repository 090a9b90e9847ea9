// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that tests write as MLIR.
#pragma once

#include <string>
#include <string_view>

#include "kernels/compiler/compiler.h"

namespace mmtune {

/// The device image of a module in MLIR text that holds one gpu.module. `name` is the file's, in locations.
absl::StatusOr<std::string> CompileGpuModule(std::string_view mlir, std::string_view name, const CompileTarget& target,
                                             ImageFormat* format);

}  // namespace mmtune
