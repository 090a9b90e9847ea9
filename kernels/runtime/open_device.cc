// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/open_device.h"

#include "kernels/runtime/cuda/cuda_device.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::unique_ptr<Device>> CreateSimtDevice(std::string_view arch, int threads) {
  simt::SimtOptions options;
  if (!arch.empty()) options.arch = std::string(arch);
  options.threads = threads;
  return simt::SimtDevice::Create(options);
}

absl::StatusOr<std::unique_ptr<Device>> CreateCudaDevice(int index) {
  ASSIGN_OR_RETURN(const cuda::Driver* driver, cuda::Driver::System());
  return cuda::CudaDevice::Create(driver, index);
}

std::vector<CudaDeviceEntry> ListCudaDevices(std::string* why) {
  absl::StatusOr<const cuda::Driver*> driver = cuda::Driver::System();
  if (driver.ok()) return cuda::QueryDevices(**driver, why);
  if (why != nullptr) *why = std::string(driver.status().message());
  return {};
}

}  // namespace mmtune
