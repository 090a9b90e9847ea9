// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/cuda/cuda_device.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
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

struct CudaKernel : DeviceKernel {
  CudaKernel(const Driver* driver, std::string name, Function function, int static_shared_bytes)
      : driver(driver), name(std::move(name)), function(function), static_shared_bytes(static_shared_bytes) {}

  /// Raises the kernel's limit if it does not allow `dynamic_bytes` (at first 48 KB, static shared memory included).
  absl::Status AllowSharedMemory(uint32_t dynamic_bytes);

  const Driver* const driver;
  const std::string name;
  const Function function;
  const int static_shared_bytes;
  uint32_t allowed_dynamic_bytes = 0;  ///< 0: never raised.
};

/// GPU code loaded by the driver.
class CudaModule : public DeviceModule {
 public:
  /// The context must be current. `poisoned` is its first sticky error. Errors contain the log of the driver's
  /// assembler.
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(const Driver* driver, Context context,
                                                            std::shared_ptr<absl::Status> poisoned, ImageFormat format,
                                                            std::string_view image);
  ~CudaModule() override;

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  CudaModule(const Driver* driver, Context context, std::shared_ptr<absl::Status> poisoned, Module module)
      : driver_(driver), context_(context), poisoned_(std::move(poisoned)), module_(module) {}

  const Driver* const driver_;
  const Context context_;
  const std::shared_ptr<absl::Status> poisoned_;
  const Module module_;
  std::map<std::string, std::unique_ptr<CudaKernel>, std::less<>> kernels_;
};

constexpr uint32_t kSharedWithoutOptIn = 48 * 1024;
constexpr size_t kLogBytes = 4096;

/// Returns the assembler's log as one line.
std::string OneLine(std::string_view log) {
  std::string line;
  for (char c : log.substr(0, std::min(log.find('\0'), log.size()))) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += "; ";
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return line;
}

/// True if an error has lost the context, the device or the driver.
bool IsSticky(const absl::Status& status) { return absl::IsAborted(status) || absl::IsUnavailable(status); }

absl::StatusOr<std::string> VersionText(const Driver& driver) {
  int version = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DriverGetVersion, &version));
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

/// Adds to the error of a driver that is too old for PTX what to do.
absl::Status WithAdvice(const Driver& driver, std::string_view ptx, const absl::Status& status) {
  constexpr std::string_view kVersion = ".version ";
  const size_t at = ptx.find(kVersion);
  ASSIGN_OR_RETURN(const std::string cuda, VersionText(driver));
  if (at == std::string_view::npos) return status;
  const std::string_view behind = ptx.substr(at + kVersion.size());
  return absl::UnimplementedError(absl::StrCat(
      status.message(), ": the code is PTX ", ToAbsl(behind.substr(0, behind.find_first_not_of("0123456789."))),
      ", too new for the driver of CUDA ", cuda, ": install a newer driver, or ptxas of the CUDA toolkit"));
}

Stream AsStream(StreamHandle handle) { return reinterpret_cast<Stream>(handle); }

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
Event AsEvent(EventHandle handle) { return reinterpret_cast<Event>(handle); }

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
                                absl::StrCat("attribute ", static_cast<int>(attribute))));
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
  ASSIGN_OR_RETURN(info.driver, VersionText(driver));
  return info;
}

absl::StatusOr<DeviceInfo> QueryDeviceAt(const Driver& driver, int index) {
  DeviceId id = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGet, &id, index));
  return QueryDevice(driver, id);
}

}  // namespace

absl::Status CudaKernel::AllowSharedMemory(uint32_t dynamic_bytes) {
  const bool fits = dynamic_bytes + static_cast<uint32_t>(static_shared_bytes) <= kSharedWithoutOptIn;
  if (fits || dynamic_bytes <= allowed_dynamic_bytes) return absl::OkStatus();
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(driver, FuncSetAttribute, function, kMaxDynamicSharedSizeBytes,
                                   static_cast<int>(dynamic_bytes)));
  allowed_dynamic_bytes = dynamic_bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DeviceModule>> CudaModule::Load(const Driver* driver, Context context,
                                                               std::shared_ptr<absl::Status> poisoned,
                                                               ImageFormat format, std::string_view image) {
  if (format == ImageFormat::kSimtObject)
    return InvalidArgument("the image is an object for the SIMT device, not GPU code: compile it for a CUDA device");
  const std::string terminated(image);  // The driver expects PTX to end with a zero.
  std::string log(kLogBytes, '\0');
  JitOption names[] = {kJitErrorLogBuffer, kJitErrorLogBufferSizeBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  Module module = nullptr;
  absl::Status status = MMTUNE_CUDA_CALL(driver, ModuleLoadDataEx, &module, terminated.c_str(), 2, names, values);
  if (status.ok()) return std::unique_ptr<DeviceModule>(new CudaModule(driver, context, std::move(poisoned), module));
  if (absl::IsUnimplemented(status)) return WithAdvice(*driver, image, status);
  const std::string reason = OneLine(log);
  if (reason.empty()) return status;
  return absl::Status(status.code(), absl::StrCat(status.message(), ": ", reason));
}

CudaModule::~CudaModule() {
  if (!poisoned_->ok()) return;  // Nothing can be unloaded from a lost context, and its loss has been told.
  absl::Status status = MMTUNE_CUDA_CALL(driver_, CtxSetCurrent, context_);
  if (status.ok()) status = MMTUNE_CUDA_CALL(driver_, ModuleUnload, module_);
  if (IsSticky(status)) *poisoned_ = status;
  if (!status.ok()) LogWarning("cuda_module_not_unloaded", {{"error", ToStd(status.message())}});
}

absl::StatusOr<DeviceKernel*> CudaModule::GetKernel(std::string_view name) {
  if (auto it = kernels_.find(name); it != kernels_.end()) return it->second.get();
  const std::string context = absl::StrCat("GetKernel: ", ToAbsl(name));
  RETURN_IF_ERROR(WithContext(MMTUNE_CUDA_CALL(driver_, CtxSetCurrent, context_), context));
  std::string kernel_name(name);
  Function function = nullptr;
  RETURN_IF_ERROR(
      WithContext(MMTUNE_CUDA_CALL(driver_, ModuleGetFunction, &function, module_, kernel_name.c_str()), context));
  int static_shared_bytes = 0;
  RETURN_IF_ERROR(WithContext(
      MMTUNE_CUDA_CALL(driver_, FuncGetAttribute, &static_shared_bytes, kSharedSizeBytes, function), context));
  auto kernel = std::make_unique<CudaKernel>(driver_, kernel_name, function, static_shared_bytes);
  return kernels_.emplace(std::move(kernel_name), std::move(kernel)).first->second.get();
}

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
  RETURN_IF_ERROR(
      Finish(call, MMTUNE_CUDA_CALL(driver_, OccupancyMaxActiveClusters, &clusters, cuda_kernel->function, &config)));
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
