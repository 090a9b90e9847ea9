// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/cuda/cuda_device.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/runtime/cuda/cuda_module.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune::cuda {
namespace {

/// The code of kDelayKernel(nanoseconds): one thread.
constexpr char kDelayPtx[] = R"(
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

Stream AsStream(StreamHandle handle) { return reinterpret_cast<Stream>(handle); }

Event AsEvent(EventHandle handle) { return reinterpret_cast<Event>(handle); }

/// Returns the driver's form of a launch with clusters; `attribute` is part of it.
LaunchConfig ConfigOf(const LaunchShape& shape, StreamHandle stream, LaunchAttribute* attribute) {
  attribute->id = kLaunchAttributeClusterDimension;
  std::copy(shape.cluster, shape.cluster + 3, attribute->cluster);
  LaunchConfig config{};
  std::copy(shape.grid, shape.grid + 3, config.grid);
  std::copy(shape.block, shape.block + 3, config.block);
  config.shared_bytes = shape.dynamic_shared_bytes;
  config.stream = AsStream(stream);
  config.attributes = attribute;
  config.attribute_count = 1;
  return config;
}

/// Returns "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" like nvidia-smi, or "MIG-..." for a MIG instance, which its name
/// tells ("NVIDIA H100 80GB HBM3 MIG 1g.10gb").
std::string UuidText(const Uuid& uuid, const std::string& name) {
  std::string text = absl::StrContains(name, " MIG ") ? "MIG" : "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    absl::StrAppend(&text, absl::Hex(uuid.bytes[i], absl::kZeroPad2));
  }
  return text;
}

absl::Status ReadAttributes(const Driver& driver, DeviceId id, DeviceInfo* info) {
  int64_t major = 0, minor = 0;
  const std::pair<DeviceAttribute, int64_t*> wanted[] = {
      {kComputeCapabilityMajor, &major},
      {kComputeCapabilityMinor, &minor},
      {kMultiprocessorCount, &info->multiprocessors},
      {kMaxThreadsPerBlock, &info->max_threads_per_block},
      {kMaxThreadsPerMultiprocessor, &info->max_threads_per_multiprocessor},
      {kMaxRegistersPerMultiprocessor, &info->registers_per_multiprocessor},
      {kMaxSharedMemoryPerBlockOptin, &info->shared_bytes_per_block},
      {kMaxSharedMemoryPerMultiprocessor, &info->shared_bytes_per_multiprocessor},
      {kL2CacheSize, &info->l2_bytes},
      {kClockRate, &info->clock_khz},
  };
  for (const auto& [attribute, value] : wanted) {
    int answer = 0;
    RETURN_IF_ERROR(WithContext(MMTUNE_CUDA_CALL(&driver, DeviceGetAttribute, &answer, attribute, id),
                                absl::StrCat("cannot read attribute ", static_cast<int>(attribute))));
    *value = answer;
  }
  info->arch = absl::StrCat("sm_", major, minor);
  return absl::OkStatus();
}

absl::StatusOr<DeviceInfo> QueryDevice(const Driver& driver, DeviceId id) {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  char name[256] = "";
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGetName, name, sizeof(name), id));
  info.name = name;
  Uuid uuid{};
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGetUuid, &uuid, id));
  info.uuid = UuidText(uuid, info.name);
  size_t bytes = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceTotalMem, &bytes, id));
  info.memory_bytes = static_cast<int64_t>(bytes);
  RETURN_IF_ERROR(ReadAttributes(driver, id, &info));
  ASSIGN_OR_RETURN(info.driver, driver.CudaVersion());
  return info;
}

absl::StatusOr<DeviceInfo> QueryDeviceAt(const Driver& driver, int index) {
  DeviceId id = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGet, &id, index));
  return QueryDevice(driver, id);
}

}  // namespace

