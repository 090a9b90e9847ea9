// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The implementation of Device over the CUDA driver API, in the device's primary context. Also two small PTX kernels
// for every architecture from sm_75: one that checks that the device computes, and one that delays a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::cuda {

/// The name of a kernel that checks that the device computes correctly. It replaces each word w at index i by
/// CanaryWord(w, i); the host compares the results.
inline constexpr char kCanaryKernel[] = "mmtune_canary";
inline constexpr uint32_t kCanaryThreads = 256;  ///< Threads of a block.

/// Returns the value that the kernel writes at `index` in place of `word`. Every bit depends on the word and its index.
constexpr uint32_t CanaryWord(uint32_t word, uint32_t index) { return (word ^ index) * 2654435761u + index; }

/// The PTX of kCanaryKernel(words): one thread per word, in whole blocks of kCanaryThreads.
inline constexpr char kCanaryPtx[] = R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry mmtune_canary(.param .u64 words)
{
  .reg .u32 %block, %size, %thread, %index, %word;
  .reg .u64 %base, %offset, %at;
  ld.param.u64 %base, [words];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %index, %block, %size, %thread;
  mul.wide.u32 %offset, %index, 4;
  add.u64 %at, %base, %offset;
  ld.global.u32 %word, [%at];
  xor.b32 %word, %word, %index;
  mad.lo.u32 %word, %word, 2654435761, %index;
  st.global.u32 [%at], %word;
  ret;
}
)";

/// The name of a kernel that keeps a stream busy, so that the work enqueued behind it starts without gaps.
inline constexpr char kDelayKernel[] = "mmtune_delay";

/// Returns the devices that respond, without creating contexts. Sets `*why` to the reason why some do not respond, or
/// why there are none; otherwise to an empty string.
std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why);

/// A CUDA device. Like every Device, it is used by one thread at a time. device/device.h documents the overrides.
class CudaDevice : public Device {
 public:
  /// Opens the device with ordinal `index`. `driver` must outlive it. Returns NotFound if there is no such device.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const Driver* driver, int index);
  ~CudaDevice() override;

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) override;
  absl::Status RegisterHost(void* memory, size_t bytes) override;
  absl::Status UnregisterHost(void* memory) override;
  absl::StatusOr<int> MaxActiveClusters(DeviceKernel* kernel, const LaunchShape& shape) override;
  absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) override;
  absl::StatusOr<bool> Delay(double ns, StreamHandle stream) override;
  absl::StatusOr<bool> EventReached(EventHandle event) override;
  std::string_view clock_name() const override { return "cuda-event"; }

 private:
  CudaDevice(const Driver* driver, DeviceId id, Context context, DeviceInfo info);

  /// Makes the context current and checks the stream handle. After a sticky error (one that loses the context), returns
  /// that error, naming `call`.
  absl::Status Enter(std::string_view call, StreamHandle stream = 0);
  /// Returns InvalidArgument, naming `call`, unless `event` is an event of this device.
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  /// Returns `status`. If it is an error, adds the name of the operation, and remembers the error if it is sticky.
  absl::Status Finish(std::string_view call, absl::Status status);
  /// Like Finish(). On the default stream it first waits for the operation, because such operations are complete on
  /// return.
  absl::Status FinishOn(std::string_view call, StreamHandle stream, absl::Status status);

  /// Launches a kernel whose shape has more than one block per cluster.
  absl::Status LaunchClusters(Function function, const LaunchShape& shape, void** arguments, StreamHandle stream);

  const Driver* const driver_;
  const DeviceId id_;
  const Context context_;
  const DeviceInfo info_;
  /// The first sticky error; OK if there was none. Shared with the device's modules, which may outlive the device.
  const std::shared_ptr<absl::Status> poisoned_ = std::make_shared<absl::Status>();
  std::unique_ptr<DeviceModule> delay_module_;  ///< Loaded by the first Delay().
  DeviceKernel* delay_kernel_ = nullptr;
  std::set<StreamHandle> streams_;
  std::set<EventHandle> events_;
};

}  // namespace mmtune::cuda
