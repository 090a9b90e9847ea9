// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Did you mean": the known word that a mistyped one is closest to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// Returns the number of letters to insert, delete, replace or swap with their neighbour to make `b` of `a`; upper and
/// lower case are alike.
size_t EditDistance(std::string_view a, std::string_view b);

/// Returns the candidate with the smallest EditDistance() to `word`, or else the only one that begins with it. Empty if
/// none is close: up to one letter in three may be wrong.
std::string Closest(std::string_view word, const std::vector<std::string>& candidates);

/// Returns "; did you mean 'matmul'?", the end of an error, or "" if no candidate is close.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mmtune
