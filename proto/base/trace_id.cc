// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/trace_id.h"

#include <algorithm>

namespace mmtune {
namespace {

constexpr size_t kParentSize = 2 + 1 + kTraceIdDigits + 1 + 16 + 1 + 2;

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool AllZero(std::string_view text) { return text.find_first_not_of('0') == text.npos; }

}  // namespace

bool IsTraceId(std::string_view text) { return text.size() == kTraceIdDigits && IsHex(text) && !AllZero(text); }

std::optional<std::string> TraceIdOfParent(std::string_view traceparent) {
  // A later version may add to it, behind another dash.
  if (traceparent.size() < kParentSize) return std::nullopt;
  const std::string_view version = traceparent.substr(0, 2), id = traceparent.substr(3, kTraceIdDigits),
                         parent = traceparent.substr(36, 16), flags = traceparent.substr(53, 2);
  const bool dashes = traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-';
  const bool ends = traceparent.size() == kParentSize || (version != "00" && traceparent[kParentSize] == '-');
  if (!dashes || !ends || !IsHex(version) || version == "ff" || !IsHex(parent) || AllZero(parent) || !IsHex(flags)) {
    return std::nullopt;
  }
  if (!IsTraceId(id)) return std::nullopt;
  return std::string(id);
}

}  // namespace mmtune
