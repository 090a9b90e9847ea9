// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/simt_device.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/simulator/abi/abi.h"
#include "kernels/simulator/ops/tensor_map.h"
#include "kernels/simulator/profile/profile_monitor.h"
#include "kernels/simulator/race_detector/race_monitor.h"
#include "proto/base/status.h"

namespace mmtune::simt {

struct SimtKernel : DeviceKernel {
  std::string name;
  KernelEntry entry = nullptr;
  uint32_t static_shared_bytes = 0;
  std::optional<ThreadBounds> thread_bounds;
  const uint32_t* cluster = nullptr;  ///< The cluster size that the kernel demands; null for none.
  KernelNames names;
  InstrumentationTables tables;
};

namespace {

/// The kernels of a loaded object.
class SimtModule : public DeviceModule {
 public:
  static absl::StatusOr<std::unique_ptr<DeviceModule>> Load(std::string_view image);

  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override;

 private:
  explicit SimtModule(std::unique_ptr<LoadedObject> object);

  std::unique_ptr<LoadedObject> object_;
  InstrumentationTables tables_;
  std::map<std::string, std::unique_ptr<SimtKernel>, std::less<>> kernels_;
};

/// Returns a table of the object; null when it has none.
template <typename Entry>
const Entry* Table(LoadedObject& object, const char* symbol) {
  absl::StatusOr<void*> address = object.Lookup(symbol);
  return address.ok() ? static_cast<const Entry*>(*address) : nullptr;
}

#define SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}

/// Returns the functions that compiled kernels call (abi.h).
LoadedObject::Symbols RuntimeSymbols() {
  return {SYMBOL(mmtune_simt_access),
          SYMBOL(mmtune_simt_assert_fail),
          SYMBOL(mmtune_simt_shared_begins),
          SYMBOL(mmtune_simt_branch),
          SYMBOL(mmtune_simt_iterate),
          SYMBOL(mmtune_simt_barrier),
          SYMBOL(mmtune_simt_barrier_arrive),
          SYMBOL(mmtune_simt_barrier_reduce),
          SYMBOL(mmtune_simt_barrier_warp),
          SYMBOL(mmtune_simt_cluster_register),
          SYMBOL(mmtune_simt_cluster_arrive),
          SYMBOL(mmtune_simt_cluster_wait),
          SYMBOL(mmtune_simt_cluster_address),
          SYMBOL(mmtune_simt_cluster_pointer),
          SYMBOL(mmtune_simt_mapa),
          SYMBOL(mmtune_simt_fence),
          SYMBOL(mmtune_simt_yield),
          SYMBOL(mmtune_simt_cp_async),
          SYMBOL(mmtune_simt_cp_async_commit),
          SYMBOL(mmtune_simt_cp_async_wait),
          SYMBOL(mmtune_simt_warp),
          SYMBOL(mmtune_simt_warp_batch),
          SYMBOL(mmtune_simt_cp_async_mbarrier_arrive),
          SYMBOL(mmtune_simt_mbarrier_init),
          SYMBOL(mmtune_simt_mbarrier_inval),
          SYMBOL(mmtune_simt_mbarrier_expect_tx),
          SYMBOL(mmtune_simt_mbarrier_complete_tx),
          SYMBOL(mmtune_simt_mbarrier_arrive),
          SYMBOL(mmtune_simt_mbarrier_test),
          SYMBOL(mmtune_simt_tensor_load),
          SYMBOL(mmtune_simt_tensor_store),
          SYMBOL(mmtune_simt_bulk_load),
          SYMBOL(mmtune_simt_bulk_send),
          SYMBOL(mmtune_simt_bulk_store),
          SYMBOL(mmtune_simt_bulk_commit),
          SYMBOL(mmtune_simt_bulk_wait),
          SYMBOL(mmtune_simt_wgmma_fence),
          SYMBOL(mmtune_simt_wgmma_commit),
          SYMBOL(mmtune_simt_wgmma_wait),
          SYMBOL(mmtune_simt_set_max_registers)};
}

#undef SYMBOL

/// True for functions that code generation calls in place of an instruction that the processor lacks: they are exact or
/// correctly rounded. A kernel's mathematical functions are in its object, as on a GPU; those of the host's library
/// would give other bits.
bool ReplacesInstruction(std::string_view symbol) {
  static constexpr std::string_view kFunctions[] = {"ceil",       "ceilf",  "floor",  "floorf",  "fma",    "fmaf",
                                                    "ldexp",      "ldexpf", "memcpy", "memmove", "memset", "nearbyint",
                                                    "nearbyintf", "rint",   "rintf",  "round",   "roundf", "roundeven",
                                                    "roundevenf", "trunc",  "truncf"};
  return symbol.starts_with("__") || std::ranges::find(kFunctions, symbol) != std::end(kFunctions);
}

char* HostAddress(DevicePtr ptr) { return reinterpret_cast<char*>(ptr); }

utsname SystemNames() {
  utsname names{};
  uname(&names);
  return names;
}

/// Returns "AMD EPYC 9655", or the architecture's name if the system tells no more.
std::string ProcessorName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return SystemNames().machine;
}

/// Returns InvalidArgument for a block that the kernel does not allow.
absl::Status CheckThreadBounds(const LaunchShape& shape, const ThreadBounds& bounds) {
  if (bounds.required[0] != 0 && !std::equal(shape.block, shape.block + 3, bounds.required)) {
    return InvalidArgument(absl::StrCat("a block of ", IndexText(shape.block), " threads; the kernel requires ",
                                        IndexText(bounds.required), " (.reqntid)"));
  }
  const uint64_t threads = uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (bounds.most == 0 || threads <= bounds.most) return absl::OkStatus();
  return InvalidArgument(
      absl::StrCat("a block of ", threads, " threads; the kernel allows at most ", bounds.most, " (.maxntid)"));
}

/// Gives the launch the cluster size that the kernel demands. Returns InvalidArgument if it has another one, or one
/// that is too large.
absl::Status ApplyClusterSize(const SimtKernel& kernel, LaunchShape* shape) {
  if (const uint32_t* demanded = kernel.cluster) {
    const bool is_default = shape->cluster[0] == 1 && shape->cluster[1] == 1 && shape->cluster[2] == 1;
    if (!is_default && !std::equal(demanded, demanded + 3, shape->cluster)) {
      return InvalidArgument(absl::StrCat("clusters of ", IndexText(shape->cluster), " blocks, but the kernel demands ",
                                          IndexText(demanded)));
    }
    std::copy(demanded, demanded + 3, shape->cluster);
  }
  return absl::OkStatus();
}

/// Checks that shared memory has room for the red zones of instrumented code.
absl::Status CheckArena(const LaunchJob& job) {
  if (job.shared_bytes() <= kArenaAlignment) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("a block needs ", job.shared_bytes(),
                                            " bytes of shared memory, red zones included; the race ",
                                            "detector and the profiler have ", kArenaAlignment));
}

}  // namespace

