// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that runs kernels: one interface, two implementations (CUDA driver API, SIMT on CPU), one conformance suite
// (tests/kernels/runtime/device_conformance_test.cc).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// An address in the device's memory; 0 is null. Kernels get it as a pointer parameter.
using DevicePtr = uint64_t;

/// Opaque handles, owned by the device that made them. 0 is the default stream.
using StreamHandle = uint64_t;
using EventHandle = uint64_t;

struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
  /// Blocks of a cluster; more than one needs sm_90. The SIMT device does not model clusters.
  uint32_t cluster[3] = {1, 1, 1};
};

/// InvalidArgument unless the device can launch this shape. `static_shared_bytes` is what the kernel takes besides its
/// dynamic shared memory. Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
absl::Status CheckLaunchShape(const LaunchShape& shape, const DeviceInfo& device, int64_t static_shared_bytes);

/// "(1,2,3)": a block, a thread or extents, x first.
std::string IndexText(const uint32_t* index);

/// The operands of cuTensorMapEncodeTiled, with enumerations as numbers. Innermost dimension first; `strides_bytes`
/// does not have that one.
struct TiledTensorMap {
  DevicePtr address = 0;
  int data_type = 0;
  std::vector<uint64_t> extents;
  std::vector<uint64_t> strides_bytes;
  std::vector<uint32_t> box;
  int interleave = 0, swizzle = 0, l2_promotion = 0, out_of_bounds_fill = 0;
};
using TensorMapBytes = std::array<char, 128>;

inline constexpr uint32_t kMaxTensorRank = 5;
/// InvalidArgument unless extents, box and strides have 1 to kMaxTensorRank dimensions.
absl::Status CheckTensorMapRank(const TiledTensorMap& map);
/// Returns the bytes of an element of a CUtensorMapDataType; 0 if there is no such type.
constexpr int TensorElementBytes(int data_type) {
  // u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32 flushed, tf32, tf32 flushed
  constexpr int kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return data_type >= 0 && data_type < static_cast<int>(std::size(kBytes)) ? kBytes[data_type] : 0;
}

/// A loaded kernel; valid while its module is.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
};

/// Loaded code; unloads when destroyed.
class DeviceModule {
 public:
  virtual ~DeviceModule() = default;
  /// NotFound when the module has no such kernel.
  virtual absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) = 0;
};

/// A device that runs kernels. Used by one thread at a time (launches on the SIMT device use threads of their own).
/// Errors name the call: ResourceExhausted when memory is out; InvalidArgument for a bad shape, pointer or image;
/// Aborted after a sticky error, when the process must end; Unavailable if the device or its driver is lost or used by
/// others; Unimplemented if the driver is too old; Internal otherwise.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  virtual absl::StatusOr<DevicePtr> Allocate(size_t bytes) = 0;
  virtual absl::Status Free(DevicePtr ptr) = 0;
  /// Allocates memory that the host can use, too, at the same address, while no operation of the device does. Free()
  /// frees it. Unimplemented on a device without such memory.
  virtual absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) {
    return absl::UnimplementedError("AllocateShared: this device has no memory that the host can use");
  }
  /// Makes `bytes` of host memory usable as device memory, at the same address, until UnregisterHost() of their first
  /// byte, which must come before they are freed. InvalidArgument if some are registered already.
  virtual absl::Status RegisterHost(void* memory, size_t bytes) {
    return absl::UnimplementedError("RegisterHost: this device cannot use host memory");
  }
  virtual absl::Status UnregisterHost(void* memory) {
    return absl::UnimplementedError("UnregisterHost: this device cannot use host memory");
  }
  /// Operations run in the order of their stream. Without a stream, copies and fills are complete on return; on a
  /// stream, host memory must stay valid until Synchronize().
  virtual absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream = 0) = 0;
  virtual absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream = 0) = 0;
  virtual absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream = 0) = 0;
  /// Writes `count` 32-bit words of `value`.
  virtual absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream = 0) = 0;

  virtual absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) = 0;
  /// Launches a kernel; arguments[i] points to the value of parameter i, as for cuLaunchKernel. Raises the kernel's
  /// limit of dynamic shared memory when needed. InvalidArgument if the shape exceeds the device.
  virtual absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments,
                              StreamHandle stream = 0) = 0;

  /// Returns the opaque form that kernels take. Unimplemented on a device without tensor memory copies.
  virtual absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) {
    return absl::UnimplementedError("EncodeTensorMap: this device has no tensor memory copies");
  }

  virtual absl::StatusOr<StreamHandle> CreateStream() = 0;
  virtual absl::Status DestroyStream(StreamHandle stream) = 0;
  virtual absl::Status Synchronize(StreamHandle stream) = 0;
  virtual absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) = 0;
  virtual absl::StatusOr<EventHandle> CreateEvent() = 0;
  virtual absl::Status DestroyEvent(EventHandle event) = 0;
  virtual absl::Status RecordEvent(EventHandle event, StreamHandle stream) = 0;
  virtual absl::Status SynchronizeEvent(EventHandle event) = 0;
  /// Returns the nanoseconds between two recorded and finished events.
  virtual absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) = 0;

  /// Makes the stream wait about `ns` before what is enqueued next. False on a device that executes work at once.
  virtual absl::StatusOr<bool> Delay(double ns, StreamHandle stream) { return false; }
  /// True if the work before the recorded event is finished.
  virtual absl::StatusOr<bool> EventReached(EventHandle event) { return true; }

  /// Returns the clock of ElapsedNs(): "cuda-event" or "steady".
  virtual std::string_view clock_name() const = 0;
};

/// A CUDA device of this machine. `info.arch` may be one that no code can be generated for.
struct CudaDeviceEntry {
  int ordinal = 0;  ///< The index for CreateCudaDevice(); has gaps where a device does not answer.
  DeviceInfo info;
};

}  // namespace mmtune

/// Declares, in the public part of a device's class, the operations of Device that have no default.
#define MMTUNE_DEVICE_OVERRIDES                                                                                        \
  absl::StatusOr<DevicePtr> Allocate(size_t bytes) override;                                                           \
  absl::Status Free(DevicePtr ptr) override;                                                                           \
  absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) override;               \
  absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) override;                       \
  absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) override;                 \
  absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) override;                      \
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) override;       \
  absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) override; \
  absl::StatusOr<StreamHandle> CreateStream() override;                                                                \
  absl::Status DestroyStream(StreamHandle stream) override;                                                            \
  absl::Status Synchronize(StreamHandle stream) override;                                                              \
  absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) override;                                       \
  absl::StatusOr<EventHandle> CreateEvent() override;                                                                  \
  absl::Status DestroyEvent(EventHandle event) override;                                                               \
  absl::Status RecordEvent(EventHandle event, StreamHandle stream) override;                                           \
  absl::Status SynchronizeEvent(EventHandle event) override;                                                           \
  absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) override
