// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/mgpu.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "kernels/runtime/memref_copy.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// A NaN in every floating-point type of 16 to 64 bits.
constexpr uint32_t kPoison = 0xFFFFFFFF;

DevicePtr Address(const void* pointer) { return reinterpret_cast<DevicePtr>(pointer); }

/// Whether `address` is in one of the ranges, which are by their begin.
template <typename Range>
bool IsInAny(const std::map<DevicePtr, Range>& ranges, const void* address) {
  auto next = ranges.upper_bound(Address(address));
  if (next == ranges.begin()) return false;
  --next;
  return Address(address) - next->first < next->second.bytes;
}

/// What an image is, as the subject of an error.
const char* FormatText(ImageFormat format) {
  switch (format) {
    case ImageFormat::kPtx:
      return "PTX for a CUDA device";
    case ImageFormat::kCubin:
      return "a cubin for a CUDA device";
    case ImageFormat::kSimtObject:
      return "an object for the SIMT device";
  }
  return "an image";
}

/// The process's state behind mgpu*. Thread-safe: one call at a time reaches the device.
/// Every operation but the releasing ones does nothing while an error is kept.
class MgpuRuntime {
 public:
  static MgpuRuntime& Get() {
    static MgpuRuntime* runtime = new MgpuRuntime;  // Never destroyed: code may be unloaded at exit.
    return *runtime;
  }

  void SetDevice(Device* device, MgpuOptions options) {
    absl::MutexLock lock(&mutex_);
    if (device != device_) {  // They, and the maps, went with the device they were made on.
      allocations_.clear();
      registered_.clear();
    }
    device_ = device;
    options_ = options;
    tensor_maps_.clear();
  }

  void SetDeviceFactory(MgpuDeviceFactory factory) {
    absl::MutexLock lock(&mutex_);
    factory_ = std::move(factory);
  }

  Device* CurrentDevice() {
    absl::MutexLock lock(&mutex_);
    return device_;
  }

  void KeepImagesLoaded() {
    absl::MutexLock lock(&mutex_);
    keep_images_ = true;
  }

