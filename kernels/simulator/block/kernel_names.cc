// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/block/kernel_names.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

constexpr size_t kLongestLine = 120;
/// More than shared memory has bytes.
constexpr int64_t kLargestNumber = 1 << 20;

std::optional<int64_t> NumberOf(absl::string_view text) {
  int64_t number = -1;
  if (!absl::SimpleAtoi(text, &number) || number < 0 || number > kLargestNumber) return std::nullopt;
  return number;
}

}  // namespace

KernelNames::KernelNames(std::string_view text) {
  for (absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(' ', 3));
    if (line.size() > kLongestLine || parts.size() != 4 || parts[3].empty()) continue;
    if (!std::all_of(parts[3].begin(), parts[3].end(), absl::ascii_isprint)) continue;
    const std::optional<int64_t> first = NumberOf(parts[1]), count = NumberOf(parts[2]);
    if (first && count) ranges_.push_back({std::string(parts[0]), *first, *count, std::string(parts[3])});
  }
}

std::string KernelNames::Find(std::string_view kind, int64_t distance, int64_t position) const {
  for (const Range& range : ranges_) {
    const int64_t from = position - range.first;
    if (range.kind != kind || from < 0 || from % distance != 0 || from / distance >= range.count) continue;
    if (kind == "warps" || range.count == 1) return range.name;
    return absl::StrCat(range.name, "[", from / distance, "]");
  }
  return {};
}

}  // namespace mmtune::simt