SimtModule::SimtModule(std::unique_ptr<LoadedObject> object) : object_(std::move(object)) {
  tables_.sites = Table<Site>(*object_, kSitesSymbol);
  tables_.red_zones = Table<RedZone>(*object_, kRedZonesSymbol);
  tables_.variables = Table<Variable>(*object_, kVariablesSymbol);
  tables_.access_widths = Table<uint32_t>(*object_, kAccessWidthsSymbol);
}

absl::StatusOr<std::unique_ptr<DeviceModule>> SimtModule::Load(std::string_view image) {
  absl::StatusOr<std::unique_ptr<LoadedObject>> object =
      LoadedObject::Load(image, RuntimeSymbols(), ReplacesInstruction);
  if (!object.ok()) return WithContext(object.status(), "LoadModule");
  return std::unique_ptr<DeviceModule>(new SimtModule(*std::move(object)));
}

absl::StatusOr<DeviceKernel*> SimtModule::GetKernel(std::string_view name) {
  if (auto it = kernels_.find(name); it != kernels_.end()) return it->second.get();
  absl::StatusOr<void*> entry = object_->Lookup(absl::StrCat(ToAbsl(name), kEntrySuffix));
  if (!entry.ok()) return WithContext(entry.status(), absl::StrCat("GetKernel: no kernel ", ToAbsl(name)));
  absl::StatusOr<void*> static_shared = object_->Lookup(absl::StrCat(ToAbsl(name), kStaticSharedSuffix));
  if (!static_shared.ok()) return WithContext(static_shared.status(), absl::StrCat("GetKernel: ", ToAbsl(name)));
  auto kernel = std::make_unique<SimtKernel>();
  kernel->name = std::string(name);
  kernel->entry = reinterpret_cast<KernelEntry>(*entry);
  kernel->static_shared_bytes = *static_cast<const uint32_t*>(*static_shared);
  if (absl::StatusOr<void*> bounds = object_->Lookup(absl::StrCat(ToAbsl(name), kThreadBoundsSuffix)); bounds.ok())
    kernel->thread_bounds = *static_cast<const ThreadBounds*>(*bounds);
  kernel->cluster = Table<uint32_t>(*object_, absl::StrCat(ToAbsl(name), kClusterSuffix).c_str());
  if (absl::StatusOr<void*> names = object_->Lookup(absl::StrCat(ToAbsl(name), kNamesSuffix)); names.ok())
    kernel->names = KernelNames(static_cast<const char*>(*names));
  kernel->tables = tables_;
  return kernels_.emplace(std::string(name), std::move(kernel)).first->second.get();
}