std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why) {
  std::vector<CudaDeviceEntry> devices;
  int count = 0;
  absl::Status status = MMTUNE_CUDA_CALL(&driver, DeviceGetCount, &count);
  if (status.ok() && count == 0) status = NotFound("the CUDA driver finds no device");
  for (int index = 0; index < count; ++index) {
    absl::StatusOr<DeviceInfo> info = QueryDeviceAt(driver, index);
    if (info.ok()) {
      devices.push_back({index, *std::move(info)});
    } else {
      status = WithContext(info.status(), absl::StrCat("CUDA device ", index));
    }
  }
  if (why != nullptr) *why = std::string(status.message());
  return devices;
}

absl::StatusOr<std::unique_ptr<Device>> CudaDevice::Create(const Driver* driver, int index) {
  DeviceId id = 0;
  if (absl::Status status = MMTUNE_CUDA_CALL(driver, DeviceGet, &id, index); !status.ok()) {
    return NotFound(absl::StrCat("no CUDA device ", index, ": ", status.message()));
  }
  ASSIGN_OR_RETURN(DeviceInfo info, QueryDevice(*driver, id));
  Context context = nullptr;
  RETURN_IF_ERROR(WithContext(MMTUNE_CUDA_CALL(driver, DevicePrimaryCtxRetain, &context, id),
                              absl::StrCat("CUDA device ", index, " (", info.name,
                                           ") gives no context, another process may hold it or its memory")));
  return std::unique_ptr<Device>(new CudaDevice(driver, id, context, std::move(info)));
}

CudaDevice::CudaDevice(const Driver* driver, DeviceId id, Context context, DeviceInfo info)
    : driver_(driver), id_(id), context_(context), info_(std::move(info)) {}

CudaDevice::~CudaDevice() {
  delay_module_.reset();
  absl::Status status = MMTUNE_CUDA_CALL(driver_, DevicePrimaryCtxRelease, id_);
  if (!status.ok() && poisoned_->ok()) LogWarning("cuda_context_not_released", {{"error", ToStd(status.message())}});
}

absl::Status CudaDevice::Enter(std::string_view call, StreamHandle stream) {
  if (!poisoned_->ok()) return WithContext(*poisoned_, absl::StrCat(ToAbsl(call), ": an earlier operation failed"));
  if (stream != 0 && !streams_.count(stream)) {
    return InvalidArgument(
        absl::StrCat(ToAbsl(call), ": stream ", stream, " was not created by this device, or is destroyed"));
  }
  return Finish(call, MMTUNE_CUDA_CALL(driver_, CtxSetCurrent, context_));
}

absl::Status CudaDevice::CheckEvent(std::string_view call, EventHandle event) const {
  if (events_.count(event)) return absl::OkStatus();
  return InvalidArgument(
      absl::StrCat(ToAbsl(call), ": event ", event, " was not created by this device, or is destroyed"));
}

absl::Status CudaDevice::Finish(std::string_view call, absl::Status status) {
  if (status.ok()) return status;
  status = WithContext(status, call);
  if (IsSticky(status)) *poisoned_ = status;
  return status;
}

absl::Status CudaDevice::FinishOn(std::string_view call, StreamHandle stream, absl::Status status) {
  if (status.ok() && stream == 0) status = MMTUNE_CUDA_CALL(driver_, StreamSynchronize, nullptr);
  return Finish(call, std::move(status));
}

absl::StatusOr<DevicePtr> CudaDevice::Allocate(size_t bytes) {
  RETURN_IF_ERROR(Enter("Allocate"));
  DevicePointer pointer = 0;
  RETURN_IF_ERROR(
      Finish(absl::StrCat("Allocate of ", bytes, " bytes"), MMTUNE_CUDA_CALL(driver_, MemAlloc, &pointer, bytes)));
  return pointer;
}

absl::Status CudaDevice::Free(DevicePtr ptr) {
  RETURN_IF_ERROR(Enter("Free"));
  if (ptr == 0) return absl::OkStatus();
  return Finish("Free", MMTUNE_CUDA_CALL(driver_, MemFree, ptr));
}

absl::StatusOr<DevicePtr> CudaDevice::AllocateShared(size_t bytes) {
  RETURN_IF_ERROR(Enter("AllocateShared"));
  DevicePointer pointer = 0;
  RETURN_IF_ERROR(Finish(absl::StrCat("AllocateShared of ", bytes, " bytes"),
                         MMTUNE_CUDA_CALL(driver_, MemAllocManaged, &pointer, bytes, kAttachGlobal)));
  return pointer;
}

