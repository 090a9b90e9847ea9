// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/mgpu.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// NaNs in every floating-point type of 16 to 64 bits.
constexpr uint32_t kPoison = 0xFFFFFFFF;

DevicePtr Address(const void* pointer) { return reinterpret_cast<DevicePtr>(pointer); }

/// True if `address` is in one of the ranges, which are sorted by their begin.
template <typename Range>
bool IsInAny(const std::map<DevicePtr, Range>& ranges, const void* address) {
  auto next = ranges.upper_bound(Address(address));
  if (next == ranges.begin()) return false;
  --next;
  return Address(address) - next->first < next->second.bytes;
}

/// Returns a description of an image for errors.
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

}  // namespace

MgpuRuntime& MgpuRuntime::Get() {
  static MgpuRuntime* runtime = new MgpuRuntime;  // Never destroyed: code may be unloaded at exit.
  return *runtime;
}

void MgpuRuntime::SetDevice(Device* device, MgpuOptions options) {
  absl::MutexLock lock(&mutex_);
  if (device != device_) {  // They belong to the former device, and so do the tensor maps.
    counters_.frees += static_cast<int64_t>(constants_.size());
    constants_.clear();
    allocations_.clear();
    registered_.clear();
  }
  device_ = device;
  options_ = options;
  tensor_maps_.clear();
  encoded_maps_.Clear();
}

void MgpuRuntime::SetDeviceFactory(MgpuDeviceFactory factory) {
  absl::MutexLock lock(&mutex_);
  factory_ = std::move(factory);
}

Device* MgpuRuntime::CurrentDevice() {
  absl::MutexLock lock(&mutex_);
  return device_;
}

void MgpuRuntime::KeepImagesLoaded() {
  absl::MutexLock lock(&mutex_);
  keep_images_ = true;
}

absl::Status MgpuRuntime::TakeError() {
  absl::MutexLock lock(&mutex_);
  return std::exchange(error_, absl::OkStatus());
}

MgpuCounters MgpuRuntime::Counters() {
  absl::MutexLock lock(&mutex_);
  return counters_;
}

std::vector<int64_t> MgpuRuntime::MatmulCalls() {
  absl::MutexLock lock(&mutex_);
  return matmul_calls_;
}

void MgpuRuntime::CountMatmul(size_t index) {
  absl::MutexLock lock(&mutex_);
  if (matmul_calls_.size() <= index) matmul_calls_.resize(index + 1);
  ++matmul_calls_[index];
}

void MgpuRuntime::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  Keep(status);
}

void MgpuRuntime::Run(absl::FunctionRef<absl::Status(Device&)> operation) {
  absl::MutexLock lock(&mutex_);
  if (Usable()) Keep(operation(*device_));
}

MgpuRuntime::ModuleHandle MgpuRuntime::LoadModule(ImageFormat format, std::string_view image) {
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

void MgpuRuntime::UnloadModule(ModuleHandle module) {
  absl::MutexLock lock(&mutex_);
  if (module == nullptr) return;  // It was never loaded; that error is kept.
  auto found = modules_.find(module);
  if (found == modules_.end()) return Keep(InvalidArgument("mgpuModuleUnload: the handle is not from mgpuModuleLoad"));
  if (keep_images_) kept_images_.push_back(std::move(found->second->loaded));
  modules_.erase(found);
  ++counters_.modules_unloaded;
}

DeviceKernel* MgpuRuntime::GetKernel(ModuleHandle module, std::string_view name) {
  absl::MutexLock lock(&mutex_);
  return Usable() ? ValueOrKeep(FindKernel(module, name)) : nullptr;
}

void MgpuRuntime::Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) {
  absl::MutexLock lock(&mutex_);
  if (!Usable()) return;
  const absl::Status status = device_->Launch(kernel, shape, arguments, stream);
  counters_.launches += !absl::IsInvalidArgument(status);
  Keep(status);
}

void MgpuRuntime::EncodeMap(const TiledTensorMap& map, TensorMapBytes* bytes) {
  absl::MutexLock lock(&mutex_);
  *bytes = Usable() ? ValueOrKeep(encoded_maps_.Encode(*device_, map)) : TensorMapBytes{};
}

DevicePtr MgpuRuntime::TensorMap(const TiledTensorMap& map) {
  absl::MutexLock lock(&mutex_);
  return Usable() ? ValueOrKeep(EncodeTensorMap(map)) : 0;
}

