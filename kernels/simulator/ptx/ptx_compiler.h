// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles PTX for the SIMT device, so that it runs and checks the same PTX that is shipped for GPUs:
//
//     PTX -> LLVM and NVVM dialects (module_lowering.h) -> convert-nvvm-to-simt -> an object that SimtDevice loads
//
// An operation that is not in the table of operation_table.h is an error that shows the line.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/simulator/simt_device.h"

namespace mmtune::ptx {

struct PtxOptions {
  std::string name = "kernel.ptx";  ///< The name of the text in errors and in findings of the race detector.
  bool race_detection = false;      ///< Generates code for the race detector.
  bool profile = false;             ///< With `race_detection`: generates code for the profiler.
  /// The names of the kernels to compile; empty: all. The other kernels may use instructions that the SIMT device
  /// lacks.
  std::vector<std::string> kernels = {};
};

struct PtxParameter {
  std::string name;
  uint64_t bytes = 0;
};

struct PtxKernel {
  std::string name;
  std::vector<PtxParameter> parameters;
  std::optional<std::array<uint64_t, 3>> requiredThreads;  ///< `.reqntid`
  bool sharedDecides = false;  ///< True if shared memory may decide branches or addresses (shared_flow.h).
};

struct CompiledPtx {
  std::string image;               ///< The object file that the SIMT device loads (ImageFormat::kSimtObject).
  std::string target;              ///< "sm_80"
  std::vector<PtxKernel> kernels;  ///< All kernels of the text, compiled or not.
};

/// Compiles PTX. Returns InvalidArgument if the text is not PTX, or uses something that the SIMT device lacks; the
/// message is one line, with the position and the text of the line. Other errors are failures of code generation.
absl::StatusOr<CompiledPtx> compilePtx(std::string_view text, const PtxOptions& options);

/// Creates a SIMT device whose LoadModule() also accepts PTX, and compiles it for the mode that `options` selects. So
/// kernels, and host objects with embedded kernels, that were compiled for a GPU run on this device. It runs PTX for
/// any architecture; `options.arch` only selects the limits of the device. Returns the errors of SimtDevice::Create().
absl::StatusOr<std::unique_ptr<Device>> createPtxDevice(simt::SimtOptions options);

}  // namespace mmtune::ptx
