// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes text as one word of a command line that a user can paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace mmtune {

/// Returns the text between single quotes, for bash and zsh.
std::string ShellQuoted(std::string_view text);

/// Returns the text unchanged if a shell reads it as one word and expands nothing in it, and otherwise ShellQuoted().
std::string ShellWord(std::string_view text);

}  // namespace mmtune
