// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/wire/utf8.h"

namespace mmtune {

std::string Utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    auto lead = static_cast<unsigned char>(text[i]);
    size_t length = lead < 0x80                   ? 1
                    : lead >= 0xc2 && lead < 0xe0 ? 2
                    : lead >= 0xe0 && lead < 0xf0 ? 3
                    : lead >= 0xf0 && lead < 0xf5 ? 4
                                                  : 0;
    bool valid = length > 0 && i + length <= text.size();
    for (size_t j = 1; valid && j < length; ++j) valid = (static_cast<unsigned char>(text[i + j]) & 0xc0) == 0x80;
    if (valid && length == 3) {
      auto second = static_cast<unsigned char>(text[i + 1]);
      valid = !(lead == 0xe0 && second < 0xa0) && !(lead == 0xed && second >= 0xa0);
    }
    if (valid && length == 4) {
      auto second = static_cast<unsigned char>(text[i + 1]);
      valid = !(lead == 0xf0 && second < 0x90) && !(lead == 0xf4 && second >= 0x90);
    }
    if (valid) {
      out.append(text.substr(i, length));
      i += length;
    } else {
      out += '?';
      ++i;
    }
  }
  return out;
}

}  // namespace mmtune
