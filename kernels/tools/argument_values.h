// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of a function from the words of a command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/model/model_runner.h"

namespace mmtune {

/// "random:SEED" (in [-1, 1), integers in [-8, 8]), "ones", "zeros", "iota" (0, 1, 2, …), "value:3.5" or
/// "file:data.bin" (raw elements); with dynamic sizes all sizes follow: "random:1@128x64". `position` makes random
/// values of different arguments differ. InvalidArgument says what is wrong with the text.
absl::StatusOr<ModelValue> ParseArgument(std::string_view text, const ModelType& type, size_t position);

/// One text for each argument of the function, or one for all.
absl::StatusOr<std::vector<ModelValue>> ParseArguments(const std::vector<std::string>& texts,
                                                       const ModelFunction& function);

}  // namespace mmtune
