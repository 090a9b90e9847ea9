// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune compile`: final compilation of a user's model with the log's schedules, by mmtune-compile.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

/// The words after `tune compile`, divided into our own and those for mmtune-compile.
struct CompileArguments {
  std::string log;  ///< Empty: none named.
  bool spec = false;
  bool help = false;
  bool quiet = false;
  bool allow_unproven = false;
  std::vector<std::string> rest;  ///< All but --log.
};

/// InvalidArgument when both a log and a spec are given, or --log without a file.
absl::StatusOr<CompileArguments> ParseCompileArguments(const std::vector<std::string>& words);

/// Runs mmtune-compile with the best schedules of the log named, or of the default one where it exists; its output and
/// exit code are the command's. When it crashes, that is an error here.
absl::StatusOr<ExitCode> RunCompileCommand(const std::vector<std::string>& words, const Console& console);

}  // namespace mmtune
