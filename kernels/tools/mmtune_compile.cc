// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-compile: builds a user's MLIR module with the best schedules of a tuning spec, runs it, or verifies its
// kernels.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "kernels/tools/compile_command.h"
#include "kernels/tools/compile_options.h"
#include "kernels/tools/debug_outputs.h"
#include "proto/base/output_file.h"
#include "proto/base/process_guard.h"
#include "proto/base/program_options.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

void AddTargetOptions(CLI::App& app, CompileOptions& options) {
  app.add_option("--spec", options.spec, "Tuning spec with the schedules to use (tune records spec); none: defaults")
      ->type_name("FILE");
  app.add_option("--spec-name", options.spec_name)->group("");
  app.add_option("--arch", options.arch,
                 absl::StrCat("Compile for one of ", KnownArchitectures(), "; with --device simt: stand in"))
      ->type_name("ARCH");
  app.add_option("--device", options.device, "cuda (default with --arch), cuda:<i>, or simt (this machine's CPU)")
      ->type_name("NAME");
  app.add_option("--device-name", options.device_name,
                 "Which device's schedules to use when the spec has those of several: a part of its name")
      ->type_name("TEXT");
  app.add_flag("--allow-other-device", options.allow_other_device,
               "Use the spec's schedules of other devices when it has none for this one");
  app.add_flag("--allow-fallback", options.allow_fallback,
               "Use another schedule, with a remark, where the spec's own for a matmul is not valid");
  app.add_option("--math", options.math,
                 "Arithmetic of f32 matmuls: ieee; on tensor cores: tf32 (rounds the operands to 11 bits), or as "
                 "accurate as f32: tf32x3, bf16x6. Schedules are those tuned with the same --math")
      ->check(CLI::IsMember({"ieee", "tf32", "tf32x3", "bf16x6"}))
      ->type_name("MODE")
      ->capture_default_str();
  app.add_flag("--no-fusion", options.no_fusion,
               "Give each operation that is not a matmul a kernel of its own, except for the epilogue of a matmul");
  app.add_flag("--sums-as-written", options.sums_as_written,
               "Where the module sums in f16 or bf16, round at each step as it does; no tuned kernel does, so "
               "such matmuls get one thread for each element");
  app.add_flag(
      "--narrow-f64", options.narrow_f64,
      "Do arithmetic in f64 whose operands are values of f32 and whose results become f32 in f32, as in torch's "
      "layer norm: faster, and less exact; a remark says where");
  app.add_flag("--allow-unverified", options.allow_unverified,
               "Use schedules that were timed without verification, too; the table marks them");
}

void AddOutputOptions(CLI::App& app, CompileOptions& options) {
  app.add_option("-o", options.output,
                 "Output: .so, .o, .ll, .mlir or .mlirbc (LLVM dialect), .ptx, .cubin; - is standard output")
      ->type_name("FILE");
  app.add_option("--emit", options.emit,
                 "The kind of output, whatever the suffix: mlir-gpu, mlir-binary, mlir-llvm, llvm, obj, so, ptx, cubin")
      ->type_name("KIND");
  app.add_flag("--emit-bytecode", options.emit_bytecode, "MLIR as bytecode, not as text, whatever the suffix");
  auto* header = app.add_option("--header", options.header,
                                "C header of the functions; default beside a .so or .o (libmodel.so -> libmodel.h)")
                     ->type_name("FILE");
  app.add_flag("--no-header", options.no_header, "No header")->excludes(header);
  app.add_option(
         "--prefix", options.prefix,
         "Begin the names of the functions with it (_mlir_ciface_<prefix><name>): so two models with functions of "
         "one name go into one program")
      ->type_name("TEXT");
  app.add_flag("--force", options.force, "Replace output files that exist");
  app.add_option("--streams", options.streams,
                 "several: independent operations overlap on the device; one: all in the order of the program")
      ->check(CLI::IsMember({"one", "several"}))
      ->type_name("")
      ->capture_default_str();
  app.add_flag("--device-arguments", options.device_arguments,
               "The functions' arguments are device memory already, so they are not copied");
  app.add_option("-O", options.host_opt_level, "Optimisation of the host code, 0 to 3")
      ->check(IntegerFrom(0, 3))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--host-cpu", options.host_cpu,
         "The processor that the host code, and SIMT code, is for: x86-64-v3, skylake, …; default this machine's")
      ->type_name("NAME");
  app.add_option("--shared-libs", options.shared_libraries,
                 "Libraries with functions that the module calls, to link a .so with, or for --run")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIB,...");
  app.add_flag("--quiet", options.quiet, "No table and no times");
}

