// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a model and writes what was asked for.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "kernels/model/model_compiler.h"
#include "kernels/tools/compile_options.h"

namespace mmtune {

/// Exit codes of mmtune-compile.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  ///< The module cannot be compiled, linked or run, or its result differs.
inline constexpr int kExitUsage = 2;   ///< Options, files, the spec.

/// A module and everything its compilation needs.
struct ModelRequest {
  std::string text;
  std::string name;  ///< For diagnostics.
  ModelOptions options;
};

/// Reads the module and the spec and chooses the target. Errors end the program with kExitUsage.
absl::StatusOr<ModelRequest> ReadRequest(const CompileOptions& options);

/// Compiles with diagnostics on standard error. `*reported` says whether one was an error.
absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported);

/// The exit code; errors are on standard error, results on standard output.
int RunCompileCommand(const CompileOptions& options);

/// Prints a status as an error of the program.
int PrintError(const absl::Status& status, int exit_code);

}  // namespace mmtune
