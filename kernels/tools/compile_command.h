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
#include "kernels/tools/messages.h"

namespace mmtune {

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
/// writes the reproducer. Returns the errors of RunPassPipeline() (model_compiler.h).
absl::Status RunUserPasses(ModelRequest* request, bool* reported);

/// Compiles the module up to the stage `last`, and returns the errors of ModelCompiler::Compile(). Handles diagnostics
/// and the reproducer as RunUserPasses() does.
absl::StatusOr<CompiledModel> CompileRequest(ModelCompiler& compiler, const ModelRequest& request, ModelStage last,
                                             bool* reported);

/// Calls RunUserPasses(), then CompileRequest(), then CheckCode() (code_check.h). Returns the first error of them.
absl::StatusOr<CompiledModel> RunPassesAndCompile(const CompileOptions& options, ModelCompiler& compiler,
                                                  ModelRequest* request, ModelStage last, bool* reported);

/// Prints the error of a failed compilation, unless diagnostics have `reported` it, and returns the exit code:
/// kExitUsage for InvalidArgument, which means that the text is no valid module, and kExitFailed for
/// all other errors.
int FailedCompilation(const absl::Status& status, bool reported);

/// Checks, before anything is compiled, that every output can be written, and that the tools for it are installed.
/// InvalidArgument is an error with kExitUsage, others are with kExitFailed.
absl::Status CheckOutputs(const CompileOptions& options, EmitKind kind, const DeviceInfo& device);

/// Writes the file of --emit matmuls. Returns the errors of OutputFiles (output_files.h).
absl::Status WriteMatmuls(const CompileOptions& options, const ModelMatmuls& matmuls);

/// Compiles the model and writes the outputs.
int RunCompileCommand(const CompileOptions& options);

/// Compiles the model and runs the function that --run names. With --emit matmuls, writes the matmuls to the output,
/// with the calls of each that the first run made, and the time of a run.
int RunModelCommand(const CompileOptions& options);

/// Verifies the kernels by running the module's functions. For a module without host code it generates functions that
/// launch the kernels. Returns kExitOk if all kernels are verified, kExitFailed if one is not, kExitUsage for an
/// invalid option, file or argument.
int RunVerifyCommand(const CompileOptions& options);

}  // namespace mmtune
