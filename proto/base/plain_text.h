// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that came from data (a log, a server, a device, a request) made safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mmtune {

/// For a terminal: escape sequences, control characters, those that change the direction of text and those that show
/// nothing are dropped, line ends and tabs become spaces, invalid UTF-8 becomes '?'.
std::string PlainText(std::string_view text);

/// True if PlainText leaves the text as it is.
bool IsPlainText(std::string_view text);

/// Bytes that are no valid UTF-8 become '?': protobuf refuses them in a string field.
std::string Utf8(std::string_view text);

/// The same JSON value with the characters that PlainText drops written as \uXXXX: safe on a terminal too.
std::string PrintableJson(std::string_view json);

/// The text without the byte order mark that some editors and spreadsheets put before UTF-8.
std::string_view WithoutByteOrderMark(std::string_view text);

/// At most `most` bytes, which are 3 or more: a longer text is cut between characters and ends with "...".
std::string Shortened(std::string_view text, size_t most);

}  // namespace mmtune
