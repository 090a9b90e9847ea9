// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule_name.h"

namespace mmtune {

bool IsScheduleName(std::string_view s) {
  if (s.empty() || s.size() > 32) return false;
  for (char c : s) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

}  // namespace mmtune
