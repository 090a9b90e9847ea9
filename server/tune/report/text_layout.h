// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out text on a terminal: measures its width, wraps it, and adds colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// The colour or weight of text on a terminal.
enum class Paint { kNone, kBold, kRed };

/// Returns the text with the terminal's codes for the paint if `color` is true; otherwise the text.
std::string Painted(const std::string& text, Paint paint, bool color);

/// Returns the number of characters of a text in valid UTF-8.
size_t DisplayWidth(std::string_view text);

/// Returns the first `width` characters of a text in valid UTF-8.
std::string Clipped(std::string text, size_t width);

/// Splits a text into lines of at most `width` characters (0: no limit), at spaces where possible.
std::vector<std::string> WrapText(std::string_view text, size_t width);

/// Makes lines of a name and a value: "device    NVIDIA H200, sm_90". All values begin in one column, in which long
/// values are wrapped. Names and values are converted by PlainText(), so that they are safe to print. Not thread-safe.
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
