// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determines the kind of output and the target device from the options of mmtune-compile. The spec is the tuning spec,
// the file with the best schedules of tuned problems.
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

/// The output of a compilation (--emit). kMatmuls is a list of the matmul problems of the model, and how often each is
/// computed.
enum class EmitKind { kMatmuls, kMlirGpu, kMlirBinary, kMlirLlvm, kLlvmIr, kObject, kSharedLibrary, kPtx, kCubin };

/// Returns the option's value: "matmuls", "mlir-gpu", "mlir-binary", "mlir-llvm", "llvm", "obj", "so", "ptx" or
/// "cubin".
std::string_view EmitKindName(EmitKind kind);
/// Parses a value of --emit. Returns InvalidArgument, listing the possible values, for any other text.
absl::StatusOr<EmitKind> ParseEmitKind(std::string_view name);
/// Returns the kind for a file name's suffix: .mlir and .mlirbc (mlir-llvm), .ll, .o, .so, .ptx, .cubin. Returns
/// InvalidArgument for other suffixes.
absl::StatusOr<EmitKind> EmitKindOfFile(std::string_view path);
/// True if the suffix asks for MLIR bytecode (.mlirbc).
bool IsBytecodeFile(std::string_view path);
/// True for MLIR, as text or bytecode.
bool IsMlir(EmitKind kind);
/// Returns the stage up to which a module must be compiled for an output of this kind.
ModelStage StageOf(EmitKind kind);

/// Functions that return the devices of this machine. `cuda` is called if --device cuda is given without --arch. The
/// function of the target's kind is called to choose among several devices of the spec.
struct HostDevices {
  std::function<std::vector<DeviceInfo>()> cuda;            ///< CUDA devices by ordinal.
  std::function<DeviceInfo(const std::string& arch)> simt;  ///< The SIMT device with the limits of `arch`.

  /// Returns functions that return the actual devices; tests use others.
  static HostDevices Real();
};

/// Returns the target. Its kind and architecture are those of the options. Everything else is taken from the device
/// whose entries in the spec are used. If there are several such devices, it is the one that --device-name names, or
/// else this machine's device. If the spec has no entries, the target has the limits of its architecture. May change
/// the spec:
/// - If the architecture has features of one chip (sm_90a), entries for the portable architecture (sm_90) are assigned
///   to the target where it has no entries of its own. Their code digests are dropped.
/// - With --allow-other-device, if the spec has no entries for the kind and architecture, all entries are assigned to
///   the target. Their code digests and toolchains are dropped, because they are those of other devices.
///
/// Returns InvalidArgument, naming the devices in the spec, if the spec has entries but none of them can be used, or if
/// it is not clear which device to choose.
absl::StatusOr<DeviceInfo> ChooseTarget(const CompileOptions& options, const HostDevices& host, TuningSpec* spec);

}  // namespace mmtune
