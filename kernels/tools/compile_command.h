// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of the program mmtune-compile: compile a model and write the outputs, compile and run it, or verify its
// kernels. Each takes the parsed options and returns the program's exit code. Errors go to standard error, results to
// standard output. `tune compile` runs the same program.
//
//   mmtune-compile model.mlir --spec spec.json --device simt -o model.so       RunCompileCommand
//   mmtune-compile model.mlir --run main --arg random:1                        RunModelCommand
//   mmtune-compile model.mlir --verify                                         RunVerifyCommand
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/debug_outputs.h"
#include "proto/base/exit_code.h"

namespace mmtune {

/// The exit codes of mmtune-compile:
/// - kExitOk: success.
/// - kExitFailed: the module cannot be compiled, linked or run, or its result differs from the reference.
/// - kExitUsage: the options, the files or the spec are wrong.
inline constexpr int kExitOk = Number(ExitCode::kOk), kExitFailed = Number(ExitCode::kNoResult),
                     kExitUsage = Number(ExitCode::kUsage);

/// A module and everything that its compilation needs.
struct ModelRequest {
  std::string text;  ///< MLIR assembly or bytecode.
  std::string name;  ///< Name for diagnostics.
  ModelOptions options;
  std::string pass_pipeline;                    ///< The user's passes, which run on the module first; empty for none.
  std::shared_ptr<DebugOutputs> debug_outputs;  ///< Written by options.observer.
};

/// Reads the module and the tuning spec (the schedules of tuned problems), chooses the target, and checks all other
/// options. If it returns an error, the program exits with kExitUsage.
absl::StatusOr<ModelRequest> ReadRequest(const CompileOptions& options);

/// Runs the user's pass pipeline on the module, and replaces request->text by the result. Prints diagnostics, and sets
/// `*reported` to true if one of them was an error, otherwise to false. If a pass fails and a reproducer is wanted,
/// writes the reproducer.
absl::Status RunUserPasses(ModelRequest* request, bool* reported);

/// Compiles the module up to the stage `last`. Handles diagnostics and the reproducer like RunUserPasses().
absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported);

/// Calls RunUserPasses(), then CompileRequest(), then CheckCode() (code_check.h).
absl::StatusOr<CompiledModel> RunPassesAndCompile(const CompileOptions& options, ModelCompiler& compiler,
                                                  ModelRequest* request, ModelStage last, bool* reported);

/// Compiles the model and writes the outputs.
int RunCompileCommand(const CompileOptions& options);

/// Compiles the model and runs the function that --run names.
int RunModelCommand(const CompileOptions& options);

/// Verifies the kernels by running the module's functions. For a module without host code it generates functions that
/// launch the kernels. Returns kExitOk if all kernels are verified, kExitFailed if one is not, kExitUsage for an
/// invalid option, file or argument.
int RunVerifyCommand(const CompileOptions& options);

/// Returns a table with one row per kernel module, or an empty string if there are none. Its columns are the problem,
/// the source of the schedule (spec, nearest or default), the schedule, the first 12 digits of the code digest, and
/// whether the code is the measured code. If its lines would be longer than `width` characters (0: no limit), the
/// schedule and the digest are left out, and a last line says so. In Markdown it has all columns.
std::string KernelTable(const std::vector<ModelKernel>& kernels, bool markdown, size_t width);

/// Returns the compile times as text: "time      parse 1.2 ms, to-gpu 3.4 ms, total 4.6 ms".
std::string StageTimesText(const std::vector<StageTime>& times);

/// Prints an error of the program and returns `exit_code`.
int PrintError(const absl::Status& status, int exit_code);

/// Prints a diagnostic of MLIR to standard error.
void PrintDiagnostic(std::string_view text);

}  // namespace mmtune
