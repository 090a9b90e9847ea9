// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that is compared with the golden vectors. Each program of golden_gpu_test.cc links one implementation.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<Device>> OpenGoldenDevice();

/// True if the device executes PTX for a target, such as "sm_80" or "sm_90a".
bool RunsTarget(const Device& device, const std::string& target);

}  // namespace mmtune
