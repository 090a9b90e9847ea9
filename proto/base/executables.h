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

/// `name` beside the running executable, else on $PATH. NotFound says where it was looked for.
absl::StatusOr<std::string> FindProgram(std::string_view name);

}  // namespace mmtune
