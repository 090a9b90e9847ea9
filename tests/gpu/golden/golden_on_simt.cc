// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device with race detection, which runs PTX for every target.
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/gpu/golden/golden_device.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<Device>> OpenGoldenDevice() {
  simt::SimtOptions options;
  options.arch = "sm_90";
  options.race_detector = true;
  return ptx::createPtxDevice(options);
}

bool RunsTarget(const Device&, const std::string&) { return true; }

}  // namespace mmtune
