// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/shell_word.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// True if the character means itself wherever it stands in a word. Bytes of characters outside ASCII do.
bool IsSafe(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || absl::ascii_isalnum(byte) || std::string_view("_-./:,@%+").find(c) != std::string_view::npos;
}

}  // namespace

std::string ShellQuoted(std::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(ToAbsl(text), {{"'", "'\\''"}}), "'");
}

std::string ShellWord(std::string_view text) {
  const bool safe = !text.empty() && std::all_of(text.begin(), text.end(), IsSafe);
  return safe ? std::string(text) : ShellQuoted(text);
}

}  // namespace mmtune
