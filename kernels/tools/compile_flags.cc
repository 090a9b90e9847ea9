// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_flags.h"

#include "absl/strings/str_cat.h"
#include "proto/command_line/option_table.h"
#include "proto/command_line/validators.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

void AddFirstOptions(CLI::App& app, CompileOptions& options) {
  app.add_option("MODEL", options.input, "MLIR assembly or bytecode; - is standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("-o,--output", options.output,
                 "Output: .so, .o, .ll, .mlir or .mlirbc (LLVM dialect), .ptx, .cubin; - is standard output")
      ->type_name("FILE");
  app.add_option("--spec", options.spec, "Tuning spec with the schedules to use (tune records spec); none: defaults")
      ->type_name("FILE");
  app.add_option("--spec-name", options.spec_name)->group("");
  app.add_flag("--spec-optional", options.spec_optional)->group("");
  app.add_option("--arch", options.arch,
                 absl::StrCat("Architecture of the GPU to compile for, which need not be here: ", KnownArchitectures(),
                              "; with --device simt, the one whose code runs there"))
      ->type_name("ARCH");
  AsSetting(
      app.add_option(
             "--device", options.device,
             "Device to compile for: auto (a GPU of --arch), cuda or cuda:<i> (a GPU of this machine), or simt (the "
             "kernel's threads on the CPU)")
          ->check(SuggestValues({"auto", "cuda", "simt"}))
          ->type_name("NAME"));
  app.add_flag("--force", options.force, "Replace output files that exist");
  app.add_option("--run", options.run.function, "Run this function now, in this process")->type_name("FUNCTION");
  app.add_flag("--verify", options.verify.verify,
               "Verify with the SIMT device's race detector and schedule fuzzing that kernels have no races, by --run "
               "FUNCTION, or each kernel by itself if the module has no functions; --check compares values, too");
}

void AddScheduleOptions(CLI::App& app, CompileOptions& options) {
  InGroup(app, kSearchGroup);
  app.add_option("--math", options.math,
                 "Arithmetic of f32 matmuls: ieee; on tensor cores: tf32 (rounds the operands to 11 bits), or as "
                 "accurate as f32: tf32x3, bf16x6. Schedules are those tuned with the same --math")
      ->check(OneOf({"ieee", "tf32", "tf32x3", "bf16x6"}))
      ->type_name("")
      ->capture_default_str();
  app.add_option("--device-name", options.device_name,
                 "Which device's schedules to use when the spec has those of several: a part of its name")
      ->type_name("TEXT");
  app.add_flag("--allow-unverified", options.allow_unverified,
               "Use schedules that were timed without verification, too; the table marks them");
  InGroup(app, kRareGroup);
  app.add_flag("--allow-other-device", options.allow_other_device,
               "Use the spec's schedules of other devices when it has none for this one");
  app.add_flag("--allow-fallback", options.allow_fallback,
               "Use another schedule, with a remark, where the spec's own for a matmul is not valid");
  app.add_flag("--no-fusion", options.no_fusion,
               "Give each operation that is not a matmul a kernel of its own, except for the epilogue of a matmul");
  app.add_flag("--sums-as-written", options.sums_as_written,
               "Where the module sums in f16 or bf16, round at each step as it does; no tuned kernel does, so "
               "such matmuls get one thread for each element");
  app.add_flag(
      "--narrow-f64", options.narrow_f64,
      "Do arithmetic in f64 whose operands are values of f32 and whose results become f32 in f32, as in torch's "
      "layer norm: faster, and less exact; a remark says where");
}

void AddOutputOptions(CLI::App& app, CompileOptions& options) {
  InGroup(app, kOutputGroup);
  app.add_option("--emit", options.emit,
                 "The kind of output, whatever the suffix of -o: matmuls (the matmul problems, as JSON), mlir-gpu, "
                 "mlir-binary, mlir-llvm, llvm, obj, so, ptx, cubin")
      ->check(OneOf({"matmuls", "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx", "cubin"}))
      ->type_name("KIND");
  auto* header = app.add_option("--header", options.header,
                                "C header of the functions; default beside a .so or .o (libmodel.so -> libmodel.h)")
                     ->type_name("FILE");
  app.add_flag("--no-header", options.no_header, "No header")->excludes(header);
  app.add_option(
         "--prefix", options.prefix,
         "Begin the names of the functions with it (_mlir_ciface_<prefix><name>): so two models with functions of "
         "one name go into one program")
      ->type_name("TEXT");
  app.add_option("--shared-libs", options.shared_libraries,
                 "Libraries with functions that the module calls, to link a .so with, or for --run")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
  AsSetting(app.add_flag("--quiet", options.quiet, "No table and no times"));
  AtMostOne(app, {app.add_flag("--json", options.json,
                               "One JSON object with the table and the times; of --verify, one for each function"),
                  app.add_flag("--csv", options.csv, "The table as comma-separated values, without the times"),
                  app.add_flag("--markdown", options.markdown, "The table in Markdown")});
  InGroup(app, kRareGroup);
  app.add_flag("--emit-bytecode", options.emit_bytecode, "MLIR as bytecode, not as text, whatever the suffix");
  app.add_option("--streams", options.streams,
                 "several: independent operations overlap on the device; one: all in the order of the program")
      ->check(OneOf({"one", "several"}))
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
         "The processor that the host code, and SIMT code, is for: x86-64-v3, skylake, ...; default this machine's")
      ->type_name("CPU");
}

