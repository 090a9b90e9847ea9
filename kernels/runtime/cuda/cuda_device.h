// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA device, over its primary context.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::cuda {

/// What this driver says of its devices, without making contexts: see ListCudaDevices.
std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why);

class CudaDevice : public Device {
 public:
  /// `driver` must outlive the device. NotFound when there is no device `index`.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const Driver* driver, int index);
  ~CudaDevice() override;

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) override;
  absl::Status RegisterHost(void* memory, size_t bytes) override;
  absl::Status UnregisterHost(void* memory) override;
  absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) override;
  absl::StatusOr<bool> Delay(double ns, StreamHandle stream) override;
  absl::StatusOr<bool> EventReached(EventHandle event) override;
  std::string_view clock_name() const override { return "cuda-event"; }

 private:
  CudaDevice(const Driver* driver, DeviceId id, Context context, DeviceInfo info);

  /// Makes the context current, unless it is poisoned; `call` names the operation. Checks the stream.
  absl::Status Enter(std::string_view call, StreamHandle stream = 0);
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  /// `status` with the operation's name; keeps it when it is sticky.
  absl::Status Finish(std::string_view call, absl::Status status);
  /// Finish, after waiting for the default stream: without a stream of the caller's, an operation is complete on
  /// return.
  absl::Status FinishOn(std::string_view call, StreamHandle stream, absl::Status status);

  absl::Status LaunchClusters(Function function, const LaunchShape& shape, void** arguments, StreamHandle stream);

  const Driver* const driver_;
  const DeviceId id_;
  const Context context_;
  const DeviceInfo info_;
  absl::Status poisoned_;
  std::unique_ptr<DeviceModule> delay_module_;  // made by the first Delay
  DeviceKernel* delay_kernel_ = nullptr;
  std::set<StreamHandle> streams_;
  std::set<EventHandle> events_;
};

}  // namespace mmtune::cuda
