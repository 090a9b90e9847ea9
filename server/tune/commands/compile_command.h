// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs mmtune-compile as a child process, for the commands of `tune` that compile a model.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/exit_code.h"

namespace mmtune {

/// Runs mmtune-compile with these words, as `tune compile` does, and returns its exit code. Temporary files go to
/// `folder`. Its standard output and error go to the file `output_path` or, if that is empty, to those of this process.
/// An interrupt ends it. Returns an error with an exit code if it crashes or is not installed.
absl::StatusOr<ExitCode> RunCompiler(std::vector<std::string> words, const std::string& folder,
                                     const std::string& output_path = "");

}  // namespace mmtune
