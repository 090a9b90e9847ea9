// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/revoked.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune {

std::string PlainSerial(std::string_view serial) {
  const size_t first = std::min(serial.find_first_not_of('0'), serial.size());
  return absl::AsciiStrToLower(ToAbsl(serial.substr(first)));
}

absl::StatusOr<std::set<std::string, std::less<>>> ParseRevoked(std::string_view text) {
  std::set<std::string, std::less<>> serials;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    ++number;
    const absl::string_view serial = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (serial.empty()) continue;
    if (!std::all_of(serial.begin(), serial.end(), [](char c) { return absl::ascii_isxdigit(c); })) {
      return InvalidArgument(absl::StrCat("line ", number, " is not a serial in hexadecimal digits"));
    }
    serials.insert(PlainSerial(ToStd(serial)));
  }
  return serials;
}

}  // namespace mmtune
