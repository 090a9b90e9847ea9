// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that a protobuf string field takes.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// protobuf refuses invalid UTF-8 in a string field: bytes that start no valid sequence become '?'.
std::string Utf8(std::string_view text);

}  // namespace mmtune
