// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-256 of canonical text: the key of everything the log remembers.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Lower-case hex, 64 characters. Thread-safe.
std::string Sha256Hex(std::string_view bytes);

/// 128 random bits as 32 lower-case hex characters, from the system's generator. Thread-safe.
std::string RandomToken();

}  // namespace mmtune
