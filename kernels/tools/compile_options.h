// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mmtune-compile was asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {

/// What a compilation ends with.
enum class EmitKind { kMlirGpu, kMlirBinary, kMlirLlvm, kLlvmIr, kObject, kSharedLibrary, kPtx, kCubin };

/// "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx", "cubin".
std::string_view EmitKindName(EmitKind kind);
absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name);
/// By the suffix: .mlir and .mlirbc (mlir-llvm), .ll, .o, .so, .ptx, .cubin. InvalidArgument for others.
absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path);
/// By the suffix: whether MLIR is to be bytecode there.
bool IsBytecodeFile(std::string_view path);
/// Whether it is MLIR, as text or bytecode.
bool IsMlir(EmitKind kind);
/// The last stage that a kind needs.
ModelStage StageOf(EmitKind kind);

struct RunOptions {
  std::string function;                ///< Empty: nothing is run.
  std::vector<std::string> arguments;  ///< One for each of the function's, or one for all.
  int repeat = 1;
  bool print_full = false;
  bool check = false;
  std::optional<double> tolerance;  ///< DefaultTolerance() of each value where nothing is said.
};

struct VerifyOptions {
  bool verify = false;
  // For kernels without host code.
  std::string grid, block;               ///< "X,Y,Z"; empty: what the kernels say.
  std::optional<uint32_t> shared_bytes;  ///< Dynamic shared memory.
  int stress = 3;                        ///< Stress runs.
  bool allow_nondeterministic = false;
  int time_limit = 120;  ///< Seconds of one run.
  bool json = false;
};

struct CompileOptions {
  std::string input;      ///< "-": standard input.
  std::string spec;       ///< Empty: none.
  std::string spec_name;  ///< What messages call the spec; empty: its path.
  std::string device;     ///< "simt", "cuda", "cuda:1"; empty: cuda when `arch` is given.
  std::string arch;       ///< Empty: the device's, or sm_80 for simt.
  std::string device_name;
  bool allow_other_device = false;
  bool allow_fallback = false;   ///< For schedules of the spec that are not valid.
  bool sums_as_written = false;  ///< Of f16 and bf16.
  std::string math = "ieee";     ///< Of products of f32.
  bool narrow_f64 = false;       ///< Where it comes from f32 and becomes f32.
  bool no_fusion = false;
  bool allow_unproven = false;  ///< Of the spec's schedules.
  std::string pass_pipeline;    ///< Passes before mmtune's; empty: none.
  std::string output;           ///< "-": standard output.
  std::string emit;             ///< Empty: by the output's suffix.
  bool emit_bytecode = false;   ///< Of MLIR; a suffix may say so, too.
  std::string header;           ///< Empty: beside a .so or .o.
  std::string prefix;           ///< As ModelOptions::prefix.
  bool no_header = false;
  bool force = false;            ///< Replace output files that exist.
  std::string dump_after_stage;  ///< A folder for the module after each pass; empty: none.
  std::string crash_reproducer;  ///< A file for what repeats a failure; empty: none.
  std::string streams = "several";
  bool device_arguments = false;
  int host_opt_level = 2;
  std::string host_cpu;  ///< Empty: this machine's processor.
  bool quiet = false;
  std::vector<std::string> shared_libraries;  ///< With functions that the module calls.
  RunOptions run;
  VerifyOptions verify;
};

}  // namespace mmtune