  absl::Status TakeError() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(error_, absl::OkStatus());
  }

  MgpuCounters Counters() {
    absl::MutexLock lock(&mutex_);
    return counters_;
  }

  /// Keeps `status` if it is the first error.
  void Fail(absl::Status status) {
    absl::MutexLock lock(&mutex_);
    Keep(status);
  }

  /// Calls operation(device) and keeps its error.
  void Run(absl::FunctionRef<absl::Status(Device&)> operation) {
    absl::MutexLock lock(&mutex_);
    if (Usable()) Keep(operation(*device_));
  }

  /// What generated code knows of a module.
  using ModuleHandle = void*;
  /// `image` stays valid until the module is unloaded.
  ModuleHandle LoadModule(ImageFormat format, std::string_view image) {
    absl::MutexLock lock(&mutex_);
    if (!first_format_) first_format_ = format;
    auto module = std::make_unique<Module>(Module{format, image, nullptr});
    // Constructors of a library load images before main() could choose a device: then they wait for their first use.
    if (device_ != nullptr || !factory_) {
      if (!Usable()) return nullptr;
      absl::Status status = LoadImage(module.get());
      Keep(status);
      if (!status.ok()) return nullptr;
    }
    ++counters_.modules_loaded;
    ModuleHandle handle = module.get();
    modules_.emplace(handle, std::move(module));
    return handle;
  }

  void UnloadModule(ModuleHandle module) {
    absl::MutexLock lock(&mutex_);
    if (module == nullptr) return;  // It was never loaded; that error is kept.
    auto found = modules_.find(module);
    if (found == modules_.end()) return Keep(InvalidArgument("mgpuModuleUnload: no module of mgpuModuleLoad"));
    if (keep_images_) static_cast<void>(found->second->loaded.release());
    modules_.erase(found);
    ++counters_.modules_unloaded;
  }

  DeviceKernel* GetKernel(ModuleHandle module, std::string_view name) {
    absl::MutexLock lock(&mutex_);
    return Usable() ? ValueOrKeep(FindKernel(module, name)) : nullptr;
  }

  void Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) {
    absl::MutexLock lock(&mutex_);
    if (!Usable()) return;
    const absl::Status status = device_->Launch(kernel, shape, arguments, stream);
    counters_.launches += !absl::IsInvalidArgument(status);
    Keep(status);
  }

  /// The encoded map in device memory; the same address for the same map, valid as long as the device.
  DevicePtr TensorMap(const TiledTensorMap& map) {
    absl::MutexLock lock(&mutex_);
    return Usable() ? ValueOrKeep(EncodeTensorMap(map)) : 0;
  }

  StreamHandle CreateStream() { return Create(&Device::CreateStream, &MgpuCounters::streams_created); }
  void DestroyStream(StreamHandle stream) { Destroy(stream, &Device::DestroyStream, &MgpuCounters::streams_destroyed); }
  EventHandle CreateEvent() { return Create(&Device::CreateEvent, &MgpuCounters::events_created); }
  void DestroyEvent(EventHandle event) { Destroy(event, &Device::DestroyEvent, &MgpuCounters::events_destroyed); }

  /// `host_shared`: for the host, too.
  DevicePtr Allocate(size_t bytes, bool host_shared) {
    absl::MutexLock lock(&mutex_);
    if (bytes == 0 || !Usable()) return 0;
    absl::StatusOr<DevicePtr> ptr = host_shared ? device_->AllocateShared(bytes) : device_->Allocate(bytes);
    Keep(ptr.status());
    if (!ptr.ok()) return 0;
    counters_.allocations += !host_shared;
    allocations_[*ptr] = {bytes, host_shared};
    if (options_.poison_allocations) {
      Keep(device_->Fill32(*ptr, kPoison, bytes / sizeof(kPoison), 0));
      if (const size_t tail = bytes % sizeof(kPoison)) {
        Keep(device_->CopyToDevice(*ptr + bytes - tail, &kPoison, tail, 0));
      }
    }
    return *ptr;
  }

  /// Waits for what `stream` (0: none) still does, so that none of it uses the memory.
  void Free(DevicePtr ptr, StreamHandle stream) {
    absl::MutexLock lock(&mutex_);
    if (device_ == nullptr || ptr == 0) return;
    if (stream != 0) Keep(device_->Synchronize(stream));
    absl::Status status = device_->Free(ptr);
    Keep(status);
    if (!status.ok()) return;
    const auto allocation = allocations_.find(ptr);
    const bool counted = allocation == allocations_.end() || !allocation->second.host_shared;
    counters_.frees += counted;
    if (allocation != allocations_.end()) allocations_.erase(allocation);
  }

  /// A range may be registered several times, and is so until it was unregistered as often.
  void RegisterHost(void* memory, size_t bytes) {
    absl::MutexLock lock(&mutex_);
    if (bytes == 0 || !Usable()) return;
    Registration& range = registered_[Address(memory)];
    if (range.count > 0 && range.bytes != bytes) {
      return Keep(
          InvalidArgument(absl::StrCat("mgpuMemHostRegister: ", bytes, " bytes at an address where ", range.bytes,
                                       " are registered: unregister those first (gpu.host_unregister)")));
    }
    if (range.count == 0) {
      if (absl::Status status = device_->RegisterHost(memory, bytes); !status.ok()) {
        registered_.erase(Address(memory));
        return Keep(WithContext(status, "mgpuMemHostRegister"));
      }
    }
    range.bytes = bytes;
    ++range.count;
  }

  void UnregisterHost(void* memory, size_t bytes) {
    absl::MutexLock lock(&mutex_);
    if (bytes == 0 || device_ == nullptr) return;
    auto range = registered_.find(Address(memory));
    if (range == registered_.end()) {
      return Keep(InvalidArgument("mgpuMemHostUnregister: of memory that is not registered"));
    }
    if (--range->second.count > 0) return;
    registered_.erase(range);
    Keep(WithContext(device_->UnregisterHost(memory), "mgpuMemHostUnregister"));
  }

  /// Finds the direction: an address in an allocation made here is the device's, any other the host's. From host to
  /// host only where both are registered.
  void Copy(void* dst, const void* src, size_t bytes, StreamHandle stream) {
    absl::MutexLock lock(&mutex_);
    if (bytes > 0 && Usable()) Keep(CopyBetween(dst, src, bytes, stream));
  }

  /// `count` values of `value_bytes` (2 or 4).
  void Fill(DevicePtr dst, uint32_t value, size_t value_bytes, size_t count, StreamHandle stream) {
    if (count == 0) return;
    Run([&](Device& device) -> absl::Status {
      if (value_bytes == sizeof(uint32_t)) return device.Fill32(dst, value, count, stream);
      const uint16_t half = static_cast<uint16_t>(value);
      const uint32_t pair = uint32_t{half} << 16 | half;
      const size_t words = count / 2;
      if (words > 0) RETURN_IF_ERROR(device.Fill32(dst, pair, words, stream));
      if (count % 2 == 0) return absl::OkStatus();
      RETURN_IF_ERROR(device.CopyToDevice(dst + words * sizeof(pair), &half, sizeof(half), stream));
      return device.Synchronize(stream);  // `half` lives no longer than this call.
    });
  }

 private:
  struct Module {
    ImageFormat format;
    std::string_view image;
    std::unique_ptr<DeviceModule> loaded;  ///< Null until it is needed, when there was no device yet.
  };

  using Handle = uint64_t;  ///< Of a stream or an event.

  bool Usable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (error_.ok() && device_ == nullptr) {
      device_ = ValueOrKeep(factory_ ? factory_(first_format_)
                                     : FailedPrecondition("an mgpu* function was called before SetMgpuDevice"));
    }
    return error_.ok();
  }

  void Keep(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (error_.ok()) error_ = status;
  }

  /// The value, or zero where there is an error, which it keeps.
  template <typename Value>
  Value ValueOrKeep(const absl::StatusOr<Value>& value) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Keep(value.status());
    return value.ok() ? *value : Value();
  }

  Handle Create(absl::StatusOr<Handle> (Device::*create)(), int64_t MgpuCounters::* counter) {
    absl::MutexLock lock(&mutex_);
    if (!Usable()) return 0;
    const absl::StatusOr<Handle> made = (device_->*create)();
    counters_.*counter += made.ok();
    return ValueOrKeep(made);
  }

  void Destroy(Handle handle, absl::Status (Device::*destroy)(Handle), int64_t MgpuCounters::* counter) {
    absl::MutexLock lock(&mutex_);
    if (device_ == nullptr || (handle == 0 && !error_.ok())) return;
    const absl::Status status = (device_->*destroy)(handle);
    Keep(status);
    counters_.*counter += status.ok();
  }

  absl::Status LoadImage(Module* module) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (module->loaded) return absl::OkStatus();
    absl::StatusOr<std::unique_ptr<DeviceModule>> loaded = device_->LoadModule(module->format, module->image);
    if (!loaded.ok()) {
      const DeviceInfo& info = device_->info();
      return WithContext(loaded.status(),
                         absl::StrCat("loading ", FormatText(module->format), " on the device in use, ",
                                      ToAbsl(DeviceKindName(info.kind)), " (", info.name, ", ", info.arch, ")"));
    }
    module->loaded = *std::move(loaded);
    return absl::OkStatus();
  }

  absl::StatusOr<DeviceKernel*> FindKernel(ModuleHandle module, std::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    auto found = modules_.find(module);
    if (found == modules_.end()) {
      return InvalidArgument(absl::StrCat("mgpuModuleGetFunction: kernel ", ToAbsl(name), " of a module not loaded"));
    }
    RETURN_IF_ERROR(LoadImage(found->second.get()));
    return found->second->loaded->GetKernel(name);
  }

  /// Nothing that gpu-to-llvm emits frees a map, so they are shared and not counted among the allocations.
  absl::StatusOr<DevicePtr> EncodeTensorMap(const TiledTensorMap& map) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    ASSIGN_OR_RETURN(TensorMapBytes bytes, device_->EncodeTensorMap(map));
    if (auto it = tensor_maps_.find(bytes); it != tensor_maps_.end()) return it->second;
    ASSIGN_OR_RETURN(DevicePtr ptr, device_->Allocate(bytes.size()));
    RETURN_IF_ERROR(device_->CopyToDevice(ptr, bytes.data(), bytes.size()));
    tensor_maps_[bytes] = ptr;
    return ptr;
  }

  absl::Status CopyBetween(void* dst, const void* src, size_t bytes, StreamHandle stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const bool to_device = IsInAny(allocations_, dst);
    const bool from_device = IsInAny(allocations_, src);
    if (to_device && from_device) return device_->CopyOnDevice(Address(dst), Address(src), bytes, stream);
    if (to_device) return device_->CopyToDevice(Address(dst), src, bytes, stream);
    if (from_device) return device_->CopyToHost(dst, Address(src), bytes, stream);
    if (IsInAny(registered_, dst) && IsInAny(registered_, src)) {
      return device_->CopyOnDevice(Address(dst), Address(src), bytes, stream);
    }
    return InvalidArgument(absl::StrCat("mgpuMemcpy: of ", bytes,
                                        " bytes neither end is an allocation of mgpuMemAlloc ",
                                        "still in use, nor are both registered host memory"));
  }

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

