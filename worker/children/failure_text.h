// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a failure, fit for one line of a table and a string field of a message.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Control characters and bytes outside ASCII become spaces and '?', runs of spaces one space; at most `limit`
/// characters, the cut marked with "...".
std::string OneLine(std::string_view text, size_t limit = 400);

/// The line of a crashed child's output that says most: the first with an error marker ("LLVM ERROR", "Assertion",
/// "error:", "what():"), else the last that is not blank. Reads at most 64 KiB of either end of the file. Empty when
/// there is none.
std::string TellingLine(const std::string& path);

}  // namespace mmtune
