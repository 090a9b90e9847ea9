// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mgpu* functions share: the device they are directed at, what they made on it, and their first error.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "kernels/runtime/device.h"
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
  void Fail(absl::Status status);

  /// What generated code knows of a module.
  using ModuleHandle = void*;
  /// `image` stays valid until the module is unloaded.
  ModuleHandle LoadModule(ImageFormat format, std::string_view image);
  void UnloadModule(ModuleHandle module);
  DeviceKernel* GetKernel(ModuleHandle module, std::string_view name);
  void Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream);

  /// The encoded map in device memory; the same address for the same map, valid as long as the device.
  DevicePtr TensorMap(const TiledTensorMap& map);

  StreamHandle CreateStream();
  void DestroyStream(StreamHandle stream);
  void Synchronize(StreamHandle stream);
  void StreamWaitEvent(StreamHandle stream, EventHandle event);
  EventHandle CreateEvent();
  void DestroyEvent(EventHandle event);
  void RecordEvent(EventHandle event, StreamHandle stream);
  void SynchronizeEvent(EventHandle event);

  /// `host_shared`: for the host, too.
  DevicePtr Allocate(size_t bytes, bool host_shared = false);
  /// Waits for what `stream` (0: none) still does, so that none of it uses the memory.
  void Free(DevicePtr ptr, StreamHandle stream);
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

  bool Usable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status ChooseDevice() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status LoadImage(Module* module) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<DeviceKernel*> GetKernelLocked(ModuleHandle module, std::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<DevicePtr> TensorMapLocked(const TiledTensorMap& map) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool OnDevice(const void* address) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsRegistered(const void* address) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status RegisterLocked(void* memory, size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status UnregisterLocked(void* memory) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CopyLocked(void* dst, const void* src, size_t bytes, StreamHandle stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status FillLocked(DevicePtr dst, uint32_t value, size_t value_bytes, size_t count, StreamHandle stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  Device* device_ ABSL_GUARDED_BY(mutex_) = nullptr;
  MgpuDeviceFactory factory_ ABSL_GUARDED_BY(mutex_);
  std::optional<ImageFormat> first_format_ ABSL_GUARDED_BY(mutex_);
  bool keep_images_ ABSL_GUARDED_BY(mutex_) = false;
  MgpuOptions options_ ABSL_GUARDED_BY(mutex_);
  MgpuCounters counters_ ABSL_GUARDED_BY(mutex_);
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  struct Allocation {
    size_t bytes = 0;
    bool host_shared = false;
  };
  std::map<DevicePtr, Allocation> allocations_ ABSL_GUARDED_BY(mutex_);
  struct Registration {
    size_t bytes = 0;
    int count = 0;
  };
  std::map<DevicePtr, Registration> registered_ ABSL_GUARDED_BY(mutex_);
  std::map<TensorMapBytes, DevicePtr> tensor_maps_ ABSL_GUARDED_BY(mutex_);
  std::map<ModuleHandle, std::unique_ptr<Module>> modules_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
