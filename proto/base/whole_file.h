// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files read and written as a whole.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// From byte `from` on. Unavailable, naming the path, when it cannot be read.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from = 0);

/// Replaces what is there; neither atomic nor durable: for the program's own files. Unavailable, naming the path.
absl::Status WriteWholeFile(const std::string& path, std::string_view content);

}  // namespace mmtune
