// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule every device checks before a launch.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/runtime/device.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// InvalidArgument unless the device can launch this shape. `static_shared_bytes` is what the kernel takes besides its
/// dynamic shared memory. Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
absl::Status CheckLaunchShape(const LaunchShape& shape, const DeviceInfo& device, int64_t static_shared_bytes);

}  // namespace mmtune
