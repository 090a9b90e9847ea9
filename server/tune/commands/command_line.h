// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `tune`.
#pragma once

#include <string>
#include <vector>

#include "server/tune/session/console.h"

namespace mmtune {

/// Runs one command and returns the exit code. Errors are one line on `console.err`. `args` without the program's name.
int RunCommandLine(std::vector<std::string> args, const Console& console);

}  // namespace mmtune
