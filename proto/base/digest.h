// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hexadecimal identifiers: SHA-256 digests, random tokens, and the trace ids of W3C Trace Context.
//
// The tuning log (the database of all measurements) uses digests as keys: two schedules with the same JSON have the
// same digest. The server identifies leases (the right to measure one schedule) by random tokens. Trace ids connect the
// log lines of all processes that work on one job.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune {

/// Returns the SHA-256 of the bytes as 64 lower-case hexadecimal digits. Thread-safe.
std::string Sha256Hex(std::string_view bytes);

/// Returns 128 random bits from the system's generator as 32 lower-case hexadecimal digits. Thread-safe.
std::string RandomToken();

/// The length of a trace id.
inline constexpr size_t kTraceIdDigits = 32;
/// The number of digits of a lease's token that log lines show. The whole token is a secret: whoever knows it can
/// report a result for the lease.
inline constexpr size_t kLeaseDigits = 8;

/// True for 32 lower-case hexadecimal digits that are not all 0.
bool IsTraceId(std::string_view text);

/// Extracts the trace id from a "traceparent" ("00-<trace id>-<16 digits>-<2 digits>"), which the environment variable
/// TRACEPARENT passes to child processes. Returns nullopt if the text is malformed by the W3C standard.
std::optional<std::string> TraceIdOfParent(std::string_view traceparent);

}  // namespace mmtune
