// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles PTX for the SIMT device, so that it runs, and is checked, the text that ships:
//
//     PTX -> LLVM and NVVM dialects (module_lowering.h) -> convert-nvvm-to-simt -> an object that SimtDevice loads
//
// Operations that the table in operation_table.h lacks are refused with their line.
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
  std::string name = "kernel.ptx";  ///< The text's name in errors and findings.
  bool watched = false;             ///< Code for race detection, see CompileTarget.
  bool profile = false;             ///< See CompileTarget.
  /// The kernels to compile; empty: all. Others may have what the SIMT device lacks.
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
  bool sharedDecides = false;                              ///< See sharedMayDecide().
};

struct CompiledPtx {
  std::string image;               ///< For ImageFormat::kSimtObject.
  std::string target;              ///< "sm_80"
  std::vector<PtxKernel> kernels;  ///< Those of the text, also those that were not to be compiled.
};

/// InvalidArgument: the text is no PTX, or has what the SIMT device lacks; the message is one line with the place and
/// the text of the line. Other errors are failures of code generation.
absl::StatusOr<CompiledPtx> compilePtx(std::string_view text, const PtxOptions& options);

/// Creates a SIMT device whose LoadModule() also takes PTX, which it compiles for the mode that `options` chooses. So
/// what was compiled for a GPU runs on it: kernels, and whole host objects. It runs the PTX of any architecture;
/// `options.arch` says whose limits it has.
absl::StatusOr<std::unique_ptr<Device>> createPtxDevice(simt::SimtOptions options);

}  // namespace mmtune::ptx
