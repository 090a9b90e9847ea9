// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of a device that runs kernels: memory, streams, events, modules and launches, close to the CUDA driver
// API. It has two implementations: CudaDevice, over that API, and the SIMT device (kernels/simulator), which executes
// every GPU thread as a fiber on the CPU. tests/kernels/runtime/device_conformance_test.cc checks both alike.
//
//   DevicePtr a = *device.Allocate(1024);
//   auto module = *device.LoadModule(ImageFormat::kPtx, ptx);
//   void* arguments[] = {&a};
//   device.Launch(*module->GetKernel("scale"), {.grid = {4, 1, 1}, .block = {64, 1, 1}}, arguments);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/tensor_map.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// An address in the device's memory; 0 is null. A kernel receives it as a pointer parameter.
using DevicePtr = uint64_t;

/// Handles of streams and events. The device that created one owns it. Stream 0 is the default stream.
using StreamHandle = uint64_t;
using EventHandle = uint64_t;

/// The sizes of a launch: x, y, z.
struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};   ///< Blocks.
  uint32_t block[3] = {1, 1, 1};  ///< Threads per block.
  uint32_t dynamic_shared_bytes = 0;
  /// Blocks per cluster, 8 at most. More than one needs sm_90.
  uint32_t cluster[3] = {1, 1, 1};
};

/// Returns the launch sizes of `step`, a kernel launch of a launch plan (compiled_kernel.h).
LaunchShape ShapeOf(const PlanStep& step);

/// Returns InvalidArgument unless the device can launch this shape. `static_shared_bytes` is the kernel's static shared
/// memory, which counts in addition to the dynamic one. The limits are those of the CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability".
absl::Status CheckLaunchShape(const LaunchShape& shape, const DeviceInfo& device, int64_t static_shared_bytes);

/// Returns a block index, a thread index or a size as text, x first: "(1,2,3)".
std::string IndexText(const uint32_t* index);

/// Returns InvalidArgument naming the field that breaks a rule of cuTensorMapEncodeTiled: rank, address, extents,
/// strides, box, or a row of the box that is longer than the swizzle. The enumerations are not checked.
absl::Status CheckTensorMap(const TiledTensorMap& map);

/// A kernel of a loaded module; valid as long as the module.
class DeviceKernel {
 public:
  virtual ~DeviceKernel() = default;
};

/// Device code loaded on a device. The destructor unloads it.
class DeviceModule {
 public:
  virtual ~DeviceModule() = default;
  /// Returns the kernel `name`, or NotFound.
  virtual absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) = 0;
};

/// A device that runs kernels. Only one thread at a time may use it; launches on the SIMT device create threads of
/// their own. The message of an error names the failed call. The error code is
///
///   ResourceExhausted   memory is exhausted
///   InvalidArgument     a bad shape, pointer or image
///   Aborted             a sticky error: the context is lost, and the process must end
///   Unavailable         the device or driver is lost or used by others
///   Unimplemented       the driver is too old
///   Internal            anything else
class Device {
 public:
  virtual ~Device() = default;
  /// Returns the device's kind, architecture and limits.
  virtual const DeviceInfo& info() const = 0;

