// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of mmtune-compile, and the choice of the target device from them and the tuning spec.
//
//   --device simt --arch sm_90   ->  DeviceInfo of the SIMT device with the limits of sm_90
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// The output of a compilation (--emit).
enum class EmitKind { kMlirGpu, kMlirBinary, kMlirLlvm, kLlvmIr, kObject, kSharedLibrary, kPtx, kCubin };

/// Returns the option's value: "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx" or "cubin".
std::string_view EmitKindName(EmitKind kind);
/// Parses such a value. Returns InvalidArgument, with the possible ones, for any other text.
absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name);
/// Returns the kind for a file name's suffix: .mlir and .mlirbc (mlir-llvm), .ll, .o, .so, .ptx, .cubin. Returns
/// InvalidArgument for other suffixes.
absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path);
/// True if the suffix asks for MLIR bytecode (.mlirbc).
bool IsBytecodeFile(std::string_view path);
/// True for MLIR, as text or bytecode.
bool IsMlir(EmitKind kind);
/// Returns the compilation stage that the kind needs.
ModelStage StageOf(EmitKind kind);

/// The options of --run.
struct RunOptions {
  std::string function;                ///< Function to run; empty if none.
  std::vector<std::string> arguments;  ///< One text per argument of the function, or one for all.
  int repeat = 1;
  bool print_full = false;
  bool check = false;               ///< Compare results with a reference computed on the CPU.
  std::optional<double> tolerance;  ///< If absent, DefaultTolerance() of each result.
};

/// The options of --verify.
struct VerifyOptions {
  bool verify = false;
  // For kernels without host code:
  std::string grid, block;               ///< "X,Y,Z"; empty: as the kernels declare.
  std::optional<uint32_t> shared_bytes;  ///< Dynamic shared memory.
  int stress = 3;                        ///< Runs in which the order of threads is fuzzed.
  bool allow_nondeterministic = false;   ///< Accept results that depend on the order of threads.
  int time_limit = 120;                  ///< Seconds per run.
  bool json = false;
};

/// All options of the program; names are those of the command line.
struct CompileOptions {
  std::string input;                ///< Module to compile; "-" is standard input.
  std::string spec;                 ///< Tuning spec with the schedules to use; empty if none.
  std::string spec_name;            ///< The spec's name in messages; empty: its path.
  std::string device;               ///< "simt", "cuda" or "cuda:1"; empty means cuda if `arch` is given.
  std::string arch;                 ///< Empty means the device's, or sm_80 for simt.
  std::string device_name;          ///< Use the spec's entries for the device of this name.
  bool allow_other_device = false;  ///< Use the spec's entries for other devices if it has none for the target.
  bool allow_fallback = false;      ///< Use another schedule if the spec's own is not valid.
  bool sums_as_written = false;     ///< Keep f16 and bf16 sums that round at each step.
  std::string math = "ieee";        ///< Math mode of f32 matmuls: ieee, tf32, tf32x3, bf16x6.
  bool narrow_f64 = false;          ///< Do f64 arithmetic between f32 values in f32.
  bool no_fusion = false;           ///< Fuse only epilogues.
  bool allow_unverified = false;    ///< Use schedules of the spec that were not verified.
  std::string pass_pipeline;        ///< MLIR passes to run before ours; empty if none.
  std::string output;               ///< Output file; "-" is standard output.
  std::string emit;                 ///< EmitKind; empty means by the output's suffix.
  bool emit_bytecode = false;       ///< Write MLIR as bytecode; a suffix may ask for it, too.
  std::string header;               ///< C header to write; empty means beside a .so or .o.
  std::string prefix;               ///< See ModelOptions::prefix.
  bool no_header = false;           ///< Write no header.
  bool force = false;               ///< Replace output files that exist.
  std::string dump_after_stage;     ///< Folder for the module after each pass; empty if none.
  std::string crash_reproducer;     ///< File that reproduces a failure; empty if none.
  std::string streams = "several";  ///< "several" or "one" (StreamPolicy).
  bool device_arguments = false;    ///< The functions' arguments are in device memory.
  int host_opt_level = 2;           ///< LLVM optimization level of host code, 0 to 3.
  std::string host_cpu;             ///< LLVM name of the processor; empty means this machine's.
  bool quiet = false;               ///< Print no kernel table and no times.
  std::vector<std::string> shared_libraries;  ///< Libraries with functions that the module calls.
  RunOptions run;
  VerifyOptions verify;
};

/// Functions that return the devices of this machine, so that tests can replace them. They are called for targets
/// without an arch, and for specs of several devices.
struct HostDevices {
  std::function<std::vector<DeviceInfo>()> cuda;            ///< CUDA devices by ordinal.
  std::function<DeviceInfo(const std::string& arch)> simt;  ///< The SIMT device with the limits of `arch`.

  /// Returns functions that ask the actual machine.
  static HostDevices Real();
};

/// Returns the target. Kind and arch are those of the options. Everything else is taken from the device whose entries
/// of the spec are used: the one that --device-name names, else this machine's, else the only one in the spec. May
/// change the spec:
/// - An arch with features of one chip (sm_90a) without entries of its own takes those of the portable arch (sm_90).
///   Their code digests are dropped.
/// - With --allow-other-device, if the spec has no entries for the kind and arch, all entries are assigned to the
///   target.
///
/// Returns InvalidArgument otherwise, naming the devices in the spec.
absl::StatusOr<DeviceInfo> ChooseTarget(const CompileOptions& options, const HostDevices& host, TuningSpec* spec);

}  // namespace mmtune
