// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/open_device.h"

#include "kernels/runtime/cuda/cuda_device.h"
#include "kernels/simulator/simt_device.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// The code of kClusterKernel(), which does nothing.
constexpr char kClusterPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry mmtune_clusters()
{
  ret;
}
)";

/// Sets `count` to how many clusters of `blocks` blocks run at once if a block has all of a multiprocessor's shared
/// memory.
absl::Status CountClusters(Device& device, DeviceKernel* kernel, uint32_t blocks, int64_t& count) {
  LaunchShape shape;
  shape.grid[0] = shape.cluster[0] = blocks;
  shape.block[0] = 384;
  shape.dynamic_shared_bytes = static_cast<uint32_t>(device.info().shared_bytes_per_block);
  ASSIGN_OR_RETURN(count, device.MaxActiveClusters(kernel, shape));
  return absl::OkStatus();
}

absl::Status CountActiveClustersOf(int ordinal, DeviceInfo& info) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Device> device, CreateCudaDevice(ordinal));
  ASSIGN_OR_RETURN(const std::unique_ptr<DeviceModule> module, device->LoadModule(ImageFormat::kPtx, kClusterPtx));
  ASSIGN_OR_RETURN(DeviceKernel* const kernel, module->GetKernel(kClusterKernel));
  // Both or none: clusters of two without any of four mean that those do not fit.
  int64_t of_2 = 0, of_4 = 0;
  RETURN_IF_ERROR(CountClusters(*device, kernel, 2, of_2));
  RETURN_IF_ERROR(CountClusters(*device, kernel, 4, of_4));
  info.active_clusters_of_2 = of_2, info.active_clusters_of_4 = of_4;
  return absl::OkStatus();
}

}  // namespace

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

void CountActiveClusters(int ordinal, DeviceInfo& info) {
  if (!HasClusters(info.ComputeCapability())) return;
  if (absl::Status counted = CountActiveClustersOf(ordinal, info); !counted.ok())
    LogInfo("active_clusters_unknown", {{"device", info.name}, {"error", ToStd(counted.message())}});
}

std::vector<CudaDeviceEntry> ListCudaDevices(std::string* why) {
  absl::StatusOr<const cuda::Driver*> driver = cuda::Driver::System();
  if (driver.ok()) return cuda::QueryDevices(**driver, why);
  if (why != nullptr) *why = std::string(driver.status().message());
  return {};
}

}  // namespace mmtune
