// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/simt_device.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ops/tensor_map.h"
#include "kernels/simulator/profile/profile_monitor.h"
#include "kernels/simulator/simt_module.h"
#include "kernels/simulator/watch/race_monitor.h"
#include "proto/base/status.h"

namespace mmtune::simt {
namespace {

char* HostAddress(DevicePtr ptr) { return reinterpret_cast<char*>(ptr); }

utsname SystemNames() {
  utsname names{};
  uname(&names);
  return names;
}

/// "AMD EPYC 9655"; the architecture's name when the system does not tell more.
std::string ProcessorName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return SystemNames().machine;
}

/// Code for watch mode has red zones in shared memory, for which there may be no room.
absl::Status CheckArena(const LaunchJob& job) {
  if (job.shared_bytes() <= kArenaAlignment) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(job.shared_bytes(), " bytes of shared memory, red zones included; watch ",
                                            "and profile mode have ", kArenaAlignment));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> SimtDevice::Create(const SimtOptions& options) {
  if (options.threads < 0) return InvalidArgument(absl::StrCat("SIMT device: ", options.threads, " threads"));
  if (options.profile && options.watch)
    return InvalidArgument("SIMT device: watch and profile mode exclude each other");
  const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  const int threads = options.threads == 0 ? cores : options.threads;
  ASSIGN_OR_RETURN(DeviceInfo info, ArchitectureLimits(options.arch));
  info.kind = DeviceKind::kSimt;
  info.name = absl::StrCat("simt-cpu (", ProcessorName(), ", ", threads, threads == 1 ? " thread)" : " threads)");
  info.uuid = absl::StrCat("simt-", SystemNames().nodename);
  info.multiprocessors = threads;
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
  if (format != ImageFormat::kSimtObject) {
    return InvalidArgument("LoadModule: the SIMT device loads objects compiled for it, not GPU code");
  }
  return SimtModule::Load(image);
}

absl::Status SimtDevice::Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) {
  RETURN_IF_ERROR(Ready("Launch", stream));
  auto* simt_kernel = dynamic_cast<SimtKernel*>(kernel);
  if (simt_kernel == nullptr) return InvalidArgument("Launch: no kernel of a SIMT device");
  const std::string context = absl::StrCat("Launch of ", simt_kernel->name);
  // Red zones are of code for watch mode, not of the kernel: an unwatched run tells what is too large.
  const bool has_checks = options_.watch || options_.profile;
  const int64_t static_shared_bytes = has_checks ? 0 : simt_kernel->static_shared_bytes;
  RETURN_IF_ERROR(WithContext(CheckLaunchShape(shape, info_, static_shared_bytes), context));
  LaunchJob job;
  static_cast<LaunchShape&>(job) = shape;
  job.entry = simt_kernel->entry;
  job.static_shared_bytes = simt_kernel->static_shared_bytes;
  job.arguments = arguments;
  job.stress_seed = options_.stress_seed;
  if (options_.watch) return WithContext(LaunchWatched(*simt_kernel, job), context);
  if (options_.profile) return WithContext(LaunchProfiled(*simt_kernel, job), context);
  std::optional<BlockFailure> failure = pool_.Run(job);
  if (!failure) return absl::OkStatus();
  return WithContext(LaunchError(simt_kernel->name, *failure), context);
}

absl::Status SimtDevice::LaunchProfiled(const SimtKernel& kernel, LaunchJob job) {
  if (kernel.watch_tables.access_widths == nullptr) {
    return InvalidArgument(
        "the kernel was not compiled for profile mode, and the device is in it: compile it with CompileTarget::watched "
        "and "
        "CompileTarget::profile");
  }
  RETURN_IF_ERROR(CheckArena(job));
  ProfileMonitor monitor(kernel.watch_tables);
  job.monitor = &monitor;
  if (const std::optional<BlockFailure> failure = pool_.Run(job)) return LaunchError(kernel.name, *failure);
  counters_.push_back({kernel.name, monitor.Finish()});
  return absl::OkStatus();
}

absl::Status SimtDevice::LaunchWatched(const SimtKernel& kernel, LaunchJob job) {
  if (kernel.watch_tables.sites == nullptr) {
    return InvalidArgument(
        "the kernel was not compiled for watch mode, and the device is in watch mode: compile it with "
        "CompileTarget::watched");
  }
  RETURN_IF_ERROR(CheckArena(job));
  WatchedLaunch launch;
  launch.kernel = kernel.name;
  launch.job = &job;
  launch.memory = &memory_;
  launch.tables = kernel.watch_tables;
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

absl::StatusOr<TensorMapBytes> SimtDevice::EncodeTensorMap(const TiledTensorMap& map) {
  RETURN_IF_ERROR(Ready("EncodeTensorMap"));
  if (info_.ComputeCapability() < 90) return Device::EncodeTensorMap(map);
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
