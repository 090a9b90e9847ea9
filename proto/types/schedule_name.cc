// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule_name.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Renamed {
  std::string_view before;
  std::string_view now;
};
constexpr Renamed kRenamed[] = {{"simt", "fma"}};

}  // namespace

bool IsScheduleName(std::string_view s) {
  if (s.empty() || s.size() > 32) return false;
  for (char c : s) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

std::string_view CurrentFamilyName(std::string_view name) {
  for (const Renamed& family : kRenamed) {
    if (family.before == name) return family.now;
  }
  return name;
}

std::string CurrentFamilyVersions(std::string_view families) {
  std::vector<std::string> words = absl::StrSplit(ToAbsl(families), ' ');
  for (std::string& word : words) {
    const size_t name = std::min(word.find('='), word.size());
    word.replace(0, name, CurrentFamilyName(word.substr(0, name)));
  }
  return absl::StrJoin(words, " ");
}

}  // namespace mmtune
