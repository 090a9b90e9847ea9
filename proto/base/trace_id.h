// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trace ids of W3C trace context: they name one piece of work in the logs of all who had a hand in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune {

inline constexpr size_t kTraceIdDigits = 32;
/// Log lines show so much of the token of a lease, with which it could be reported.
inline constexpr size_t kLeaseDigits = 8;

/// 32 hexadecimal digits, lower case, not all 0.
bool IsTraceId(std::string_view text);

/// The trace id in a "traceparent" ("00-<trace id>-<16 digits>-<2 digits>"), which the environment variable TRACEPARENT
/// has for child processes; none where it is malformed, as the standard wants it.
std::optional<std::string> TraceIdOfParent(std::string_view traceparent);

}  // namespace mmtune