void AddPassOptions(CLI::App& app, CompileOptions& options) {
  app.add_option("--pass-pipeline", options.pass_pipeline,
                 "Run these passes of MLIR or mmtune on the module first, as mmtune-opt has them: canonicalize,cse")
      ->type_name("PASSES");
  app.add_option("--dump-after-stage", options.dump_after_stage,
                 "Write the module after each pass that changed it to a new folder, in numbered files")
      ->type_name("FOLDER");
  app.add_option("--crash-reproducer", options.crash_reproducer,
                 "Where a pass fails or crashes, write the module before it with the passes to run, for "
                 "mmtune-opt --run-reproducer")
      ->type_name("FILE");
}

void AddRunOptions(CLI::App& app, RunOptions& run) {
  auto* function =
      app.add_option("--run", run.function, "Run this function now, in this process")->type_name("FUNCTION");
  app.add_option("--arg", run.arguments,
                 "One for each argument, or one for all: random:SEED, ones, zeros, iota, value:X, file:PATH (raw "
                 "elements); with @128x64 behind it for dynamic sizes")
      ->type_name("VALUE")
      ->allow_extra_args(false);
  app.add_option("--repeat", run.repeat, "Calls; the first is printed and checked, the others are timed")
      ->check(IntegerFrom(1, 1'000'000))
      ->type_name("N")
      ->needs(function);
  app.add_option_function<std::string>(
         "--print", [&run](const std::string& what) { run.print_full = what == "full"; },
         "full: every element of results; short: the first ones")
      ->check(CLI::IsMember({"short", "full"}))
      ->type_name("")
      ->needs(function);
  auto* check =
      app.add_flag("--check", run.check, "Compare with the same module compiled for the CPU alone")->needs(function);
  app.add_option("--tolerance", run.tolerance,
                 "Largest error accepted, by the largest magnitude of the result; default 1e-4, and for results of f16 "
                 "and bf16 one unit in the last place more")
      ->check(NumberFrom(0))
      ->type_name("X")
      ->needs(check);
}

