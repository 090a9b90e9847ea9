// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers in hexadecimal digits: SHA-256 digests, random tokens, and trace ids of W3C trace context.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune {

/// Returns the SHA-256 of the bytes as 64 lower-case hexadecimal digits. Digests of canonical JSON are the keys of the
/// log. Thread-safe.
std::string Sha256Hex(std::string_view bytes);

/// Returns 128 random bits from the system's generator as 32 lower-case hexadecimal digits. Thread-safe.
std::string RandomToken();

inline constexpr size_t kTraceIdDigits = 32;
/// Log lines show only this many digits of a lease's token, because whoever knows the token can report the lease.
inline constexpr size_t kLeaseDigits = 8;

/// True for 32 lower-case hexadecimal digits that are not all 0.
bool IsTraceId(std::string_view text);

/// Returns the trace id in a "traceparent" ("00-<trace id>-<16 digits>-<2 digits>"), which the environment variable
/// TRACEPARENT passes to child processes; nullopt where the standard calls it malformed.
std::optional<std::string> TraceIdOfParent(std::string_view traceparent);

}  // namespace mmtune
