// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/toolchain_difference.h"

#include <map>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {

std::string DifferenceText(const Toolchain& other, const Toolchain& own) {
  std::map<std::string, std::string> here;
  Toolchain::Fields(own, [&here](std::string_view name, const std::string& text) { here[std::string(name)] = text; });
  std::string difference;
  Toolchain::Fields(other, [&](std::string_view name, const std::string& text) {
    const std::string& own_text = here[std::string(name)];
    if (difference.empty() && text != own_text) difference = absl::StrCat(ToAbsl(name), " ", text, ", here ", own_text);
  });
  return PlainText(difference);
}

}  // namespace mmtune
