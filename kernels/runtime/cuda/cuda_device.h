// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in PTX, for every architecture from sm_75.
//
// GPU code loaded by the CUDA driver.
//
// A CUDA device, over its primary context.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/cuda/driver.h"
#include "kernels/runtime/device/device.h"

namespace mmtune::cuda {

/// Shows that a device computes.
inline constexpr char kCanaryKernel[] = "mmtune_canary";
inline constexpr uint32_t kCanaryThreads = 256;  ///< Of a block.

/// What the kernel makes of word `index`: every bit of the result depends on the word and on where it lies.
constexpr uint32_t CanaryWord(uint32_t word, uint32_t index) { return (word ^ index) * 2654435761u + index; }

/// kCanaryKernel(words): one thread for each word of a buffer, a whole number of blocks.
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

/// Keeps a stream busy while work is enqueued behind it.
inline constexpr char kDelayKernel[] = "mmtune_delay";

/// kDelayKernel(nanoseconds): one thread, which waits that long.
inline constexpr char kDelayPtx[] = R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry mmtune_delay(.param .u64 nanoseconds)
{
  .reg .pred %waiting;
  .reg .u64 %limit, %start, %now;
  ld.param.u64 %limit, [nanoseconds];
  mov.u64 %start, %globaltimer;
again:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %waiting, %now, %limit;
  @%waiting bra again;
  ret;
}
)";


struct CudaKernel : DeviceKernel {
  CudaKernel(const Driver* driver, std::string name, Function function, int static_shared_bytes)
      : driver(driver), name(std::move(name)), function(function), static_shared_bytes(static_shared_bytes) {}

  /// Raises the kernel's limit when `dynamic_bytes` exceed what it may take so far (48 KB with its static part, unless
  /// told otherwise).
  absl::Status AllowSharedMemory(uint32_t dynamic_bytes);

  const Driver* const driver;
  const std::string name;
  const Function function;
  const int static_shared_bytes;
  uint32_t allowed_dynamic_bytes = 0;  ///< 0: never raised.
};

class CudaModule : public DeviceModule {
 public:
  /// The context must be current. An error holds what the driver's assembler says.
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(const Driver* driver, Context context, ImageFormat format,
                                                            std::string_view image);
  ~CudaModule() override;

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  CudaModule(const Driver* driver, Context context, Module module)
      : driver_(driver), context_(context), module_(module) {}

  const Driver* const driver_;
  const Context context_;
  const Module module_;
  std::map<std::string, std::unique_ptr<CudaKernel>, std::less<>> kernels_;
};


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
