// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process has made through mgpu*, and the first error of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "kernels/runtime/device/device.h"
#include "kernels/runtime/mgpu.h"

namespace mmtune {

/// The process's state behind mgpu*. Thread-safe: one call at a time reaches the device.
/// Every operation but the releasing ones does nothing while an error is kept.
class MgpuRuntime {
 public:
  static MgpuRuntime& Get();

  void SetDevice(Device* device, MgpuOptions options);
  void SetDeviceFactory(MgpuDeviceFactory factory);
  Device* CurrentDevice();
  void KeepImagesLoaded();
  absl::Status TakeError();
  MgpuCounters Counters();

  /// Keeps `status` if it is the first error.
  void Fail(const absl::Status& status);
  /// Calls operation(device) and keeps its error.
  void Run(absl::FunctionRef<absl::Status(Device&)> operation);

  /// What generated code knows of a module.
  using ModuleHandle = void*;
  /// `image` stays valid until the module is unloaded.
  ModuleHandle LoadModule(ImageFormat format, std::string_view image);
  void UnloadModule(ModuleHandle module);
  DeviceKernel* GetKernel(ModuleHandle module, std::string_view name);
  void Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream);

  /// The encoded map in device memory; the same address for the same map, valid as long as the device.
  DevicePtr TensorMap(const TiledTensorMap& map);

  StreamHandle CreateStream() { return Create(&Device::CreateStream, &MgpuCounters::streams_created); }
  void DestroyStream(StreamHandle stream) { Destroy(stream, &Device::DestroyStream, &MgpuCounters::streams_destroyed); }
  EventHandle CreateEvent() { return Create(&Device::CreateEvent, &MgpuCounters::events_created); }
  void DestroyEvent(EventHandle event) { Destroy(event, &Device::DestroyEvent, &MgpuCounters::events_destroyed); }

  /// `host_shared`: for the host, too.
  DevicePtr Allocate(size_t bytes, bool host_shared);
  /// Waits for what `stream` (0: none) still does, so that none of it uses the memory.
  void Free(DevicePtr ptr, StreamHandle stream);

  /// The device's copy of host memory that never changes, made by the first call, and complete: any stream may read it.
  /// Valid until ReleaseConstant() or another device.
  DevicePtr Constant(const void* host, size_t bytes);
  /// Nothing where the device has no copy.
  void ReleaseConstant(const void* host);

  /// A range may be registered several times, and is so until it was unregistered as often.
  void RegisterHost(void* memory, size_t bytes);
  void UnregisterHost(void* memory, size_t bytes);

  /// Finds the direction: an address in an allocation made here is the device's, any other the host's. From host to
  /// host only where both are registered.
  void Copy(void* dst, const void* src, size_t bytes, StreamHandle stream);
  /// `count` values of `value_bytes` (2 or 4).
  void Fill(DevicePtr dst, uint32_t value, size_t value_bytes, size_t count, StreamHandle stream);

 private:
  struct Module {
    ImageFormat format;
    std::string_view image;
    std::unique_ptr<DeviceModule> loaded;  ///< Null until it is needed, when there was no device yet.
  };
  struct Allocation {
    size_t bytes = 0;
    bool host_shared = false;
  };
  struct Registration {
    size_t bytes = 0;
    int count = 0;
  };
  using Handle = uint64_t;  ///< Of a stream or an event.

  bool Usable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// The value, or zero where there is an error, which it keeps.
  template <typename Value>
  Value ValueOrKeep(const absl::StatusOr<Value>& value) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Keep(value.status());
    return value.ok() ? *value : Value();
  }
  Handle Create(absl::StatusOr<Handle> (Device::*create)(), int64_t MgpuCounters::* counter);
  void Destroy(Handle handle, absl::Status (Device::*destroy)(Handle), int64_t MgpuCounters::* counter);
  absl::Status LoadImage(Module* module) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<DeviceKernel*> FindKernel(ModuleHandle module, std::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<DevicePtr> UploadConstant(const void* host, size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<DevicePtr> EncodeTensorMap(const TiledTensorMap& map) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CopyBetween(void* dst, const void* src, size_t bytes, StreamHandle stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  Device* device_ ABSL_GUARDED_BY(mutex_) = nullptr;
  MgpuDeviceFactory factory_ ABSL_GUARDED_BY(mutex_);
  std::optional<ImageFormat> first_format_ ABSL_GUARDED_BY(mutex_);
  bool keep_images_ ABSL_GUARDED_BY(mutex_) = false;
  MgpuOptions options_ ABSL_GUARDED_BY(mutex_);
  MgpuCounters counters_ ABSL_GUARDED_BY(mutex_);
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  std::map<DevicePtr, Allocation> allocations_ ABSL_GUARDED_BY(mutex_);
  std::map<const void*, DevicePtr> constants_ ABSL_GUARDED_BY(mutex_);  ///< In allocations_, by their host memory.
  std::map<DevicePtr, Registration> registered_ ABSL_GUARDED_BY(mutex_);
  std::map<TensorMapBytes, DevicePtr> tensor_maps_ ABSL_GUARDED_BY(mutex_);
  std::map<ModuleHandle, std::unique_ptr<Module>> modules_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<DeviceModule>> kept_images_ ABSL_GUARDED_BY(mutex_);  ///< Of modules that are unloaded.
};

}  // namespace mmtune
