// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of mmtune-compile: compile a model and write the outputs, run it, or verify its kernels. Each returns
// the exit code; errors go to standard error, results to standard output.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/debug_outputs.h"

namespace mmtune {

/// Exit codes of mmtune-compile.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  ///< The module cannot be compiled, linked or run, or its result differs.
inline constexpr int kExitUsage = 2;   ///< Bad options, files or spec.

/// A module and everything its compilation needs.
struct ModelRequest {
  std::string text;
  std::string name;  ///< For diagnostics.
  ModelOptions options;
  std::string pass_pipeline;                    ///< Passes to run on the module first; empty: none.
  std::shared_ptr<DebugOutputs> debug_outputs;  ///< The options' observer writes to them.
};

/// Reads the module and the spec, chooses the target, and checks all other options. For errors the exit code is
/// kExitUsage.
absl::StatusOr<ModelRequest> ReadRequest(const CompileOptions& options);

/// Runs the request's own pass pipeline on its text. Prints diagnostics; `*reported` becomes true if one was an error.
/// Writes a reproducer of a failure, if one is wanted.
absl::Status RunOwnPasses(ModelRequest* request, bool* reported);

/// Compiles, with diagnostics and a reproducer like RunOwnPasses().
absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported);

/// Does both, one after the other. FailedPrecondition if a schedule of the spec gives other code than was measured and
/// verified, and only an edited record explains that, unless options.allow_unverified.
absl::StatusOr<CompiledModel> RunPassesAndCompile(const CompileOptions& options, ModelCompiler& compiler,
                                                  ModelRequest* request, ModelStage last, bool* reported);

/// Compiles and writes the outputs.
int RunCompileCommand(const CompileOptions& options);

/// Compiles and runs the function that --run names.
int RunModelCommand(const CompileOptions& options);

/// Verifies the kernels by running the module's functions, or launchers made for kernels without host code. Returns
/// kExitOk if all are verified, kExitFailed if not, kExitUsage for bad options, files and arguments.
int RunVerifyCommand(const CompileOptions& options);

/// Returns a table with a row for each kernel module: its problem, the source of its schedule, the first 12 digits of
/// its code digest, how that compares with the code measured, the schedule. Empty if there are none.
std::string KernelTable(const std::vector<ModelKernel>& kernels);

/// Returns "time      parse 1.2 ms, to-gpu 3.4 ms, total 4.6 ms".
std::string StageTimesText(const std::vector<StageTime>& times);

/// Prints a status as an error of the program.
int PrintError(const absl::Status& status, int exit_code);

/// Prints a diagnostic of MLIR on standard error.
void PrintDiagnostic(std::string_view text);

}  // namespace mmtune
