// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes failure texts that fit in one line of a table and a string field of a message.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Returns the text in one line of at most `limit` characters, with "..." where it is cut: control characters become
/// spaces, runs of spaces one, bytes outside of ASCII '?'.
std::string OneLine(std::string_view text, size_t limit = 400);

/// Returns the most relevant line of a crashed child's output: the first with an error marker ("LLVM ERROR",
/// "Assertion", "error:", "what():"), else the last that is not blank. Reads at most 64 KiB of either end of the file.
/// Empty if there is none.
std::string TellingLine(const std::string& path);

}  // namespace mmtune
