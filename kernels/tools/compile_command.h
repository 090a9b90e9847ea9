// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mmtune-compile does: compiles a model and writes what was asked for, runs it, or proves its kernels. Each
// command returns the exit code; errors are on standard error, results on standard output.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/compile_watch.h"

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
  std::string pass_pipeline;            ///< To run on the module before; empty: none.
  std::shared_ptr<CompileWatch> watch;  ///< Which the options' observer is of.
};

/// Reads the module and the spec, chooses the target, and looks at what else the options name. Errors end the program
/// with kExitUsage.
absl::StatusOr<ModelRequest> ReadRequest(const CompileOptions& options);

/// Runs the pipeline of the request, whose text becomes what it leaves. Diagnostics go to standard error; `*reported`
/// says whether one was an error. Where a reproducer of a failure is wanted, it is written.
absl::Status RunOwnPasses(ModelRequest* request, bool* reported);

/// Compiles, with diagnostics and a reproducer as RunOwnPasses has them.
absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported);

/// The two, one after the other. FailedPrecondition where a schedule of the spec makes other code than was measured and
/// verified, and nothing but an edited record explains that, unless options.allow_unproven.
absl::StatusOr<CompiledModel> RunPassesAndCompile(const CompileOptions& options, ModelCompiler& compiler,
                                                  ModelRequest* request, ModelStage last, bool* reported);

/// Compiles and writes.
int RunCompileCommand(const CompileOptions& options);

/// Compiles and runs the function that --run names.
int RunModelCommand(const CompileOptions& options);

/// Proves the kernels, by the module's functions or by launchers made for them: kExitOk when all is verified,
/// kExitFailed when not, kExitUsage for options, files and arguments.
int RunVerifyCommand(const CompileOptions& options);

/// One row for each kernel module: the problem, where its schedule is from, the first 12 digits of its code digest,
/// whether that is the code that was measured, the schedule. Empty when there are none.
std::string KernelTable(const std::vector<ModelKernel>& kernels);

/// "time      parse 1.2 ms, to-gpu 3.4 ms, total 4.6 ms".
std::string StageTimesText(const std::vector<StageTime>& times);

/// Prints a status as an error of the program.
int PrintError(const absl::Status& status, int exit_code);

/// Prints what MLIR says, as it says it, on standard error.
void PrintDiagnostic(std::string_view text);

}  // namespace mmtune