DevicePtr MgpuRuntime::Allocate(size_t bytes, bool host_shared) {
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

void MgpuRuntime::Free(DevicePtr ptr, StreamHandle stream) {
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

DevicePtr MgpuRuntime::Constant(const void* host, size_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (bytes == 0 || !Usable()) return 0;
  if (auto known = constants_.find(host); known != constants_.end()) return known->second;
  return ValueOrKeep(UploadConstant(host, bytes));
}

void MgpuRuntime::ReleaseConstant(const void* host) {
  absl::MutexLock lock(&mutex_);
  auto found = constants_.find(host);
  if (found == constants_.end()) return;
  if (!keep_images_) Keep(device_->Free(found->second));
  allocations_.erase(found->second);
  constants_.erase(found);
  ++counters_.frees;
}

void MgpuRuntime::RegisterHost(void* memory, size_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (bytes == 0 || !Usable()) return;
  Registration& range = registered_[Address(memory)];
  if (range.count > 0 && range.bytes != bytes) {
    return Keep(InvalidArgument(absl::StrCat("mgpuMemHostRegister: ", bytes, " bytes at an address where ", range.bytes,
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

void MgpuRuntime::UnregisterHost(void* memory, size_t bytes) {
  absl::MutexLock lock(&mutex_);
  if (bytes == 0 || device_ == nullptr) return;
  auto range = registered_.find(Address(memory));
  if (range == registered_.end()) {
    return Keep(InvalidArgument("mgpuMemHostUnregister: the memory is not registered"));
  }
  if (--range->second.count > 0) return;
  registered_.erase(range);
  Keep(WithContext(device_->UnregisterHost(memory), "mgpuMemHostUnregister"));
}

void MgpuRuntime::Copy(void* dst, const void* src, size_t bytes, StreamHandle stream) {
  absl::MutexLock lock(&mutex_);
  if (bytes > 0 && Usable()) Keep(CopyBetween(dst, src, bytes, stream));
}

void MgpuRuntime::Fill(DevicePtr dst, uint32_t value, size_t value_bytes, size_t count, StreamHandle stream) {
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

bool MgpuRuntime::Usable() {
  if (error_.ok() && device_ == nullptr) {
    device_ = ValueOrKeep(factory_ ? factory_(first_format_)
                                   : FailedPrecondition("an mgpu* function was called before SetMgpuDevice"));
  }
  return error_.ok();
}

void MgpuRuntime::Keep(const absl::Status& status) {
  if (error_.ok()) error_ = status;
}

MgpuRuntime::Handle MgpuRuntime::Create(absl::StatusOr<Handle> (Device::*create)(), int64_t MgpuCounters::* counter) {
  absl::MutexLock lock(&mutex_);
  if (!Usable()) return 0;
  const absl::StatusOr<Handle> made = (device_->*create)();
  counters_.*counter += made.ok();
  return ValueOrKeep(made);
}

void MgpuRuntime::Destroy(Handle handle, absl::Status (Device::*destroy)(Handle), int64_t MgpuCounters::* counter) {
  absl::MutexLock lock(&mutex_);
  if (device_ == nullptr || (handle == 0 && !error_.ok())) return;
  const absl::Status status = (device_->*destroy)(handle);
  Keep(status);
  counters_.*counter += status.ok();
}

absl::Status MgpuRuntime::LoadImage(Module* module) {
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

absl::StatusOr<DeviceKernel*> MgpuRuntime::FindKernel(ModuleHandle module, std::string_view name) {
  auto found = modules_.find(module);
  if (found == modules_.end()) {
    return InvalidArgument(absl::StrCat("mgpuModuleGetFunction: kernel ", ToAbsl(name), ": the module is not loaded"));
  }
  RETURN_IF_ERROR(LoadImage(found->second.get()));
  return found->second->loaded->GetKernel(name);
}

// On stream 0 a copy is complete when it returns.
absl::StatusOr<DevicePtr> MgpuRuntime::UploadConstant(const void* host, size_t bytes) {
  absl::StatusOr<DevicePtr> ptr = device_->Allocate(bytes);
  if (!ptr.ok()) return WithContext(ptr.status(), absl::StrCat("no device memory for a constant of ", bytes, " bytes"));
  absl::Status copied = device_->CopyToDevice(*ptr, host, bytes);
  if (!copied.ok()) {
    device_->Free(*ptr).IgnoreError();
    return copied;
  }
  ++counters_.allocations;
  ++counters_.uploads;
  allocations_[*ptr] = {bytes, /*host_shared=*/false};
  constants_[host] = *ptr;
  return ptr;
}

// Code of gpu-to-llvm never frees a map, so maps are shared and not counted as allocations.
absl::StatusOr<DevicePtr> MgpuRuntime::EncodeTensorMap(const TiledTensorMap& map) {
  ASSIGN_OR_RETURN(TensorMapBytes bytes, encoded_maps_.Encode(*device_, map));
  if (auto it = tensor_maps_.find(bytes); it != tensor_maps_.end()) return it->second;
  ASSIGN_OR_RETURN(DevicePtr ptr, device_->Allocate(bytes.size()));
  RETURN_IF_ERROR(device_->CopyToDevice(ptr, bytes.data(), bytes.size()));
  tensor_maps_[bytes] = ptr;
  return ptr;
}

absl::Status MgpuRuntime::CopyBetween(void* dst, const void* src, size_t bytes, StreamHandle stream) {
  const bool to_device = IsInAny(allocations_, dst);
  const bool from_device = IsInAny(allocations_, src);
  if (to_device && from_device) return device_->CopyOnDevice(Address(dst), Address(src), bytes, stream);
  if (to_device || from_device) ++(to_device ? counters_.uploads : counters_.downloads);
  if (to_device) return device_->CopyToDevice(Address(dst), src, bytes, stream);
  if (from_device) return device_->CopyToHost(dst, Address(src), bytes, stream);
  if (IsInAny(registered_, dst) && IsInAny(registered_, src)) {
    return device_->CopyOnDevice(Address(dst), Address(src), bytes, stream);
  }
  return InvalidArgument(absl::StrCat("mgpuMemcpy of ", bytes,
                                      " bytes: neither address is in memory of mgpuMemAlloc, nor are both in ",
                                      "registered host memory"));
}

}  // namespace mmtune
