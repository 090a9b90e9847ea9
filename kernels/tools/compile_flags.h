// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command-line options of mmtune-compile and `tune compile`: a function that declares them, and the structs that
// receive their values. --help of these programs explains each option.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mmtune {

/// The options of --run.
struct ModelRunOptions {
  std::string function;                ///< The function to run; if empty, nothing is run.
  std::vector<std::string> arguments;  ///< One text for each argument of the function, or one for all.
  int repeat = 1;                      ///< The number of calls.
  bool print_full = false;             ///< Print every element of the results, not just the first ones.
  bool check = false;                  ///< Compare the results with the module compiled for the CPU alone.
  std::optional<double> tolerance;     ///< Largest difference accepted; absent means DefaultTolerance().
};

/// The options of --verify.
struct KernelVerifyOptions {
  bool verify = false;
  // These three are for kernels that no host code launches.
  std::string grid, block;               ///< "X,Y,Z"; empty: as the kernel declares, else grid 1,1,1.
  std::optional<uint32_t> shared_bytes;  ///< Bytes of dynamic shared memory; absent: 0.
  int fuzzing_runs = 3;                  ///< Number of runs with random thread orders (schedule fuzzing).
  bool allow_nondeterministic = false;   ///< Accept results that depend on the order of threads.
  int time_limit = 120;                  ///< Limit for one run, in seconds.
};

/// The values of all options.
struct CompileOptions {
  std::string input;           ///< Path of the module; "-" is standard input.
  std::string spec;            ///< Path of the tuning spec; empty for none.
  std::string spec_name;       ///< The spec's name in messages; empty means its path.
  bool spec_optional = false;  ///< Ignore a spec without schedules for the target, and print a note.
  std::string device;          ///< "simt", "cuda", "cuda:1"; empty or "auto" means cuda, and needs `arch`.
  std::string arch;            ///< Empty means the architecture of the device, or sm_80 for simt.
  std::string device_name;     ///< Part of the name of the device whose schedules in the spec are used; empty: any.
  bool allow_other_device = false;  ///< Use schedules of other devices if the spec has none for the target.
  bool allow_fallback = false;      ///< If a schedule of the spec is not valid, use another one; false: fail.
  bool sums_as_written = false;     ///< Round f16 and bf16 sums at each step; false: only once, at the end.
  std::string math = "ieee";        ///< How f32 is multiplied: "ieee", "tf32", ... (MathMode).
  bool narrow_f64 = false;          ///< Compute in f32 between a conversion from f32 to f64 and one back.
  bool no_fusion = false;           ///< Fuse only epilogues, to find a kernel that is wrong or slow.
  bool allow_unverified = false;    ///< Also use schedules of the spec that were not verified.
  std::string pass_pipeline;        ///< Passes to run before mmtune's; empty for none.
  std::string output;               ///< Path of the output; "-" is standard output.
  std::string emit;                 ///< The kind of output; if empty, the suffix of `output` decides.
  bool emit_bytecode = false;       ///< Write MLIR as bytecode. The suffix .mlirbc asks for it, too.
  std::string header;               ///< Path of the C header; if empty, it is beside a .so or .o.
  std::string prefix;               ///< Prefix of the symbols of public functions; may be empty.
  bool no_header = false;           ///< Write no C header.
  bool force = false;               ///< Replace output files that exist.
  std::string dump_after_stage;     ///< Folder that receives the module after each pass; empty for none.
  std::string crash_reproducer;     ///< File that receives a reproducer of a failure; empty for none.
  std::string streams = "several";  ///< "one": all device operations run in program order; or "several".
  bool device_arguments = false;    ///< Functions take device memory; false: they copy from host memory.
  int host_opt_level = 2;           ///< LLVM's optimization level of host code, 0 to 3.
  std::string host_cpu;             ///< The processor for host code, such as "x86-64-v3"; empty: this one.
  bool quiet = false;               ///< Print no table and no times.
  bool markdown = false;            ///< Print the table in Markdown.
  bool csv = false;                 ///< Print the rows of the table as CSV, and no times.
  bool json = false;                ///< Print table and times as a JSON object; with --verify, one for each function.
  std::vector<std::string> shared_libraries;  ///< Libraries that define functions which the module calls.
  ModelRunOptions run;
  KernelVerifyOptions verify;
};

/// Declares the options in `app`, so that parsing a command line sets `options`, which must outlive the parsing. `tune
/// compile` also has the option --log, and passes the schedules of the log to mmtune-compile as a --spec.
void AddCompileOptions(CLI::App& app, CompileOptions& options);

/// Declares --arg and --repeat, which need the option --run of `app`.
void AddCallOptions(CLI::App& app, ModelRunOptions& run);

/// Returns the examples for the help text of `program`. `log_or_spec` is how they name the source of schedules: "--log
/// tuning.db" or "--spec spec.json".
std::string CompileExamples(const std::string& program, const std::string& log_or_spec);

}  // namespace mmtune