absl::Status CudaDevice::RegisterHost(void* memory, size_t bytes) {
  RETURN_IF_ERROR(Enter("RegisterHost"));
  const std::string call = absl::StrCat("RegisterHost of ", bytes, " bytes");
  RETURN_IF_ERROR(Finish(
      call, MMTUNE_CUDA_CALL(driver_, MemHostRegister, memory, bytes, kHostRegisterPortable | kHostRegisterDeviceMap)));
  DevicePointer pointer = 0;
  absl::Status status = Finish(call, MMTUNE_CUDA_CALL(driver_, MemHostGetDevicePointer, &pointer, memory, 0));
  if (status.ok() && pointer != reinterpret_cast<DevicePointer>(memory)) {
    status = FailedPrecondition(absl::StrCat(call,
                                             ": this GPU maps the memory to another address than the host, which "
                                             "kernels cannot use: copy it with gpu.memcpy"));
  }
  if (!status.ok()) driver_->MemHostUnregister(memory);
  return status;
}

absl::Status CudaDevice::UnregisterHost(void* memory) {
  RETURN_IF_ERROR(Enter("UnregisterHost"));
  return Finish("UnregisterHost", MMTUNE_CUDA_CALL(driver_, MemHostUnregister, memory));
}

absl::Status CudaDevice::CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("CopyToDevice", stream));
  return FinishOn("CopyToDevice", stream,
                  MMTUNE_CUDA_CALL(driver_, MemcpyHtoDAsync, dst, src, bytes, AsStream(stream)));
}

absl::Status CudaDevice::CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("CopyToHost", stream));
  return FinishOn("CopyToHost", stream, MMTUNE_CUDA_CALL(driver_, MemcpyDtoHAsync, dst, src, bytes, AsStream(stream)));
}

absl::Status CudaDevice::CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("CopyOnDevice", stream));
  return FinishOn("CopyOnDevice", stream,
                  MMTUNE_CUDA_CALL(driver_, MemcpyDtoDAsync, dst, src, bytes, AsStream(stream)));
}

absl::Status CudaDevice::Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("Fill32", stream));
  return FinishOn("Fill32", stream, MMTUNE_CUDA_CALL(driver_, MemsetD32Async, dst, value, count, AsStream(stream)));
}

absl::StatusOr<std::unique_ptr<DeviceModule>> CudaDevice::LoadModule(ImageFormat format, std::string_view image) {
  RETURN_IF_ERROR(Enter("LoadModule"));
  absl::StatusOr<std::unique_ptr<DeviceModule>> module = CudaModule::Load(driver_, context_, poisoned_, format, image);
  if (!module.ok()) return Finish("LoadModule", module.status());
  return module;
}

absl::Status CudaDevice::Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("Launch", stream));
  auto* cuda_kernel = dynamic_cast<CudaKernel*>(kernel);
  if (cuda_kernel == nullptr) return InvalidArgument("Launch: the kernel was loaded by another kind of device");
  const std::string call = absl::StrCat("Launch of ", cuda_kernel->name);
  RETURN_IF_ERROR(WithContext(CheckLaunchShape(shape, info_, cuda_kernel->static_shared_bytes), call));
  RETURN_IF_ERROR(Finish(call, cuda_kernel->AllowSharedMemory(shape.dynamic_shared_bytes)));
  if (shape.cluster[0] * shape.cluster[1] * shape.cluster[2] > 1) {
    return Finish(call, LaunchClusters(cuda_kernel->function, shape, arguments, stream));
  }
  return Finish(call, MMTUNE_CUDA_CALL(driver_, LaunchKernel, cuda_kernel->function, shape.grid[0], shape.grid[1],
                                       shape.grid[2], shape.block[0], shape.block[1], shape.block[2],
                                       shape.dynamic_shared_bytes, AsStream(stream), arguments, nullptr));
}

