// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scripts that complete the commands, options and values of a program in a shell, made of the option table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mmtune {

/// Returns a script for bash, which needs no package of completions. It completes the value of an option by its name
/// alone, as an option means the same in every command.
std::string BashCompletion(const CLI::App& program);
/// Returns the content of a file _<program> for zsh's $fpath.
std::string ZshCompletion(const CLI::App& program);
/// Returns the content of a file <program>.fish.
std::string FishCompletion(const CLI::App& program);

}  // namespace mmtune
