// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the devices of this machine: the SIMT device, which executes kernels on the CPU, and CUDA devices. Workers and
// `mmtune-compile` open their device with these functions; all other code uses the interface Device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"

namespace mmtune {

/// Opens the SIMT device. It has the limits (shared memory, threads) of the architecture `arch`; empty means sm_80. It
/// runs blocks on `threads` OS threads; 0 means one per core. Returns InvalidArgument if `arch` is unknown or `threads`
/// is negative.
absl::StatusOr<std::unique_ptr<Device>> CreateSimtDevice(std::string_view arch = "", int threads = 0);

/// Opens the CUDA device with this ordinal. Returns NotFound, with the reason, if there is no driver or no such device.
absl::StatusOr<std::unique_ptr<Device>> CreateCudaDevice(int index);

/// Opens the CUDA device with this ordinal, counts how many clusters of 2 and of 4 blocks it can run at once, and
/// stores the numbers in active_clusters_of_2 and active_clusters_of_4 of `info`, the description of this device. Does
/// nothing if the device has no clusters. If it fails, as with an old driver, it logs the reason and returns.
void CountActiveClusters(int ordinal, DeviceInfo& info);

/// The name of the empty kernel for which CountActiveClusters() counts clusters.
inline constexpr char kClusterKernel[] = "mmtune_clusters";

/// Returns the CUDA devices that respond, without creating contexts. Sets `*why` to the reason why some do not respond,
/// or why there are none (such as a missing driver); otherwise to an empty string.
std::vector<CudaDeviceEntry> ListCudaDevices(std::string* why);

}  // namespace mmtune
