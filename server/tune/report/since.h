// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times as `--since` takes them, and ages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// "90s", "30m", "2h", "7d" or "1w" in milliseconds; nullopt for anything else.
std::optional<int64_t> ParseAge(std::string_view text);

/// "90s", "30m", "2h", "7d", "1w" before `now_unix_millis`, or "2026-01-31", "2026-01-31T12:00[:05]" in UTC.
/// Milliseconds since 1970.
absl::StatusOr<int64_t> ParseSince(std::string_view text, int64_t now_unix_millis);

}  // namespace mmtune