absl::StatusOr<std::unique_ptr<Device>> SimtDevice::Create(const SimtOptions& options) {
  if (options.threads < 0)
    return InvalidArgument(
        absl::StrCat("SIMT device: threads must be 0 (one for each core) or more, got ", options.threads));
  if (options.profile && options.race_detector) {
    return InvalidArgument("SIMT device: race_detector and profile cannot be combined; set one of them");
  }
  const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  const int threads = options.threads == 0 ? cores : options.threads;
  ASSIGN_OR_RETURN(DeviceInfo info, ArchitectureLimits(options.arch));
  info.kind = DeviceKind::kSimt;
  info.name = absl::StrCat("simt-cpu (", ProcessorName(), ", ", threads, threads == 1 ? " thread)" : " threads)");
  info.uuid = absl::StrCat("simt-", SystemNames().nodename);
  info.multiprocessors = threads;
  // Each thread of the host runs one cluster at a time.
  if (HasClusters(info.ComputeCapability())) info.active_clusters_of_2 = info.active_clusters_of_4 = threads;
  info.memory_bytes = PhysicalMemoryBytes();
  InstallFaultHandler();
  return std::unique_ptr<Device>(new SimtDevice(std::move(info), threads, options));
}

SimtDevice::SimtDevice(DeviceInfo info, int threads, const SimtOptions& options)
    : info_(std::move(info)), options_(options), memory_(info_.memory_bytes), pool_(threads) {}

absl::Status SimtDevice::Ready(std::string_view call, StreamHandle stream) const {
  if (!poisoned_.ok()) return WithContext(poisoned_, absl::StrCat(ToAbsl(call), ": an earlier kernel failed"));
  if (stream == 0 || streams_.count(stream)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(call), ": unknown stream ", stream));
}

absl::Status SimtDevice::CheckEvent(std::string_view call, EventHandle event) const {
  if (events_.count(event)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(call), ": unknown event ", event));
}

absl::StatusOr<DevicePtr> SimtDevice::Allocate(size_t bytes) {
  RETURN_IF_ERROR(Ready("Allocate"));
  return memory_.Allocate(bytes);
}

