// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of mmtune-compile, and the target device that they choose.
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

/// The output of a compilation.
enum class EmitKind { kMlirGpu, kMlirBinary, kMlirLlvm, kLlvmIr, kObject, kSharedLibrary, kPtx, kCubin };

/// Returns "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx", "cubin".
std::string_view EmitKindName(EmitKind kind);
absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name);
/// Returns the kind of a suffix: .mlir and .mlirbc (mlir-llvm), .ll, .o, .so, .ptx, .cubin. InvalidArgument for others.
absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path);
/// True if the suffix asks for MLIR bytecode.
bool IsBytecodeFile(std::string_view path);
/// True for MLIR, as text or bytecode.
bool IsMlir(EmitKind kind);
/// Returns the last stage that a kind needs.
ModelStage StageOf(EmitKind kind);

struct RunOptions {
  std::string function;                ///< Empty: nothing is run.
  std::vector<std::string> arguments;  ///< One for each argument of the function, or one for all.
  int repeat = 1;
  bool print_full = false;
  bool check = false;
  std::optional<double> tolerance;  ///< Default: DefaultTolerance() of each value.
};

struct VerifyOptions {
  bool verify = false;
  // For kernels without host code.
  std::string grid, block;               ///< "X,Y,Z"; empty: as the kernels declare.
  std::optional<uint32_t> shared_bytes;  ///< Dynamic shared memory.
  int stress = 3;                        ///< Runs with schedule fuzzing.
  bool allow_nondeterministic = false;
  int time_limit = 120;  ///< Seconds of one run.
  bool json = false;
};

struct CompileOptions {
  std::string input;      ///< "-": standard input.
  std::string spec;       ///< Empty: none.
  std::string spec_name;  ///< The spec's name in messages; empty: its path.
  std::string device;     ///< "simt", "cuda", "cuda:1"; empty: cuda when `arch` is given.
  std::string arch;       ///< Empty: the device's, or sm_80 for simt.
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
  RunOptions run;
  VerifyOptions verify;
};

/// The devices of this machine, for targets without an arch and specs of several devices.
struct HostDevices {
  std::function<std::vector<DeviceInfo>()> cuda;  ///< By ordinal.
  std::function<DeviceInfo(const std::string& arch)> simt;

  static HostDevices Real();
};

/// Returns the target: kind and arch of the options, the rest from the device whose entries of the spec are used (named
/// by --device-name, else this machine's, else the only one). An arch with features of one chip (sm_90a) without
/// entries of its own takes those of the portable arch (sm_90), whose code digests are dropped. With
/// --allow-other-device, a spec without entries for the kind and arch has all entries assigned to the target.
/// InvalidArgument otherwise, naming the devices of the spec.
absl::StatusOr<DeviceInfo> ChooseTarget(const CompileOptions& options, const HostDevices& host, TuningSpec* spec);

}  // namespace mmtune
