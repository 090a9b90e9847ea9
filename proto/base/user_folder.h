// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program keeps a user's files: the XDG Base Directory Specification.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "$VARIABLE/mmtune" where the variable holds an absolute path, else "$HOME/<below_home>/mmtune". No folder is
/// made. FailedPrecondition when the home folder is not set or does not exist.
absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home);

/// Below the user's folder for what outlives a process. No folder is made.
absl::StatusOr<std::string> StateFolder(std::string_view name);

/// Where a worker keeps results that the server does not have yet, unless it is told another place.
absl::StatusOr<std::string> DefaultSpoolFolder();

}  // namespace mmtune
