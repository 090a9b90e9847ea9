// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune compile`: compiles a user's model with the schedules of a log, by mmtune-compile.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// The arguments of `tune compile`: its own, and those for mmtune-compile.
struct CompileArguments {
  std::string log;  ///< Empty: none is named.
  bool spec = false;
  bool help = false;
  bool quiet = false;
  bool allow_unverified = false;
  std::vector<std::string> rest;  ///< All arguments but --log.
};

/// Returns InvalidArgument if both a log and a spec are given, or --log without a file.
absl::StatusOr<CompileArguments> ParseCompileArguments(const std::vector<std::string>& words);

/// Runs mmtune-compile with the best schedules of the named log, or of the default one if it exists. Its output and
/// exit code become those of the command; a crash is an error.
absl::StatusOr<ExitCode> RunCompileCommand(const std::vector<std::string>& words, const Console& console);

}  // namespace mmtune
