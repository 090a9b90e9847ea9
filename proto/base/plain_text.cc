// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/plain_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/str_format.h"

namespace mmtune {
namespace {

constexpr char kEscape = '\x1b';

// The size of the escape sequence at the start of `text`, which begins with ESC.
size_t EscapeLength(std::string_view text) {
  if (text.size() < 2) return text.size();
  const char kind = text[1];
  size_t i = 2;
  if (kind == '[') {  // CSI: ends with a byte of 0x40-0x7e
    while (i < text.size() && (text[i] < 0x40 || text[i] > 0x7e)) ++i;
    return std::min(i + 1, text.size());
  }
  if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' ||
      kind == '_') {  // a string: ends with BEL or ESC backslash
    for (; i < text.size(); ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == kEscape && i + 1 < text.size() && text[i + 1] == '\\') return i + 2;
    }
    return text.size();
  }
  return 2;
}

// The size of the valid UTF-8 character at the start of `text`, or 0.
size_t Utf8Length(std::string_view text, uint32_t* code) {
  const auto lead = static_cast<unsigned char>(text[0]);
  size_t size = lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (lead >= 0xf5 || size == 0 || size > text.size()) return 0;
  *code = size == 1 ? lead : lead & (0xff >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (next & 0x3f);
  }
  const bool overlong = (size == 3 && *code < 0x800) || (size == 4 && *code < 0x10000);
  const bool outside = *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000);
  return overlong || outside ? 0 : size;
}

struct CodeRange {
  uint32_t first, last;
};

// Control characters, line ends of Unicode, and the code points with the property Default_Ignorable_Code_Point or the
// category Cf that show nothing: they change the direction of text, join it, or have no width.
constexpr CodeRange kInvisible[] = {{0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},  {0x034f, 0x034f},
                                    {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180b, 0x180f},
                                    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},  {0x3164, 0x3164},
                                    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb},
                                    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool IsInvisible(uint32_t code) {
  return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                     [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

// As in JSON: two units of UTF-16 for a code point that does not fit into one.
std::string JsonEscape(uint32_t code) {
  if (code < 0x10000) return absl::StrFormat("\\u%04x", code);
  return absl::StrFormat("\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff));
}

}  // namespace

std::string PlainText(std::string_view text) {
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_printable)) return std::string(text);
  std::string plain;
  while (!text.empty()) {
    if (text[0] == kEscape) {
      text.remove_prefix(EscapeLength(text));
      continue;
    }
    uint32_t code = 0;
    const size_t size = Utf8Length(text, &code);
    if (size == 0) {
      plain += '?';
    } else if (code == '\n' || code == '\t' || code == '\r') {
      plain += ' ';
    } else if (!IsInvisible(code)) {
      plain += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return plain;
}

bool IsPlainText(std::string_view text) { return PlainText(text) == text; }

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string Utf8(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    uint32_t code = 0;
    const size_t size = Utf8Length(text, &code);
    valid += size == 0 ? "?" : text.substr(0, size);
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return valid;
}

std::string PrintableJson(std::string_view json) {
  std::string printable;
  printable.reserve(json.size());
  while (true) {
    const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7f; };
    const auto plain = static_cast<size_t>(std::find_if_not(json.begin(), json.end(), is_plain) - json.begin());
    printable += json.substr(0, plain);
    json.remove_prefix(plain);
    if (json.empty()) return printable;
    uint32_t code = 0;
    const size_t size = Utf8Length(json, &code);
    if (size == 0) {
      printable += "\\ufffd";
    } else if (IsInvisible(code)) {
      printable += JsonEscape(code);
    } else {
      printable += json.substr(0, size);
    }
    json.remove_prefix(size == 0 ? 1 : size);
  }
}

std::string Shortened(std::string_view text, size_t most) {
  constexpr std::string_view kCut = "...";
  if (text.size() <= most) return std::string(text);
  size_t kept = most - std::min(most, kCut.size());
  while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80) --kept;
  return std::string(text.substr(0, kept)).append(kCut);
}

}  // namespace mmtune
