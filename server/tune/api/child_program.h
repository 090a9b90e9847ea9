// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program whose output is read while it runs. Uses no other part of mmtune: libmmtune_tuner.so is this and the
// functions of mmtune_tuner.h.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune::tuner {

/// The result of a program that has ended.
struct ProgramEnd {
  int exit_code = 0;  ///< 128 + the number of the signal, if a signal ended it.
  std::string out;    ///< All of its standard output.
  std::string why;    ///< Why it could not be started, or has no exit code; empty if it has one.
};

/// Runs argv[0], a path or a name on $PATH, in a process group of its own, with the signal mask and the handlers that a
/// shell would give it. Calls `on_line` with each line of standard error, without its end. Sends SIGINT once if `stop`
/// is requested, or if `on_line` throws. Returns when the program has ended, or throws what `on_line` threw.
ProgramEnd RunProgram(const std::vector<std::string>& argv, const std::stop_token& stop,
                      const std::function<void(std::string_view)>& on_line);

/// Returns the path of a program in ../bin of the folder of this library, or `name` if it is not there.
std::string ProgramOfInstallation(const std::string& name);

}  // namespace mmtune::tuner