MgpuRuntime& Runtime() { return MgpuRuntime::Get(); }

uint64_t Handle(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }
void* Pointer(uint64_t handle) { return reinterpret_cast<void*>(handle); }

/// An ELF file of NVIDIA's machine is a cubin; what else gpu.binary embeds is an object for the SIMT device.
ImageFormat FormatOf(std::string_view image) {
  constexpr size_t kMachineOffset = 18;
  constexpr uint16_t kMachineCuda = 190;
  uint16_t machine = 0;
  if (image.size() >= kMachineOffset + sizeof(machine)) std::memcpy(&machine, &image[kMachineOffset], sizeof(machine));
  return machine == kMachineCuda ? ImageFormat::kCubin : ImageFormat::kSimtObject;
}

/// False, with the error kept, when an extent is not a number of 32 bits.
bool ToExtents(const char* what, intptr_t x, intptr_t y, intptr_t z, uint32_t* extents) {
  const intptr_t values[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) {
    if (values[i] < 0 || values[i] > std::numeric_limits<uint32_t>::max()) {
      Runtime().Fail(InvalidArgument(absl::StrCat("mgpuLaunchKernel: a ", what, " of (", x, ",", y, ",", z, ")")));
      return false;
    }
    extents[i] = static_cast<uint32_t>(values[i]);
  }
  return true;
}

