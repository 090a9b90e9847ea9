// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of output and the target device, as the options of mmtune-compile choose them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/tools/compile_flags.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// The output of a compilation (--emit).
enum class EmitKind { kProducts, kMlirGpu, kMlirBinary, kMlirLlvm, kLlvmIr, kObject, kSharedLibrary, kPtx, kCubin };

/// Returns the option's value: "products", "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx" or
/// "cubin".
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

/// The devices of this machine, for targets without an arch and specs of several devices.
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