void AddVerifyOptions(CLI::App& app, VerifyOptions& options) {
  auto* verify = app.add_flag(
      "--verify", options.verify,
      "Verify with the SIMT device's race detector and schedule fuzzing that kernels have no races, by --run "
      "FUNCTION, or each kernel by itself if the module has no functions; --check compares values, too");
  app.add_option("--grid", options.grid, "For kernels that the module does not launch: blocks; default 1")
      ->type_name("X,Y,Z")
      ->needs(verify);
  app.add_option("--block", options.block, "For kernels that the module does not launch: threads of a block")
      ->type_name("X,Y,Z")
      ->needs(verify);
  app.add_option("--shared-bytes", options.shared_bytes,
                 "For kernels that the module does not launch: bytes of dynamic shared memory; default 0")
      ->check(IntegerFrom(0, 1 << 20))
      ->type_name("N")
      ->needs(verify);
  app.add_option("--stress", options.stress, "Runs with schedule fuzzing")
      ->check(IntegerFrom(0, 100'000))
      ->type_name("N")
      ->capture_default_str()
      ->needs(verify);
  app.add_flag("--allow-nondeterministic", options.allow_nondeterministic,
               "Accept results that differ between orders, as those of atomic additions of floating point do")
      ->needs(verify);
  app.add_option("--time-limit", options.time_limit, "A run that takes longer is not verified")
      ->check(IntegerFrom(1, 1'000'000))
      ->type_name("SECONDS")
      ->capture_default_str()
      ->needs(verify);
  app.add_flag("--json", options.json, "One JSON object for each function")->needs(verify);
}

/// True if the text has only characters of C identifiers.
bool IsPrefix(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

bool WritesFiles(const CompileOptions& options) {
  return !options.output.empty() || !options.emit.empty() || !options.header.empty() || options.emit_bytecode;
}

/// Returns why options contradict each other; empty if they do not.
std::string Disagreement(const CompileOptions& options) {
  if (!IsPrefix(options.prefix)) {
    return absl::StrCat("--prefix ", options.prefix, " is not part of a C identifier: letters, digits and _");
  }
  if (!options.prefix.empty() && (options.verify.verify || !options.run.function.empty())) {
    return "--prefix is for outputs: --run and --verify use the module's own names";
  }
  if (!options.run.arguments.empty() && options.run.function.empty() && !options.verify.verify) {
    return "--arg requires --run or --verify";
  }
  if (options.verify.verify) {
    if (!options.shared_libraries.empty() && options.run.function.empty()) return "--shared-libs requires --run or -o";
    return WritesFiles(options) ? "--verify writes no files: give no -o, --emit, --emit-bytecode or --header" : "";
  }
  if (options.run.function.empty() && options.output.empty()) return "give -o FILE, or --run FUNCTION";
  if (options.run.function.empty()) return "";
  if (WritesFiles(options)) return "--run writes no files: give no -o, --emit, --emit-bytecode or --header";
  if (options.device_arguments) return "--run has no device memory for arguments: leave out --device-arguments";
  return "";
}

int Usage(std::string_view program, const std::string& text) {
  std::fprintf(stderr, "%.*s: %s; see --help\n", static_cast<int>(program.size()), program.data(), text.c_str());
  return kExitUsage;
}

int RunCommand(const CompileOptions& options) {
  if (options.verify.verify) return RunVerifyCommand(options);
  return options.run.function.empty() ? RunCompileCommand(options) : RunModelCommand(options);
}

/// `tune compile` runs this program with --as-tune first: the same options, and --log, which it has read already.
int Main(int argc, char** argv) {
  const bool as_tune = argc > 1 && std::string_view(argv[1]) == "--as-tune";
  if (as_tune) ++argv, --argc;
  const char* program = as_tune ? "tune compile" : "mmtune-compile";
  CompileOptions options;
  CLI::App app(
      "Builds an MLIR module (linalg on tensors or memrefs, or gpu kernels) for a device, with the best measured\n"
      "schedules: a shared library with a C header, an object, or what comes before it. Or runs it.",
      program);
  app.set_version_flag("--version", std::string("mmtune ") + MMTUNE_VERSION);
  app.add_option("MODEL", options.input, "MLIR assembly or bytecode; - is standard input")->type_name("")->required();
  if (as_tune) {
    app.add_option("--log", "The tuning log with the schedules to use, in place of --spec; default tune's own log")
        ->type_name("FILE");
  }
  AddTargetOptions(app, options);
  AddOutputOptions(app, options);
  AddPassOptions(app, options);
  AddRunOptions(app, options.run);
  AddVerifyOptions(app, options.verify);
  const std::string examples = absl::StrCat(
      "Examples:\n"
      "  ",
      program, " model.mlir ", as_tune ? "--log tuning.db" : "--spec spec.json",
      " --arch sm_90 -o libmodel.so\n"
      "  ",
      program,
      " model.mlir --device simt --run forward --arg random:1 --check\n"
      "  ",
      program, " kernels.mlir --device simt --arch sm_90 --verify --block 128\n\n");
  app.footer(examples +
             "Exit codes:\n"
             "  0  done\n"
             "  1  the module cannot be compiled, linked, run or verified, or its result differs from the reference;\n"
             "     or standard output cannot be written\n"
             "  2  bad usage or input: options, files, the spec\n");
  RefuseEmptyValues(app);
  MakeFailedWritesErrors();
  InstallCrashHandler();
  int code = kExitOk;
  try {
    app.parse(argc, argv);
    if (const std::string text = Disagreement(options); !text.empty()) return Usage(program, text);
    code = RunCommand(options);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return Usage(program, error.what());
    code = app.exit(error);
  }
  return ExitAfterOutput(program, code, kExitFailed);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::Main(argc, argv); }