/// A grid without blocks has nothing to run. Devices refuse it; a program that computes its grid counts on it.
void Launch(void* function, LaunchShape shape, int32_t shared_bytes, void* stream, void** params) {
  if (std::count(std::begin(shape.grid), std::end(shape.grid), 0u) > 0) return;
  if (shared_bytes < 0) {
    Runtime().Fail(InvalidArgument(absl::StrCat("mgpuLaunchKernel: ", shared_bytes, " bytes of shared memory")));
    return;
  }
  shape.dynamic_shared_bytes = static_cast<uint32_t>(shared_bytes);
  Runtime().Launch(static_cast<DeviceKernel*>(function), shape, params, Handle(stream));
}

/// The bytes from the first to the last element of a memref.
struct Stretch {
  void* first = nullptr;
  size_t bytes = 0;
};

/// `descriptor` is a ranked memref: two pointers, the offset, the sizes, the strides.
Stretch StretchOf(int64_t rank, void* descriptor, int64_t element_bytes) {
  const auto* words = static_cast<const int64_t*>(descriptor);
  const int64_t *sizes = words + 3, *strides = sizes + rank;
  int64_t first = words[2], last = words[2];
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0) return {};
    (strides[i] < 0 ? first : last) += (sizes[i] - 1) * strides[i];
  }
  char* base = static_cast<char*>(Pointer(static_cast<uint64_t>(words[1])));
  return {base + first * element_bytes, static_cast<size_t>((last - first + 1) * element_bytes)};
}

}  // namespace

