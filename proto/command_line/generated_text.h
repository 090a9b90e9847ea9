// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that a program prints for a shell: words of commands that a user can paste, and, generated from the option
// table, a manual page and scripts that complete its commands, options and values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace mmtune {

/// Returns the text between single quotes, for bash and zsh.
std::string ShellQuoted(std::string_view text);
/// Returns the text unchanged if a shell reads it as one word and expands nothing in it, and otherwise ShellQuoted().
std::string ShellWord(std::string_view text);

/// Returns a page in section 1, in the macros of man(7), with every command, option and exit code of the program.
/// `version` and `date` are shown in its footer.
std::string ManPage(const CLI::App& program, std::string_view version, std::string_view date);

/// Returns a completion script for bash, which does not need the bash-completion package. It completes the value of an
/// option by the option's name alone, because an option means the same in every command.
std::string BashCompletion(const CLI::App& program);
/// Returns the content of a file _<program> for zsh's $fpath.
std::string ZshCompletion(const CLI::App& program);
/// Returns the content of a file <program>.fish.
std::string FishCompletion(const CLI::App& program);

}  // namespace mmtune