absl::Status CudaDevice::LaunchClusters(Function function, const LaunchShape& shape, void** arguments,
                                        StreamHandle stream) {
  if (driver_->LaunchKernelEx == nullptr)
    return absl::UnimplementedError(
        "Launch: the CUDA driver lacks cuLaunchKernelEx, which clusters need: install a newer one");
  LaunchAttribute attribute;
  const LaunchConfig config = ConfigOf(shape, stream, &attribute);
  return MMTUNE_CUDA_CALL(driver_, LaunchKernelEx, &config, function, arguments, nullptr);
}

absl::StatusOr<int> CudaDevice::MaxActiveClusters(DeviceKernel* kernel, const LaunchShape& shape) {
  RETURN_IF_ERROR(Enter("MaxActiveClusters"));
  if (driver_->OccupancyMaxActiveClusters == nullptr)
    return absl::UnimplementedError(
        "MaxActiveClusters: the CUDA driver lacks cuOccupancyMaxActiveClusters: install a newer one");
  auto* cuda_kernel = dynamic_cast<CudaKernel*>(kernel);
  if (cuda_kernel == nullptr)
    return InvalidArgument("MaxActiveClusters: the kernel was loaded by another kind of device");
  const std::string call = absl::StrCat("MaxActiveClusters of ", cuda_kernel->name);
  RETURN_IF_ERROR(WithContext(CheckLaunchShape(shape, info_, cuda_kernel->static_shared_bytes), call));
  RETURN_IF_ERROR(Finish(call, cuda_kernel->AllowSharedMemory(shape.dynamic_shared_bytes)));
  LaunchAttribute attribute;
  const LaunchConfig config = ConfigOf(shape, /*stream=*/0, &attribute);
  int clusters = 0;
  const Result result = driver_->OccupancyMaxActiveClusters(&clusters, cuda_kernel->function, &config);
  // No cluster of this size fits, as on a small MIG instance: that is a count, and not a failure to count.
  if (result == kInvalidClusterSize) return 0;
  RETURN_IF_ERROR(Finish(call, driver_->Check(result, "cuOccupancyMaxActiveClusters")));
  return clusters;
}

absl::StatusOr<TensorMapBytes> CudaDevice::EncodeTensorMap(const TiledTensorMap& map) {
  RETURN_IF_ERROR(Enter("EncodeTensorMap"));
  if (driver_->TensorMapEncodeTiled == nullptr) {
    return absl::UnimplementedError(
        "EncodeTensorMap: the CUDA driver lacks cuTensorMapEncodeTiled: install a newer one");
  }
  RETURN_IF_ERROR(CheckTensorMap(map));
  const auto rank = static_cast<uint32_t>(map.extents.size());
  const std::vector<uint32_t> element_strides(rank, 1);
  TensorMap encoded{};
  RETURN_IF_ERROR(Finish("EncodeTensorMap",
                         MMTUNE_CUDA_CALL(driver_, TensorMapEncodeTiled, &encoded, map.data_type, rank,
                                          reinterpret_cast<void*>(map.address), map.extents.data(),
                                          map.strides_bytes.data(), map.box.data(), element_strides.data(),
                                          map.interleave, map.swizzle, map.l2_promotion, map.out_of_bounds_fill)));
  TensorMapBytes bytes;
  std::copy(encoded.bytes, encoded.bytes + bytes.size(), bytes.begin());
  return bytes;
}

absl::StatusOr<StreamHandle> CudaDevice::CreateStream() {
  RETURN_IF_ERROR(Enter("CreateStream"));
  Stream stream = nullptr;
  RETURN_IF_ERROR(Finish("CreateStream", MMTUNE_CUDA_CALL(driver_, StreamCreate, &stream, kStreamNonBlocking)));
  return *streams_.insert(reinterpret_cast<StreamHandle>(stream)).first;
}

absl::Status CudaDevice::DestroyStream(StreamHandle stream) {
  if (streams_.erase(stream) == 0)
    return InvalidArgument(
        absl::StrCat("DestroyStream: stream ", stream, " was not created by this device, or is destroyed"));
  RETURN_IF_ERROR(Enter("DestroyStream"));
  return Finish("DestroyStream", MMTUNE_CUDA_CALL(driver_, StreamDestroy, AsStream(stream)));
}

