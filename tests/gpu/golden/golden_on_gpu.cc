// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/strings/str_cat.h"
#include "kernels/runtime/open_device.h"
#include "tests/gpu/golden/golden_device.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<Device>> OpenGoldenDevice() { return CreateCudaDevice(0); }

bool RunsTarget(const Device& device, const std::string& target) {
  const std::string& arch = device.info().arch;
  if (target.back() == 'a') return absl::StrCat(arch, "a") == target;
  return std::stoi(arch.substr(3)) >= std::stoi(target.substr(3));
}

}  // namespace mmtune
