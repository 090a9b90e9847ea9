// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code a CUDA device runs, where it is not of an architecture that we generate for.
//
// Source: CUDA C++ Programming Guide, "Binary Compatibility" and "PTX Compatibility". PTX of an older architecture is
// assembled by the driver for any newer device. A cubin runs on devices of its own major revision and the same or a
// higher minor one, but never between the desktop and Tegra.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// The newest architecture we generate for whose PTX runs on a device of `native` ("sm_87" -> "sm_86", "sm_120" ->
/// "sm_90"). NotFound when the device is older than all of them, or `native` is no architecture.
absl::StatusOr<std::string> GeneratedArchitecture(const std::string& native);

/// Whether a cubin for `arch` runs on a device of `native`; where not, keep the PTX.
bool RunsCubin(const std::string& native, const std::string& arch);

}  // namespace mmtune