absl::Status SimtDevice::Free(DevicePtr ptr) {
  RETURN_IF_ERROR(Ready("Free"));
  return memory_.Free(ptr);
}

absl::Status SimtDevice::RegisterHost(void* memory, size_t bytes) {
  RETURN_IF_ERROR(Ready("RegisterHost"));
  return memory_.Register(reinterpret_cast<DevicePtr>(memory), bytes);
}

absl::Status SimtDevice::UnregisterHost(void* memory) {
  RETURN_IF_ERROR(Ready("UnregisterHost"));
  return memory_.Unregister(reinterpret_cast<DevicePtr>(memory));
}

void SimtDevice::SetMode(bool race_detector, std::optional<uint64_t> fuzzing_seed) {
  options_.race_detector = race_detector;
  options_.fuzzing_seed = fuzzing_seed;
}

absl::Status SimtDevice::SetReadOnly(DevicePtr ptr) {
  RETURN_IF_ERROR(Ready("SetReadOnly"));
  return memory_.SetReadOnly(ptr);
}

absl::Status SimtDevice::CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("CopyToDevice", stream));
  RETURN_IF_ERROR(memory_.Check(dst, bytes, "CopyToDevice"));
  std::memcpy(HostAddress(dst), src, bytes);
  return absl::OkStatus();
}

absl::Status SimtDevice::CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("CopyToHost", stream));
  RETURN_IF_ERROR(memory_.Check(src, bytes, "CopyToHost"));
  std::memcpy(dst, HostAddress(src), bytes);
  return absl::OkStatus();
}

absl::Status SimtDevice::CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("CopyOnDevice", stream));
  RETURN_IF_ERROR(memory_.Check(dst, bytes, "CopyOnDevice"));
  RETURN_IF_ERROR(memory_.Check(src, bytes, "CopyOnDevice"));
  std::memmove(HostAddress(dst), HostAddress(src), bytes);
  return absl::OkStatus();
}

absl::Status SimtDevice::Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("Fill32", stream));
  if (dst % sizeof(value) != 0) return InvalidArgument("Fill32: the address is not a multiple of 4");
  RETURN_IF_ERROR(memory_.Check(dst, count * sizeof(value), "Fill32"));
  auto* words = reinterpret_cast<uint32_t*>(HostAddress(dst));
  std::fill(words, words + count, value);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DeviceModule>> SimtDevice::LoadModule(ImageFormat format, std::string_view image) {
  RETURN_IF_ERROR(Ready("LoadModule"));
  if (format == ImageFormat::kPtx && options_.compile_ptx) {
    ASSIGN_OR_RETURN(const std::string compiled, options_.compile_ptx(image));
    return SimtModule::Load(compiled);
  }
  if (format != ImageFormat::kSimtObject) {
    return InvalidArgument("LoadModule: the SIMT device loads objects compiled for it, not GPU code");
  }
  return SimtModule::Load(image);
}

