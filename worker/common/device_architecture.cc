// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/common/device_architecture.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"

namespace mmtune {
namespace {

constexpr int kOldest = 75;
// Orin. The other Tegra devices have a major revision of their own among the architectures we generate for.
constexpr int kTegra = 87;

int Capability(const std::string& arch) {
  DeviceInfo device;
  device.arch = arch;
  return device.ComputeCapability();
}

}  // namespace

absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native) {
  // The bound keeps a nonsensical answer of a driver from making this long.
  for (int capability = std::min(Capability(native), 999); capability >= kOldest; --capability) {
    std::string arch = absl::StrCat("sm_", capability);
    if (ArchitectureLimits(arch).ok()) return arch;
  }
  return NotFound(absl::StrCat(native, " is older than sm_", kOldest, ", the oldest that mmtune generates code for"));
}

bool RunsCubin(const std::string& native, const std::string& arch) {
  if (native == arch) return true;
  const int device = Capability(native), code = Capability(arch);
  return device != kTegra && code > 0 && device / 10 == code / 10 && device >= code;
}

}  // namespace mmtune
