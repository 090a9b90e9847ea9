// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mgpu* functions that code of MLIR's gpu-to-llvm calls, over a Device, and their state.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "kernels/runtime/device/device.h"

namespace mmtune {

/// Counts the process's operations through mgpu*. At rest, created equals destroyed, except for images and constants of
/// loaded code. Memory of gpu.alloc host_shared is not counted: programs may keep it until the process ends.
struct MgpuCounters {
  int64_t allocations = 0, frees = 0;
  int64_t streams_created = 0, streams_destroyed = 0;
  int64_t events_created = 0, events_destroyed = 0;
  int64_t modules_loaded = 0, modules_unloaded = 0;
  int64_t launches = 0;
  int64_t uploads = 0, downloads = 0;  ///< Copies from host to device, constants included, and back.
};

struct MgpuOptions {
  /// Fills new device memory with NaNs, so that results show an element that a kernel does not write.
  bool poison_allocations = false;
};

/// Directs the process's mgpu* calls at `device`, which must outlive them. mgpu* calls cannot return errors: the first
/// error is kept for TakeMgpuError(), and later calls only release resources.
void SetMgpuDevice(Device* device, MgpuOptions options = {});
/// Makes the device at the first call that needs one; `image` is the format of the first image loaded, if any was.
using MgpuDeviceFactory = std::function<absl::StatusOr<Device*>(std::optional<ImageFormat> image)>;
/// For processes that cannot call SetMgpuDevice() before code with images is loaded: images wait for their first use.
/// An error of the factory is kept like that of a call.
void SetMgpuDeviceFactory(MgpuDeviceFactory factory);
/// Returns the device in use; null before one was set or made.
Device* CurrentMgpuDevice();
/// From now on, unloading an image only counts: when a process ends, what the device needs for it may be gone.
void KeepMgpuImagesLoaded();

absl::Status TakeMgpuError();
MgpuCounters GetMgpuCounters();

/// Returns name and address of every mgpu* function and of memrefCopy, for a JIT's symbol table.
std::vector<std::pair<std::string, void*>> MgpuSymbols();

/// The process's state behind mgpu*. Thread-safe: one call at a time reaches the device. While an error is kept, every
/// operation that does not release something does nothing.
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
  /// Calls operation(device), and keeps its error.
  void Run(absl::FunctionRef<absl::Status(Device&)> operation);

  /// Identifies a module in generated code.
  using ModuleHandle = void*;
  /// `image` stays valid until the module is unloaded.
  ModuleHandle LoadModule(ImageFormat format, std::string_view image);
  void UnloadModule(ModuleHandle module);
  DeviceKernel* GetKernel(ModuleHandle module, std::string_view name);
  void Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream);

  /// Returns the encoded map in device memory: the same address for the same map, valid as long as the device.
  DevicePtr TensorMap(const TiledTensorMap& map);

  StreamHandle CreateStream() { return Create(&Device::CreateStream, &MgpuCounters::streams_created); }
  void DestroyStream(StreamHandle stream) { Destroy(stream, &Device::DestroyStream, &MgpuCounters::streams_destroyed); }
  EventHandle CreateEvent() { return Create(&Device::CreateEvent, &MgpuCounters::events_created); }
  void DestroyEvent(EventHandle event) { Destroy(event, &Device::DestroyEvent, &MgpuCounters::events_destroyed); }

  /// With `host_shared`, the host can use the memory, too.
  DevicePtr Allocate(size_t bytes, bool host_shared);
  /// Waits for the operations of `stream` (0: none), which may use the memory, and frees it.
  void Free(DevicePtr ptr, StreamHandle stream);

  /// Returns the device's copy of host memory that never changes. The first call makes it; any stream may read it.
  /// Valid until ReleaseConstant() or another device.
  DevicePtr Constant(const void* host, size_t bytes);
  /// Does nothing if the device has no copy.
  void ReleaseConstant(const void* host);

  /// A range may be registered several times, and has to be unregistered as often.
  void RegisterHost(void* memory, size_t bytes);
  void UnregisterHost(void* memory, size_t bytes);

  /// Copies in the direction that the addresses tell: those in allocations made here are the device's, others the
  /// host's. Copies from host to host only if both are registered.
  void Copy(void* dst, const void* src, size_t bytes, StreamHandle stream);
  /// Writes `count` values of `value_bytes` (2 or 4).
  void Fill(DevicePtr dst, uint32_t value, size_t value_bytes, size_t count, StreamHandle stream);

 private:
  struct Module {
    ImageFormat format;
    std::string_view image;
    std::unique_ptr<DeviceModule> loaded;  ///< Null until the first use if there was no device yet.
  };
  struct Allocation {
    size_t bytes = 0;
    bool host_shared = false;
  };
  struct Registration {
    size_t bytes = 0;
    int count = 0;
  };
  using Handle = uint64_t;  ///< A stream or an event.

  bool Usable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Keep(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Returns the value, or zero for an error, which it keeps.
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
  std::map<const void*, DevicePtr> constants_ ABSL_GUARDED_BY(mutex_);  ///< By host memory; also in allocations_.
  std::map<DevicePtr, Registration> registered_ ABSL_GUARDED_BY(mutex_);
  std::map<TensorMapBytes, DevicePtr> tensor_maps_ ABSL_GUARDED_BY(mutex_);
  std::map<ModuleHandle, std::unique_ptr<Module>> modules_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<DeviceModule>> kept_images_
      ABSL_GUARDED_BY(mutex_);  ///< Images of modules that are unloaded.
};

}  // namespace mmtune