void AddPassOptions(CLI::App& app, CompileOptions& options) {
  InGroup(app, kRareGroup);
  app.add_option("--pass-pipeline", options.pass_pipeline,
                 "Run these passes of MLIR or mmtune on the module first, as mmtune-opt has them: canonicalize,cse")
      ->type_name("PASSES");
  app.add_option("--dump-after-stage", options.dump_after_stage,
                 "Write the module after each pass that changed it to a new folder, in numbered files")
      ->type_name("DIR");
  app.add_option("--crash-reproducer", options.crash_reproducer,
                 "Where a pass fails or crashes, write the module before it with the passes to run, for "
                 "mmtune-opt --run-reproducer")
      ->type_name("FILE");
}

void AddRunOptions(CLI::App& app, ModelRunOptions& run) {
  CLI::Option* function = app.get_option("--run");
  InGroup(app, kMeasuringGroup);
  AddCallOptions(app, run);
  app.add_option_function<std::string>(
         "--print", [&run](const std::string& what) { run.print_full = what == "full"; },
         "full: every element of results; short: the first ones")
      ->check(OneOf({"short", "full"}))
      ->type_name("")
      ->needs(function);
  auto* check =
      app.add_flag("--check", run.check, "Compare with the same module compiled for the CPU alone")->needs(function);
  InGroup(app, kRareGroup);
  app.add_option("--tolerance", run.tolerance,
                 "Largest error accepted, by the largest magnitude of the result; default 1e-4, and for results of f16 "
                 "and bf16 one unit in the last place more")
      ->check(NumberFrom(0))
      ->type_name("X")
      ->needs(check);
}

void AddVerifyOptions(CLI::App& app, KernelVerifyOptions& options) {
  CLI::Option* verify = app.get_option("--verify");
  InGroup(app, kMeasuringGroup);
  app.add_option("--stress", options.fuzzing_runs, "Runs with schedule fuzzing")
      ->check(IntegerFrom(0, 100'000))
      ->type_name("N")
      ->capture_default_str()
      ->needs(verify);
  InGroup(app, kRareGroup);
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
  app.add_flag("--allow-nondeterministic", options.allow_nondeterministic,
               "Accept results that differ between orders, as those of atomic additions of floating point do")
      ->needs(verify);
  app.add_option("--time-limit", options.time_limit, "A run that takes longer is not verified")
      ->check(IntegerFrom(1, 1'000'000))
      ->type_name("S")
      ->capture_default_str()
      ->needs(verify);
}

}  // namespace

void AddCallOptions(CLI::App& app, ModelRunOptions& run) {
  app.add_option("--arg", run.arguments,
                 "One for each argument, or one for all: random:SEED, ones, zeros, iota, value:X, file:PATH (raw "
                 "elements); with @128x64 behind it for dynamic sizes")
      ->type_name("VALUE")
      ->allow_extra_args(false);
  app.add_option("--repeat", run.repeat, "Calls; the first is printed and checked, the others are timed")
      ->check(IntegerFrom(1, 1'000'000))
      ->type_name("N")
      ->needs(app.get_option("--run"));
}

void AddCompileOptions(CLI::App& app, CompileOptions& options) {
  AddFirstOptions(app, options);
  AddScheduleOptions(app, options);
  AddOutputOptions(app, options);
  AddPassOptions(app, options);
  AddRunOptions(app, options.run);
  AddVerifyOptions(app, options.verify);
}

std::string CompileExamples(const std::string& program, const std::string& log_or_spec) {
  return absl::StrCat("Examples:\n  ", program, " model.mlir ", log_or_spec, " --arch sm_90 -o libmodel.so\n  ",
                      program, " model.mlir --device simt --run forward --arg random:1 --check\n  ", program,
                      " kernels.mlir --device simt --arch sm_90 --verify --block 128\n");
}

}  // namespace mmtune
