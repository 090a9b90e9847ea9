// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files read and written as a whole.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// More than any file that is read as a whole has.
inline constexpr int64_t kMostFileBytes = int64_t{1} << 30;

/// Reads from byte `from` on. Unavailable, naming the path, when it cannot be read, is neither a regular file nor
/// /dev/null (a device such as /dev/zero has no end), or has more than `most` bytes from there on.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from = 0, int64_t most = kMostFileBytes);

/// Reads a text that people write: as ReadWholeFile, without a byte order mark, and with at most 64 MiB.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

/// Replaces what is there; neither atomic nor durable: for the program's own files. Unavailable, naming the path.
absl::Status WriteWholeFile(const std::string& path, std::string_view content);

}  // namespace mmtune
