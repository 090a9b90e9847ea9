// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs, and where they are.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// The running executable.
std::string ExecutablePath();
std::string ExecutableFolder();

/// A file that this user may run.
bool IsProgram(const std::string& path);

/// The first `name` in the folders of $PATH, then of `more` (separated by colons); "" when there is none.
std::string FindOnPath(std::string_view name, std::string_view more = "");

/// A program of the CUDA toolkit: what the environment variable names where that is set and not empty, if it can be
/// run; else the first in $PATH, $CUDA_HOME/bin and /usr/local/cuda/bin. "" when there is none.
std::string FindCudaTool(std::string_view name, const char* variable);

/// `name` beside the running executable, else on $PATH. NotFound says where it was looked for.
absl::StatusOr<std::string> FindProgram(std::string_view name);

}  // namespace mmtune