absl::Status SimtDevice::Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("Launch", stream));
  auto* simt_kernel = dynamic_cast<SimtKernel*>(kernel);
  if (simt_kernel == nullptr) return InvalidArgument("Launch: the kernel was not loaded by a SIMT device");
  const std::string context = absl::StrCat("Launch of ", simt_kernel->name);
  // The limits hold for the kernel without red zones, which only instrumented code has.
  const bool has_checks = options_.race_detector || options_.profile;
  const int64_t static_shared_bytes = has_checks ? 0 : simt_kernel->static_shared_bytes;
  LaunchJob job;
  static_cast<LaunchShape&>(job) = shape;
  RETURN_IF_ERROR(WithContext(ApplyClusterSize(*simt_kernel, &job), context));
  RETURN_IF_ERROR(WithContext(CheckLaunchShape(job, info_, static_shared_bytes), context));
  if (simt_kernel->thread_bounds)
    RETURN_IF_ERROR(WithContext(CheckThreadBounds(shape, *simt_kernel->thread_bounds), context));
  job.entry = simt_kernel->entry;
  job.static_shared_bytes = simt_kernel->static_shared_bytes;
  job.arguments = arguments;
  job.names = &simt_kernel->names;
  job.fuzzing_seed = options_.fuzzing_seed;
  if (options_.race_detector) job.uninitialized_seed = options_.uninitialized_seed;
  std::vector<uint64_t> chosen;
  if (options_.choose_blocks) chosen = options_.choose_blocks(simt_kernel->name, job);
  for (uint64_t number : chosen) {
    if (number < job.clusters()) continue;
    return InvalidArgument(absl::StrCat(context, ": choose_blocks returned the index ", number,
                                        ", but the grid has only ", job.clusters(), " blocks or clusters"));
  }
  job.chosen = chosen;
  if (options_.race_detector) return WithContext(LaunchWithRaceDetector(*simt_kernel, job), context);
  if (options_.profile) return WithContext(LaunchWithProfile(*simt_kernel, job), context);
  std::optional<BlockFailure> failure = pool_.Run(job);
  if (!failure) return absl::OkStatus();
  return WithContext(LaunchError(simt_kernel->name, *failure), context);
}

absl::Status SimtDevice::LaunchWithProfile(const SimtKernel& kernel, LaunchJob job) {
  if (kernel.tables.access_widths == nullptr) {
    return InvalidArgument(
        "the kernel was not compiled for profiling (CompileTarget::race_detection and CompileTarget::profile): this "
        "is an error in the program that compiled it");
  }
  RETURN_IF_ERROR(CheckArena(job));
  ProfileMonitor monitor(kernel.tables);
  job.monitor = &monitor;
  if (const std::optional<BlockFailure> failure = pool_.Run(job)) return LaunchError(kernel.name, *failure);
  counters_.push_back({kernel.name, monitor.Finish()});
  return absl::OkStatus();
}

absl::Status SimtDevice::LaunchWithRaceDetector(const SimtKernel& kernel, LaunchJob job) {
  if (kernel.tables.sites == nullptr) {
    return InvalidArgument(
        "the kernel was compiled without the code for race detection (CompileTarget::race_detection): this is an error "
        "in the program that compiled it");
  }
  RETURN_IF_ERROR(CheckArena(job));
  CheckedLaunch launch;
  launch.kernel = kernel.name;
  launch.job = &job;
  launch.memory = &memory_;
  launch.tables = kernel.tables;
  launch.max_findings = options_.max_findings;
  ASSIGN_OR_RETURN(std::unique_ptr<RaceMonitor> monitor, RaceMonitor::Create(launch));
  job.monitor = monitor.get();
  const std::optional<BlockFailure> failure = pool_.Run(job);

  std::vector<Finding> findings = monitor->TakeFindings();
  absl::Status status;
  if (failure && (failure->kind == BlockFailure::Kind::kBadAccess || findings.empty())) {
    status = LaunchError(kernel.name, *failure);
  } else if (!findings.empty()) {
    const std::string text = FindingText(findings.front());
    status = absl::FailedPreconditionError(
        absl::StrCat(findings.size(),
                     findings.size() == 1 ? " finding: " : " findings, the first: ", text.substr(0, text.find('\n'))));
  }
  findings_.insert(findings_.end(), std::make_move_iterator(findings.begin()), std::make_move_iterator(findings.end()));
  return status;
}

int64_t SimtDevice::StaticSharedBytes(const DeviceKernel& kernel) {
  return dynamic_cast<const SimtKernel&>(kernel).static_shared_bytes;
}

std::vector<Finding> SimtDevice::TakeFindings() { return std::exchange(findings_, {}); }

std::vector<SimtDevice::LaunchCounters> SimtDevice::TakeCounters() { return std::exchange(counters_, {}); }