// The signatures are those gpu-to-llvm and gpu-module-to-binary emit calls to (MLIR 22).
extern "C" {

void* mgpuModuleLoad(const void* data, size_t bytes) {
  const std::string_view image(static_cast<const char*>(data), bytes);
  return Runtime().LoadModule(FormatOf(image), image);
}

// PTX is embedded with its terminating zero.
void* mgpuModuleLoadJIT(const void* data, int32_t /*optimization_level*/) {
  return Runtime().LoadModule(ImageFormat::kPtx, static_cast<const char*>(data));
}

void mgpuModuleUnload(void* module) { Runtime().UnloadModule(module); }

void* mgpuModuleGetFunction(void* module, const char* name) { return Runtime().GetKernel(module, name); }

void mgpuLaunchKernel(void* function, intptr_t grid_x, intptr_t grid_y, intptr_t grid_z, intptr_t block_x,
                      intptr_t block_y, intptr_t block_z, int32_t shared_bytes, void* stream, void** params,
                      void** /*extra*/, size_t /*params_count*/) {
  LaunchShape shape;
  if (!ToExtents("grid", grid_x, grid_y, grid_z, shape.grid)) return;
  if (!ToExtents("block", block_x, block_y, block_z, shape.block)) return;
  Launch(function, shape, shared_bytes, stream, params);
}

void mgpuLaunchClusterKernel(void* function, intptr_t cluster_x, intptr_t cluster_y, intptr_t cluster_z,
                             intptr_t grid_x, intptr_t grid_y, intptr_t grid_z, intptr_t block_x, intptr_t block_y,
                             intptr_t block_z, int32_t shared_bytes, void* stream, void** params, void** /*extra*/) {
  LaunchShape shape;
  if (!ToExtents("cluster", cluster_x, cluster_y, cluster_z, shape.cluster)) return;
  if (!ToExtents("grid", grid_x, grid_y, grid_z, shape.grid)) return;
  if (!ToExtents("block", block_x, block_y, block_z, shape.block)) return;
  Launch(function, shape, shared_bytes, stream, params);
}

/// `descriptor` is a ranked memref: two pointers, the offset, the sizes, the strides. `box` has the memref's rank.
void* mgpuTensorMapEncodeTiledMemref(int64_t rank, void* descriptor, int64_t data_type, int64_t interleave,
                                     int64_t swizzle, int64_t l2_promotion, int64_t out_of_bounds_fill,
                                     const int64_t* box) {
  TiledTensorMap map;
  map.data_type = static_cast<int>(data_type);
  map.interleave = static_cast<int>(interleave);
  map.swizzle = static_cast<int>(swizzle);
  map.l2_promotion = static_cast<int>(l2_promotion);
  map.out_of_bounds_fill = static_cast<int>(out_of_bounds_fill);
  const int element_bytes = TensorElementBytes(map.data_type);
  if (element_bytes == 0) {
    Runtime().Fail(InvalidArgument(absl::StrCat("mgpuTensorMapEncodeTiledMemref: data type ", data_type)));
    return nullptr;
  }
  const auto* words = static_cast<const int64_t*>(descriptor);
  const int64_t *sizes = words + 3, *strides = sizes + rank;
  map.address = static_cast<DevicePtr>(words[1] + words[2] * element_bytes);
  for (int64_t i = rank - 1; i >= 0; --i) {
    map.extents.push_back(static_cast<uint64_t>(sizes[i]));
    map.box.push_back(static_cast<uint32_t>(box[i]));
    if (i < rank - 1) map.strides_bytes.push_back(static_cast<uint64_t>(strides[i] * element_bytes));
  }
  return Pointer(Runtime().TensorMap(map));
}

void* mgpuStreamCreate() { return Pointer(Runtime().CreateStream()); }
void mgpuStreamDestroy(void* stream) { Runtime().DestroyStream(Handle(stream)); }
void mgpuStreamSynchronize(void* stream) {
  Runtime().Run([&](Device& device) { return device.Synchronize(Handle(stream)); });
}
void mgpuStreamWaitEvent(void* stream, void* event) {
  Runtime().Run([&](Device& device) { return device.StreamWaitEvent(Handle(stream), Handle(event)); });
}

void* mgpuEventCreate() { return Pointer(Runtime().CreateEvent()); }
void mgpuEventDestroy(void* event) { Runtime().DestroyEvent(Handle(event)); }
void mgpuEventSynchronize(void* event) {
  Runtime().Run([&](Device& device) { return device.SynchronizeEvent(Handle(event)); });
}
void mgpuEventRecord(void* event, void* stream) {
  Runtime().Run([&](Device& device) { return device.RecordEvent(Handle(event), Handle(stream)); });
}

void* mgpuMemAlloc(uint64_t bytes, void* /*stream*/, bool host_shared) {
  return Pointer(Runtime().Allocate(bytes, host_shared));
}

void mgpuMemFree(void* ptr, void* stream) { Runtime().Free(Handle(ptr), Handle(stream)); }

void mgpuMemHostRegister(void* memory, uint64_t bytes) { Runtime().RegisterHost(memory, bytes); }
void mgpuMemHostUnregister(void* memory) { Runtime().UnregisterHost(memory, 1); }

void mgpuMemHostRegisterMemRef(int64_t rank, void* descriptor, int64_t element_bytes) {
  const Stretch stretch = StretchOf(rank, descriptor, element_bytes);
  Runtime().RegisterHost(stretch.first, stretch.bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void* descriptor, int64_t element_bytes) {
  const Stretch stretch = StretchOf(rank, descriptor, element_bytes);
  Runtime().UnregisterHost(stretch.first, stretch.bytes);
}

/// A process has one device, which is chosen before (docs/compile.md).
void mgpuSetDefaultDevice(int32_t device) {
  if (device == 0) return;
  Runtime().Fail(absl::UnimplementedError(absl::StrCat("mgpuSetDefaultDevice: device ", device,
                                                       ", but a process has one device: choose it with MMTUNE_DEVICE "
                                                       "or mmtune_set_device()")));
}

void mgpuMemcpy(void* dst, void* src, size_t bytes, void* stream) { Runtime().Copy(dst, src, bytes, Handle(stream)); }

void mgpuMemset32(void* dst, uint32_t value, size_t count, void* stream) {
  Runtime().Fill(Handle(dst), value, sizeof(uint32_t), count, Handle(stream));
}

void mgpuMemset16(void* dst, uint16_t value, size_t count, void* stream) {
  Runtime().Fill(Handle(dst), value, sizeof(uint16_t), count, Handle(stream));
}

}  // extern "C"

void SetMgpuDevice(Device* device, MgpuOptions options) { Runtime().SetDevice(device, options); }
void SetMgpuDeviceFactory(MgpuDeviceFactory factory) { Runtime().SetDeviceFactory(std::move(factory)); }
Device* CurrentMgpuDevice() { return Runtime().CurrentDevice(); }
void KeepMgpuImagesLoaded() { Runtime().KeepImagesLoaded(); }
absl::Status TakeMgpuError() { return Runtime().TakeError(); }
MgpuCounters GetMgpuCounters() { return Runtime().Counters(); }

std::vector<std::pair<std::string, void*>> MgpuSymbols() {
#define SYMBOL(name)                      \
  {                                       \
    #name, reinterpret_cast<void*>(&name) \
  }
  return {SYMBOL(memrefCopy),
          SYMBOL(mgpuEventCreate),
          SYMBOL(mgpuEventDestroy),
          SYMBOL(mgpuEventRecord),
          SYMBOL(mgpuEventSynchronize),
          SYMBOL(mgpuLaunchClusterKernel),
          SYMBOL(mgpuLaunchKernel),
          SYMBOL(mgpuMemAlloc),
          SYMBOL(mgpuMemFree),
          SYMBOL(mgpuMemHostRegister),
          SYMBOL(mgpuMemHostRegisterMemRef),
          SYMBOL(mgpuMemHostUnregister),
          SYMBOL(mgpuMemHostUnregisterMemRef),
          SYMBOL(mgpuMemcpy),
          SYMBOL(mgpuMemset16),
          SYMBOL(mgpuMemset32),
          SYMBOL(mgpuModuleGetFunction),
          SYMBOL(mgpuModuleLoad),
          SYMBOL(mgpuModuleLoadJIT),
          SYMBOL(mgpuModuleUnload),
          SYMBOL(mgpuSetDefaultDevice),
          SYMBOL(mgpuStreamCreate),
          SYMBOL(mgpuStreamDestroy),
          SYMBOL(mgpuStreamSynchronize),
          SYMBOL(mgpuStreamWaitEvent),
          SYMBOL(mgpuTensorMapEncodeTiledMemref)};
#undef SYMBOL
}

}  // namespace mmtune
