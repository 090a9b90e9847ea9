// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program keeps what is a user's own: the XDG Base Directory Specification.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "$VARIABLE/mmtune" where the variable holds an absolute path, else "$HOME/<below_home>/mmtune". Nothing is made. The
/// home is the user's: FailedPrecondition where it is not set or not there.
absl::StatusOr<std::string> UserFolder(const char* variable, std::string_view below_home);

}  // namespace mmtune
