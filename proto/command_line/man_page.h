// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A manual page of a program, made of the option table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace mmtune {

/// Returns a page in section 1, in the macros of man(7), with every command, option and exit code of the program.
/// `version` and `date` are for its foot.
std::string ManPage(const CLI::App& program, std::string_view version, std::string_view date);

}  // namespace mmtune
