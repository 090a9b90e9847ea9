// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver says about its devices, without making contexts.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device.h"
#include "proto/types/device_info.h"

namespace mmtune::cuda {

absl::StatusOr<DeviceInfo> QueryDevice(const Driver& driver, DeviceId id);

/// As ListCudaDevices, of this driver.
std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why);

}  // namespace mmtune::cuda