absl::Status SimtDevice::LaunchError(std::string_view kernel, const BlockFailure& failure) {
  if (failure.kind == BlockFailure::Kind::kSetup) return ResourceExhausted(failure.what);
  std::string text = absl::StrCat("kernel ", ToAbsl(kernel), ", block ", IndexText(failure.block), ", thread ",
                                  IndexText(failure.thread), ": ", failure.what);
  if (failure.kind != BlockFailure::Kind::kBadAccess) return Internal(text);
  if (failure.address != nullptr) {
    absl::StrAppend(&text, " at address 0x", absl::Hex(reinterpret_cast<uintptr_t>(failure.address)), ", ",
                    memory_.Describe(failure.address));
  }
  poisoned_ = absl::AbortedError(text);
  return poisoned_;
}

// Each thread of the host runs one cluster at a time.
absl::StatusOr<int> SimtDevice::MaxActiveClusters(DeviceKernel* kernel, const LaunchShape& shape) {
  RETURN_IF_ERROR(Ready("MaxActiveClusters"));
  if (!HasClusters(info_.ComputeCapability())) return Device::MaxActiveClusters(kernel, shape);
  RETURN_IF_ERROR(WithContext(CheckLaunchShape(shape, info_, StaticSharedBytes(*kernel)), "MaxActiveClusters"));
  return static_cast<int>(info_.multiprocessors);
}

absl::StatusOr<TensorMapBytes> SimtDevice::EncodeTensorMap(const TiledTensorMap& map) {
  RETURN_IF_ERROR(Ready("EncodeTensorMap"));
  if (!HasClusters(info_.ComputeCapability())) return Device::EncodeTensorMap(map);
  return simt::EncodeTensorMap(map);
}

absl::StatusOr<StreamHandle> SimtDevice::CreateStream() {
  RETURN_IF_ERROR(Ready("CreateStream"));
  return *streams_.insert(next_handle_++).first;
}

absl::Status SimtDevice::DestroyStream(StreamHandle stream) {
  if (streams_.erase(stream) == 1) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("DestroyStream: unknown stream ", stream));
}

absl::Status SimtDevice::Synchronize(StreamHandle stream) { return Ready("Synchronize", stream); }

absl::Status SimtDevice::StreamWaitEvent(StreamHandle stream, EventHandle event) {
  RETURN_IF_ERROR(Ready("StreamWaitEvent", stream));
  return CheckEvent("StreamWaitEvent", event);
}

absl::StatusOr<EventHandle> SimtDevice::CreateEvent() {
  RETURN_IF_ERROR(Ready("CreateEvent"));
  return events_.emplace(next_handle_++, std::nullopt).first->first;
}

absl::Status SimtDevice::DestroyEvent(EventHandle event) {
  if (events_.erase(event) == 1) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("DestroyEvent: unknown event ", event));
}

absl::Status SimtDevice::RecordEvent(EventHandle event, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("RecordEvent", stream));
  RETURN_IF_ERROR(CheckEvent("RecordEvent", event));
  events_[event] = Clock::Real().Now();
  return absl::OkStatus();
}

absl::Status SimtDevice::SynchronizeEvent(EventHandle event) {
  RETURN_IF_ERROR(Ready("SynchronizeEvent"));
  return CheckEvent("SynchronizeEvent", event);
}

absl::StatusOr<double> SimtDevice::ElapsedNs(EventHandle start, EventHandle end) {
  RETURN_IF_ERROR(Ready("ElapsedNs"));
  RETURN_IF_ERROR(CheckEvent("ElapsedNs", start));
  RETURN_IF_ERROR(CheckEvent("ElapsedNs", end));
  const std::optional<TimePoint>& from = events_[start];
  const std::optional<TimePoint>& to = events_[end];
  if (!from || !to) return InvalidArgument("ElapsedNs: an event was not recorded");
  return static_cast<double>((*to - *from).count());
}

}  // namespace mmtune::simt
