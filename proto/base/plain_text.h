// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes text from outside the program (a log, a server, a device, a request) safe to print on a terminal or to send in
// a protobuf string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mmtune {

/// Returns the text without escape sequences, control characters, invisible characters, and characters that change the
/// direction of text. Newlines and tabs become spaces; invalid UTF-8 becomes '?'.
std::string PlainText(std::string_view text);

/// True if PlainText() would return the text unchanged.
bool IsPlainText(std::string_view text);

/// Returns the text with bytes that are not valid UTF-8 replaced by '?'. Protobuf refuses such bytes in a string field.
std::string Utf8(std::string_view text);

/// Returns the same JSON value with the characters that PlainText() drops written as \uXXXX, so that it is safe on a
/// terminal too.
std::string PrintableJson(std::string_view json);

/// Returns the text without a UTF-8 byte order mark, which some editors and spreadsheets put at the start.
std::string_view WithoutByteOrderMark(std::string_view text);

/// Returns the text cut to at most `most` bytes (at least 3), never inside a character. A text that was cut ends with
/// "...".
std::string Shortened(std::string_view text, size_t most);

/// Returns "yes" or "no", or `absent` for nullopt.
inline std::string YesNo(std::optional<bool> value, const char* absent = "unknown") {
  return !value ? absent : *value ? "yes" : "no";
}

}  // namespace mmtune
