// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suggestions for mistyped words ("did you mean"): the known word that is closest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// Returns the number of edits that turn `a` into `b`, ignoring case. An edit inserts, deletes or replaces a letter, or
/// swaps two neighbours.
size_t EditDistance(std::string_view a, std::string_view b);

/// Returns the candidate with the smallest EditDistance() to `word`, if that distance is at most a third of the number
/// of letters of `word` (or 1, if that is more). If no candidate is so close, and exactly one begins with `word`,
/// returns that one, otherwise "".
std::string Closest(std::string_view word, const std::vector<std::string>& candidates);

/// Returns "; did you mean 'matmul'?", the end of an error, or "" if no candidate is close.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mmtune
