// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of --help, generated from the options and subcommands that a program declares with CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

/// The largest width of help in characters, however wide the terminal is.
inline constexpr size_t kWidestHelp = 100;

/// Breaks a text into lines of at most `width` characters at its spaces. A longer word gets a line of its own. Lines
/// that begin with two spaces, such as examples, are kept as they are.
std::vector<std::string> Wrap(std::string_view text, size_t width);

/// Returns the help of a program or command in lines of at most `width` characters: usage, commands, operands, options
/// by groups, and its footer. Options of the group kRareGroup, which few users need, are shown only if `all` is true
/// (--help-all). A program's help ends with the table of exit codes.
std::string HelpText(const CLI::App& command, bool all, size_t width);

/// Returns the number of columns of the terminal that a file descriptor is open on; 0 if it is not a terminal.
size_t TerminalColumns(int descriptor);
/// Returns $COLUMNS, or else the columns of the terminal on the standard output; 0 if there is neither.
size_t OutputColumns();
/// Returns the width of help for an output of `columns` columns (0 if unknown): at most kWidestHelp.
inline size_t HelpWidth(size_t columns) { return columns == 0 ? kWidestHelp : std::min(columns, kWidestHelp); }

}  // namespace mmtune
