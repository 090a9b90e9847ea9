// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Returns a text in one line of at most `limit` characters, so that it fits a table cell and a log line. Control
/// characters become spaces, runs of spaces one space, and bytes outside of ASCII '?'. A text that was cut ends with
/// "...".
std::string OneLine(std::string_view text, size_t limit = 400);

/// Returns the most relevant line of the output file of a crashed child: the first line with an error marker ("LLVM
/// ERROR", "Assertion", "error:", "what():"), else the last line that is not blank. Reads at most 64 KiB from each end
/// of the file. Returns "" if there is none.
std::string TellingLine(const std::string& path);

}  // namespace mmtune
