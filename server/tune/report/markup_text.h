// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of a log in HTML and SVG.
#pragma once

#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "proto/base/plain_text.h"

namespace mmtune {

/// As a text node or a quoted attribute.
inline std::string MarkupText(std::string_view text) {
  return absl::StrReplaceAll(PlainText(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

}  // namespace mmtune
