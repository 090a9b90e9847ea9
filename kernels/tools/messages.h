// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of mmtune-compile on standard error, and its exit codes.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "proto/base/exit_code.h"

namespace mmtune {

/// The exit codes of mmtune-compile:
/// - kExitOk: success.
/// - kExitFailed: the module cannot be compiled, linked or run, or its result differs from the reference.
/// - kExitUsage: the options, the files or the spec are wrong, or the input is no valid module.
inline constexpr int kExitOk = Number(ExitCode::kOk), kExitFailed = Number(ExitCode::kNoResult),
                     kExitUsage = Number(ExitCode::kUsage);

/// Sets the name with which messages begin: that of the command which the user gave. `name` must live as long as the
/// process. Not thread-safe; call it before anything else.
void SetMessageName(const char* name);
/// Returns that name, "mmtune-compile" if none was set. Async-signal-safe.
const char* MessageName();

/// Prints an error of the program and returns `exit_code`.
int PrintError(const absl::Status& status, int exit_code);
/// Prints a note of the program.
void PrintNote(std::string_view text);
/// Prints a diagnostic of MLIR.
void PrintDiagnostic(std::string_view text);

}  // namespace mmtune