absl::Status CudaDevice::Synchronize(StreamHandle stream) {
  RETURN_IF_ERROR(Enter("Synchronize", stream));
  return Finish("Synchronize", MMTUNE_CUDA_CALL(driver_, StreamSynchronize, AsStream(stream)));
}

absl::Status CudaDevice::StreamWaitEvent(StreamHandle stream, EventHandle event) {
  RETURN_IF_ERROR(Enter("StreamWaitEvent", stream));
  RETURN_IF_ERROR(CheckEvent("StreamWaitEvent", event));
  return Finish("StreamWaitEvent", MMTUNE_CUDA_CALL(driver_, StreamWaitEvent, AsStream(stream), AsEvent(event), 0));
}

absl::StatusOr<EventHandle> CudaDevice::CreateEvent() {
  RETURN_IF_ERROR(Enter("CreateEvent"));
  Event event = nullptr;
  RETURN_IF_ERROR(Finish("CreateEvent", MMTUNE_CUDA_CALL(driver_, EventCreate, &event, kEventDefault)));
  return *events_.insert(reinterpret_cast<EventHandle>(event)).first;
}

absl::Status CudaDevice::DestroyEvent(EventHandle event) {
  if (events_.erase(event) == 0)
    return InvalidArgument(
        absl::StrCat("DestroyEvent: event ", event, " was not created by this device, or is destroyed"));
  RETURN_IF_ERROR(Enter("DestroyEvent"));
  return Finish("DestroyEvent", MMTUNE_CUDA_CALL(driver_, EventDestroy, AsEvent(event)));
}

absl::Status CudaDevice::RecordEvent(EventHandle event, StreamHandle stream) {
  RETURN_IF_ERROR(Enter("RecordEvent", stream));
  RETURN_IF_ERROR(CheckEvent("RecordEvent", event));
  return Finish("RecordEvent", MMTUNE_CUDA_CALL(driver_, EventRecord, AsEvent(event), AsStream(stream)));
}

absl::Status CudaDevice::SynchronizeEvent(EventHandle event) {
  RETURN_IF_ERROR(Enter("SynchronizeEvent"));
  RETURN_IF_ERROR(CheckEvent("SynchronizeEvent", event));
  return Finish("SynchronizeEvent", MMTUNE_CUDA_CALL(driver_, EventSynchronize, AsEvent(event)));
}

absl::StatusOr<bool> CudaDevice::EventReached(EventHandle event) {
  RETURN_IF_ERROR(Enter("EventReached"));
  RETURN_IF_ERROR(CheckEvent("EventReached", event));
  const Result result = driver_->EventQuery(AsEvent(event));
  if (result == kNotReady) return false;
  RETURN_IF_ERROR(Finish("EventReached", driver_->Check(result, "cuEventQuery")));
  return true;
}

absl::StatusOr<bool> CudaDevice::Delay(double ns, StreamHandle stream) {
  if (delay_kernel_ == nullptr) {
    ASSIGN_OR_RETURN(delay_module_, LoadModule(ImageFormat::kPtx, kDelayPtx));
    ASSIGN_OR_RETURN(delay_kernel_, delay_module_->GetKernel(kDelayKernel));
  }
  auto nanoseconds = static_cast<uint64_t>(std::max(ns, 0.0));
  void* arguments[] = {&nanoseconds};
  RETURN_IF_ERROR(Launch(delay_kernel_, LaunchShape{}, arguments, stream));
  return true;
}

absl::StatusOr<double> CudaDevice::ElapsedNs(EventHandle start, EventHandle end) {
  RETURN_IF_ERROR(Enter("ElapsedNs"));
  RETURN_IF_ERROR(CheckEvent("ElapsedNs", start));
  RETURN_IF_ERROR(CheckEvent("ElapsedNs", end));
  float milliseconds = 0;
  RETURN_IF_ERROR(
      Finish("ElapsedNs", MMTUNE_CUDA_CALL(driver_, EventElapsedTime, &milliseconds, AsEvent(start), AsEvent(end))));
  return double{milliseconds} * 1e6;
}

}  // namespace mmtune::cuda
