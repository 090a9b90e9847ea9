// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the devices of this machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"

namespace mmtune {

/// Opens the SIMT device with the limits of `arch` (empty: sm_80) and `threads` OS threads (0: one per core).
absl::StatusOr<std::unique_ptr<Device>> CreateSimtDevice(std::string_view arch = "", int threads = 0);

/// Opens a CUDA device. NotFound, with the reason, if there is no driver or no such device.
absl::StatusOr<std::unique_ptr<Device>> CreateCudaDevice(int index);

/// Lists the CUDA devices that answer, without creating contexts. `*why` says why others do not, or why there is none
/// (no driver); else it is empty.
std::vector<CudaDeviceEntry> ListCudaDevices(std::string* why);

}  // namespace mmtune
