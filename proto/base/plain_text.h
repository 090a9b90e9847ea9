// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making text from data (a log, a server, a device, a request) safe to show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune {

/// Makes text safe for a terminal: drops escape sequences, control characters, characters that change the direction of
/// text and characters that show nothing; line ends and tabs become spaces, invalid UTF-8 becomes '?'.
std::string PlainText(std::string_view text);

/// True if PlainText leaves the text as it is.
bool IsPlainText(std::string_view text);

/// Replaces bytes that are not valid UTF-8 by '?': protobuf refuses them in a string field.
std::string Utf8(std::string_view text);

/// Returns the same JSON value with the characters that PlainText drops written as \uXXXX: safe on a terminal too.
std::string PrintableJson(std::string_view json);

/// Returns the text without the byte order mark that some editors and spreadsheets put before UTF-8.
std::string_view WithoutByteOrderMark(std::string_view text);

/// Cuts a text of more than `most` (>= 3) bytes between characters, and ends it with "...".
std::string Shortened(std::string_view text, size_t most);

/// Returns "yes" or "no", or `absent` for nullopt.
inline std::string YesNo(std::optional<bool> value, const char* absent = "unknown") {
  return !value ? absent : *value ? "yes" : "no";
}

}  // namespace mmtune
