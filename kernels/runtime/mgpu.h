// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that MLIR's gpu-to-llvm pass calls (mgpuLaunchKernel, mgpuMemAlloc, ...), implemented over a Device.
// MLIR's own library implements them over CUDA only; with this one the same host code also runs on the SIMT device,
// which executes kernels on the CPU. Users are compiled models, HostFunction, and the C library libmmtune_runtime.so.
//
//   SetMgpuDevice(&device);  model_function(...);  absl::Status status = TakeMgpuError();
//
// The mgpu* functions return no errors. So the first error is kept until TakeMgpuError(), and while one is kept, every
// call that does not release something does nothing.
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
#include "kernels/runtime/tensor_map_cache.h"

namespace mmtune {

/// Counts the mgpu* operations of this process. When nothing runs, as many objects were destroyed as created, except
/// for the images and constants of loaded code. Memory of `gpu.alloc host_shared` is not counted, because programs may
/// keep it until they end.
struct MgpuCounters {
  int64_t allocations = 0, frees = 0;
  int64_t streams_created = 0, streams_destroyed = 0;
  int64_t events_created = 0, events_destroyed = 0;
  int64_t modules_loaded = 0, modules_unloaded = 0;  ///< Images: device code of one gpu.module.
  int64_t launches = 0;
  int64_t uploads = 0, downloads = 0;  ///< Copies from host to device, including constants, and back.
};

/// Options of SetMgpuDevice().
struct MgpuOptions {
  /// Fill new device memory with NaNs, so that an element that no kernel writes is visible in the result.
  bool poison_allocations = false;
};

/// Makes `device` the target of this process's mgpu* calls. It must outlive them.
void SetMgpuDevice(Device* device, MgpuOptions options = {});
/// Creates the device when it is first needed. `image` is the format of the first image loaded, if there was one.
using MgpuDeviceFactory = std::function<absl::StatusOr<Device*>(std::optional<ImageFormat> image)>;
/// Sets a function that creates the device at the first call that needs one. It is for processes whose code with images
/// is loaded before they could call SetMgpuDevice(). Such images are loaded on first use. An error of `factory` is kept
/// like that of an mgpu* call.
void SetMgpuDeviceFactory(MgpuDeviceFactory factory);
/// Returns the device in use, or null if none was set or created yet.
Device* CurrentMgpuDevice();
/// From now on, keeps images on the device when generated code unloads them. This is for the end of a process, when the
/// driver may be gone already.
void KeepMgpuImagesLoaded();

/// Returns the error that is kept, or OK, and clears it.
absl::Status TakeMgpuError();
/// Returns the counts since the process started.
MgpuCounters GetMgpuCounters();

/// Returns the name and address of every mgpu* function and of memrefCopy, for a JIT's symbol table.
std::vector<std::pair<std::string, void*>> MgpuSymbols();

/// The state behind the mgpu* functions; one object per process. Thread-safe: one call at a time reaches the device.
class MgpuRuntime {
 public:
  /// Returns the process's object.
  static MgpuRuntime& Get();

  // Each of these implements the function of a similar name above, such as SetMgpuDevice().
  void SetDevice(Device* device, MgpuOptions options);
  void SetDeviceFactory(MgpuDeviceFactory factory);
  Device* CurrentDevice();
  void KeepImagesLoaded();
  absl::Status TakeError();
  MgpuCounters Counters();

  /// Keeps `status` if it is the first error.
  void Fail(const absl::Status& status);
  /// Calls `operation` with the device, and keeps its error. Does nothing while an error is kept.
  void Run(absl::FunctionRef<absl::Status(Device&)> operation);

  /// The value by which generated code refers to a loaded module.
  using ModuleHandle = void*;
  /// Loads device code. `image` must stay valid until the module is unloaded.
  ModuleHandle LoadModule(ImageFormat format, std::string_view image);
  /// Unloads the module; the handle becomes invalid.
  void UnloadModule(ModuleHandle module);
  /// Returns the module's kernel `name`, or null after an error.
  DeviceKernel* GetKernel(ModuleHandle module, std::string_view name);
  /// Launches `kernel`. arguments[i] points to the value of parameter i.
  void Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream);

  /// Writes the encoded map to `bytes`, which become zeros after an error. Equal maps are encoded once.
  void EncodeMap(const TiledTensorMap& map, TensorMapBytes* bytes);
  /// Returns the address of the encoded map in device memory. Equal maps share one address, which stays valid as long
  /// as the device.
  DevicePtr TensorMap(const TiledTensorMap& map);

  StreamHandle CreateStream() { return Create(&Device::CreateStream, &MgpuCounters::streams_created); }
  void DestroyStream(StreamHandle stream) { Destroy(stream, &Device::DestroyStream, &MgpuCounters::streams_destroyed); }
  EventHandle CreateEvent() { return Create(&Device::CreateEvent, &MgpuCounters::events_created); }
  void DestroyEvent(EventHandle event) { Destroy(event, &Device::DestroyEvent, &MgpuCounters::events_destroyed); }

  /// Allocates device memory. With `host_shared`, the host can use it at the same address.
  DevicePtr Allocate(size_t bytes, bool host_shared);
  /// Waits for the operations of `stream`, which may use the memory, then frees it. A `stream` of 0 waits for nothing.
  void Free(DevicePtr ptr, StreamHandle stream);

  /// Returns the device's copy of host memory that never changes, such as weights. The first call creates the copy; any
  /// stream may read it. It is valid until ReleaseConstant() or until another device is set.
  DevicePtr Constant(const void* host, size_t bytes);
  /// Frees the device's copy of `host`, if there is one.
  void ReleaseConstant(const void* host);

  /// Makes host memory accessible to the device. Registrations are counted: a range must be unregistered as often as it
  /// was registered.
  void RegisterHost(void* memory, size_t bytes);
  void UnregisterHost(void* memory, size_t bytes);

  /// Copies `bytes`. An address within an allocation of this object is the device's, any other is the host's. A copy
  /// from host to host is done only if both ranges are registered. Otherwise it is an error, because such an address
  /// may also be of device memory that was freed.
  void Copy(void* dst, const void* src, size_t bytes, StreamHandle stream);
  /// Writes `count` copies of `value`, each of `value_bytes` (2 or 4) bytes.
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

  /// True if there is a device and no error is kept. Creates the device if a factory is set.
  bool Usable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Keeps `status` if it is an error and none is kept yet.
  void Keep(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Returns the value; for an error returns zero and keeps the error.
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
  TensorMapCache encoded_maps_ ABSL_GUARDED_BY(mutex_);
  std::map<TensorMapBytes, DevicePtr> tensor_maps_ ABSL_GUARDED_BY(mutex_);
  std::map<ModuleHandle, std::unique_ptr<Module>> modules_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<DeviceModule>> kept_images_
      ABSL_GUARDED_BY(mutex_);  ///< Images of modules that are unloaded.
};

}  // namespace mmtune
