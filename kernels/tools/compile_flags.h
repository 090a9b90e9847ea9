// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of mmtune-compile and tune compile: their table, and the values that it fills.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mmtune {

/// The options of --run.
struct ModelRunOptions {
  std::string function;                ///< Empty: nothing is run.
  std::vector<std::string> arguments;  ///< One for each argument of the function, or one for all.
  int repeat = 1;
  bool print_full = false;
  bool check = false;
  std::optional<double> tolerance;  ///< Default: DefaultTolerance() of each value.
};

/// The options of --verify.
struct KernelVerifyOptions {
  bool verify = false;
  // For kernels without host code.
  std::string grid, block;               ///< "X,Y,Z"; empty: as the kernels declare.
  std::optional<uint32_t> shared_bytes;  ///< Dynamic shared memory.
  int stress = 3;                        ///< Runs with schedule fuzzing.
  bool allow_nondeterministic = false;
  int time_limit = 120;  ///< Seconds of one run.
  bool json = false;
};

/// The values of all options.
struct CompileOptions {
  std::string input;           ///< "-": standard input.
  std::string spec;            ///< Empty: none.
  std::string spec_name;       ///< The spec's name in messages; empty: its path.
  bool spec_optional = false;  ///< A spec without schedules for the target is left out, with a note.
  std::string device;          ///< "simt", "cuda", "cuda:1"; empty or "auto": cuda when `arch` is given.
  std::string arch;            ///< Empty: the device's, or sm_80 for simt.
  std::string device_name;
  bool allow_other_device = false;
  bool allow_fallback = false;   ///< For schedules of the spec that are not valid.
  bool sums_as_written = false;  ///< Sums of f16 and bf16.
  std::string math = "ieee";     ///< Arithmetic of f32 matmuls.
  bool narrow_f64 = false;       ///< Arithmetic between values of f32.
  bool no_fusion = false;
  bool allow_unverified = false;  ///< Schedules of the spec that were not verified.
  std::string pass_pipeline;      ///< Passes before mmtune's; empty: none.
  std::string output;             ///< "-": standard output.
  std::string emit;               ///< Empty: by the output's suffix.
  bool emit_bytecode = false;     ///< For MLIR; a suffix may ask for it, too.
  std::string header;             ///< Empty: beside a .so or .o.
  std::string prefix;             ///< See ModelOptions::prefix.
  bool no_header = false;
  bool force = false;            ///< Replace output files that exist.
  std::string dump_after_stage;  ///< A folder for the module after each pass; empty: none.
  std::string crash_reproducer;  ///< A file that repeats a failure; empty: none.
  std::string streams = "several";
  bool device_arguments = false;
  int host_opt_level = 2;
  std::string host_cpu;  ///< Empty: this machine's processor.
  bool quiet = false;
  std::vector<std::string> shared_libraries;  ///< They define functions that the module calls.
  ModelRunOptions run;
  KernelVerifyOptions verify;
};

/// Declares the options. `options` must outlive the parsing. `tune compile` has --log, too, in place of which it gives
/// mmtune-compile a --spec.
void AddCompileOptions(CLI::App& app, CompileOptions& options);

/// Returns examples for the help of `program`, which calls its source of schedules `log_or_spec`.
std::string CompileExamples(const std::string& program, const std::string& log_or_spec);

}  // namespace mmtune
