// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/command_line/suggestion.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace mmtune {

size_t EditDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) { return absl::ascii_tolower(x) == absl::ascii_tolower(y); };
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::string Closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty()) return "";
  std::string closest;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  std::vector<std::string> begun;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    // One wrong letter is half of a word of two letters.
    if (distance < least && distance < std::max(word.size(), candidate.size()) - (word.size() <= 2)) {
      least = distance;
      closest = candidate;
    }
    if (candidate.starts_with(word)) begun.push_back(candidate);
  }
  return closest.empty() && begun.size() == 1 ? begun.front() : closest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string closest = Closest(word, candidates);
  return closest.empty() ? "" : absl::StrCat("; did you mean '", closest, "'?");
}

}  // namespace mmtune
