// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/text_layout.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {

std::string Painted(const std::string& text, Paint paint, bool color) {
  if (!color || paint == Paint::kNone || text.empty()) return text;
  return absl::StrCat(paint == Paint::kBold ? "\x1b[1m" : "\x1b[31m", text, "\x1b[0m");
}

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string Clipped(std::string text, size_t width) {
  while (DisplayWidth(text) > width) text.pop_back();
  return text;
}

std::vector<std::string> WrapText(std::string_view text, size_t width) {
  if (width == 0) return {std::string(text)};
  std::vector<std::string> lines(1);
  size_t used = 0;
  for (absl::string_view word : absl::StrSplit(ToAbsl(text), ' ')) {
    if (used > 0 && used + 1 + DisplayWidth(ToStd(word)) > width) {
      lines.emplace_back();
      used = 0;
    } else if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    for (char c : word) {
      const bool begins_character = (c & 0xc0) != 0x80;
      if (begins_character && used >= width) {
        lines.emplace_back();
        used = 0;
      }
      lines.back() += c;
      used += begins_character;
    }
  }
  return lines;
}

void LabelledLines::Add(std::string_view name, std::string_view value) {
  constexpr size_t kLeastRoom = 20;
  const size_t room = width_ == 0 ? 0 : std::max(kLeastRoom, width_ - std::min(width_, indent_));
  std::string label = PlainText(name);
  label.resize(std::max(label.size() + (indent_ > 0 ? 1 : 0), indent_), ' ');
  for (const std::string& line : WrapText(PlainText(value), room)) {
    absl::StrAppend(&text_, label, line, "\n");
    label = std::string(indent_, ' ');
  }
}

}  // namespace mmtune