  /// Allocates `bytes` of device memory, aligned as by cuMemAlloc.
  virtual absl::StatusOr<DevicePtr> Allocate(size_t bytes) = 0;
  /// Frees memory that Allocate() or AllocateShared() returned.
  virtual absl::Status Free(DevicePtr ptr) = 0;
  /// Allocates memory that host and device can use at the same address, though not at the same time. Free() frees it.
  /// Returns Unimplemented if the device has no such memory.
  virtual absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) {
    return absl::UnimplementedError("AllocateShared: this device has no memory that the host can access, too");
  }
  /// Makes `bytes` of host memory usable as device memory at the same address, until UnregisterHost(memory), which must
  /// be called before the memory is freed. Returns InvalidArgument if part of the range is registered already.
  virtual absl::Status RegisterHost(void* memory, size_t bytes) {
    return absl::UnimplementedError("RegisterHost: this device cannot use host memory");
  }
  /// Ends the registration of the range that begins at `memory`.
  virtual absl::Status UnregisterHost(void* memory) {
    return absl::UnimplementedError("UnregisterHost: this device cannot use host memory");
  }
  /// Copies `bytes`. Operations of one stream run in order. On the default stream, copies and fills are complete on
  /// return. On another stream, host memory must stay valid until Synchronize().
  virtual absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream = 0) = 0;
  virtual absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream = 0) = 0;
  virtual absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream = 0) = 0;
  /// Writes `count` 32-bit words of `value`.
  virtual absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream = 0) = 0;

  /// Loads device code. Returns InvalidArgument if the device does not accept the image.
  virtual absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) = 0;
  /// Launches a kernel. arguments[i] points to the value of parameter i, as for cuLaunchKernel. Raises the kernel's
  /// limit of dynamic shared memory if needed. Returns InvalidArgument if the shape exceeds the device's limits.
  virtual absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments,
                              StreamHandle stream = 0) = 0;

  /// Returns how many clusters of launches with this kernel and shape can be resident on the device at once; 0 if not
  /// even one fits. The blocks of a cluster run in one part of the chip, so there may be fewer clusters than the number
  /// of multiprocessors alone would allow. Returns Unimplemented on a device or driver without clusters.
  virtual absl::StatusOr<int> MaxActiveClusters(DeviceKernel* /*kernel*/, const LaunchShape& /*shape*/) {
    return absl::UnimplementedError("MaxActiveClusters: this device has no clusters");
  }
  /// Returns a tensor map in the opaque form in which kernels take it. Returns Unimplemented on a device without bulk
  /// tensor copies (TMA).
  virtual absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) {
    return absl::UnimplementedError("EncodeTensorMap: this device has no bulk tensor copies (TMA)");
  }

  virtual absl::StatusOr<StreamHandle> CreateStream() = 0;
  virtual absl::Status DestroyStream(StreamHandle stream) = 0;
  /// Makes the host wait until the stream's operations are complete.
  virtual absl::Status Synchronize(StreamHandle stream) = 0;
  /// Makes later operations of `stream` wait for the event; the host does not wait.
  virtual absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) = 0;
  virtual absl::StatusOr<EventHandle> CreateEvent() = 0;
  virtual absl::Status DestroyEvent(EventHandle event) = 0;
  /// Records the event after the operations that are enqueued on the stream so far.
  virtual absl::Status RecordEvent(EventHandle event, StreamHandle stream) = 0;
  /// Makes the host wait for the event.
  virtual absl::Status SynchronizeEvent(EventHandle event) = 0;
  /// Returns the nanoseconds between two events. Both must have been recorded, and EventReached() must be true for
  /// both.
  virtual absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) = 0;

  /// Makes the stream pause for about `ns` nanoseconds before the operations enqueued next. Returns false, without a
  /// pause, on a device that executes operations at once.
  virtual absl::StatusOr<bool> Delay(double ns, StreamHandle stream) { return false; }
  /// Returns true if all operations before the recorded event are complete.
  virtual absl::StatusOr<bool> EventReached(EventHandle event) { return true; }

  /// Returns the name of the clock that ElapsedNs() uses: "cuda-event" or "steady".
  virtual std::string_view clock_name() const = 0;
};

/// The value of a kernel's parameter: the address of a buffer, or a tensor map.
union LaunchArgument {
  DevicePtr address;
  alignas(64) TensorMapBytes map;
};

/// Returns the name of a buffer for messages: "A", "B", "C", "the bias", "the addend", "the workspace".
std::string_view PlanBufferText(PlanBuffer buffer);

/// Returns the value of `argument`, an argument of a launch plan whose buffer is at `address`. If the argument is a
/// tensor map, encodes the map. If Device::EncodeTensorMap() fails, returns its error with the name of the buffer.
absl::StatusOr<LaunchArgument> MakeLaunchArgument(Device& device, const PlanArgument& argument, DevicePtr address);

/// A CUDA device of this machine. It may have an architecture for which no code can be generated.
struct CudaDeviceEntry {
  int ordinal = 0;  ///< The index for CreateCudaDevice(). Ordinals of devices that do not respond are skipped.
  DeviceInfo info;
};

}  // namespace mmtune

/// Declares the overrides of all operations of Device that have no default implementation. It is for the public part of
/// a device's class.
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
