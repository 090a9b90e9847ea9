// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How text is laid out on a terminal: its width in characters, its division into lines, and its colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// Colours and weights of text on a terminal.
enum class Paint { kNone, kBold, kRed };

/// Returns the text with the paint if `color`.
std::string Painted(const std::string& text, Paint paint, bool color);

/// Returns the number of characters of valid UTF-8.
size_t DisplayWidth(std::string_view text);

/// Returns the first `width` characters of valid UTF-8.
std::string Clipped(std::string text, size_t width);

/// Splits a text into lines of at most `width` characters (0: no limit), at spaces where possible.
std::vector<std::string> WrapText(std::string_view text, size_t width);

/// Lines of a name and a value: "device    NVIDIA H200, sm_90". The values begin in one column. Those that are too long
/// for the width continue there on further lines. Names and values are made PlainText. Not thread-safe.
class LabelledLines {
 public:
  /// `indent` is the column of the values; `width` the most characters of a line, 0 for no limit.
  LabelledLines(size_t indent, size_t width) : indent_(indent), width_(width) {}

  void Add(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  size_t indent_, width_;
  std::string text_;
};

}  // namespace mmtune
