// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA device, over its primary context, and its PTX kernels for every architecture from sm_75.
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

/// A kernel that checks that the device computes.
inline constexpr char kCanaryKernel[] = "mmtune_canary";
inline constexpr uint32_t kCanaryThreads = 256;  ///< Threads of a block.

/// Returns what the kernel writes to word `index`: every bit depends on the word and on its index.
constexpr uint32_t CanaryWord(uint32_t word, uint32_t index) { return (word ^ index) * 2654435761u + index; }

/// The code of kCanaryKernel(words): one thread for each word of a buffer, a whole number of blocks.
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

/// A kernel that keeps a stream busy while work is enqueued behind it.
inline constexpr char kDelayKernel[] = "mmtune_delay";

/// Lists the driver's devices without making contexts; see ListCudaDevices().
std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why);

/// Thread safety is that of Device.
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

  /// Makes the context current and checks the stream. An error, which names `call`, after a sticky error.
  absl::Status Enter(std::string_view call, StreamHandle stream = 0);
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  /// Adds the operation's name to an error, and keeps a sticky one.
  absl::Status Finish(std::string_view call, absl::Status status);
  /// Like Finish(), after waiting for the default stream if `stream` is that one: such operations are complete on
  /// return.
  absl::Status FinishOn(std::string_view call, StreamHandle stream, absl::Status status);

  absl::Status LaunchClusters(Function function, const LaunchShape& shape, void** arguments, StreamHandle stream);

  const Driver* const driver_;
  const DeviceId id_;
  const Context context_;
  const DeviceInfo info_;
  absl::Status poisoned_;
  std::unique_ptr<DeviceModule> delay_module_;  ///< Loaded by the first Delay().
  DeviceKernel* delay_kernel_ = nullptr;
  std::set<StreamHandle> streams_;
  std::set<EventHandle> events_;
};

}  // namespace mmtune::cuda
