// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/device_health.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "proto/base/status.h"

namespace mmtune::nvml {

absl::StatusOr<std::unique_ptr<const Library>> Library::Open(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return NotFound(absl::StrCat("no NVML: ", dlerror()));
  std::unique_ptr<Library> library(new Library);
#define MMTUNE_RESOLVE(member, symbol, parameters)                                                        \
  library->member = reinterpret_cast<decltype(library->member)>(dlsym(handle, #symbol));                  \
  if (library->member == nullptr) {                                                                       \
    return NotFound(absl::StrCat("NVML (", path, ") has no " #symbol "; driver 510 or newer is needed")); \
  }
  MMTUNE_NVML_ENTRY_POINTS(MMTUNE_RESOLVE)
#undef MMTUNE_RESOLVE
  library->error_string_ = reinterpret_cast<const char* (*)(Result)>(dlsym(handle, "nvmlErrorString"));
  if (Result result = library->Init(); result != kSuccess) {
    return NotFound(absl::StrCat("NVML is unusable: ", library->ErrorText(result)));
  }
  library->initialised_ = true;
  return std::unique_ptr<const Library>(std::move(library));
}

Library::~Library() {
  if (initialised_) Shutdown();
}

std::string Library::ErrorText(Result result) const {
  const char* text = error_string_ != nullptr ? error_string_(result) : nullptr;
  return absl::StrCat(text != nullptr ? text : "error", " (", static_cast<int>(result), ")");
}

}  // namespace mmtune::nvml

namespace mmtune {
namespace {

constexpr double kClockTolerance = 0.03;

struct NamedReason {
  nvml::ThrottleReason bit;
  std::string_view name;
  bool is_finding;
};
constexpr NamedReason kReasons[] = {
    {nvml::kThrottleIdle, "idle", false},
    {nvml::kThrottleApplicationsClocks, "applications clocks setting", false},
    {nvml::kThrottleSwPowerCap, "SW power cap", false},
    {nvml::kThrottleHwSlowdown, "HW slowdown", true},
    {nvml::kThrottleSyncBoost, "sync boost", false},
    {nvml::kThrottleSwThermal, "SW thermal slowdown", true},
    {nvml::kThrottleHwThermal, "HW thermal slowdown", true},
    {nvml::kThrottleHwPowerBrake, "HW power brake", true},
    {nvml::kThrottleDisplayClocks, "display clock setting", false},
};

std::string_view NameOf(nvml::ThrottleReason bit) {
  return std::find_if(std::begin(kReasons), std::end(kReasons), [&](const auto& r) { return r.bit == bit; })->name;
}

bool Has(const HealthSample& sample, std::string_view reason) {
  const auto& reasons = sample.throttle_reasons;
  return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

bool Differ(int64_t before, int64_t after, double tolerance) {
  if (before < 0 || after < 0) return false;
  return std::fabs(static_cast<double>(after - before)) > tolerance * static_cast<double>(std::max(before, after));
}

std::string ClockChange(std::string_view what, int64_t before, int64_t after) {
  return absl::StrCat(ToAbsl(what), " clock ", before, " MHz before and ", after, " MHz after");
}

/// The executables of other users cannot be read, and so are not ours.
bool RunsOurExecutable(int64_t pid) {
  struct stat own, other;
  if (stat("/proc/self/exe", &own) != 0 || stat(absl::StrCat("/proc/", pid, "/exe").c_str(), &other) != 0) return false;
  return own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

}  // namespace

std::vector<std::string> ThrottleReasonNames(uint64_t reasons) {
  std::vector<std::string> names;
  for (const NamedReason& reason : kReasons) {
    if (reasons & reason.bit) names.emplace_back(reason.name);
    reasons &= ~static_cast<uint64_t>(reason.bit);
  }
  if (reasons != 0) names.push_back(absl::StrCat("0x", absl::Hex(reasons)));
  return names;
}

std::string FindHealthProblem(const HealthSample& before, const HealthSample& after) {
  std::vector<std::string> findings;
  for (const NamedReason& reason : kReasons) {
    if (!reason.is_finding || !(Has(before, reason.name) || Has(after, reason.name))) continue;
    findings.emplace_back(reason.name);
  }
  const std::string_view cap = NameOf(nvml::kThrottleSwPowerCap);
  const bool idle_again = Has(after, NameOf(nvml::kThrottleIdle));
  if (!idle_again && !Has(before, cap) && !Has(after, cap) &&
      Differ(before.sm_clock_mhz, after.sm_clock_mhz, kClockTolerance)) {
    findings.push_back(ClockChange("SM", before.sm_clock_mhz, after.sm_clock_mhz));
  }
  if (!idle_again && Differ(before.memory_clock_mhz, after.memory_clock_mhz, 0)) {
    findings.push_back(ClockChange("memory", before.memory_clock_mhz, after.memory_clock_mhz));
  }
  const int64_t others = std::max(before.other_processes, after.other_processes);
  if (others == 1) findings.emplace_back("another process computes on the device");
  if (others > 1) findings.push_back(absl::StrCat(others, " other processes compute on the device"));
  return absl::StrJoin(findings, "; ");
}

int64_t CountOthers(const std::vector<int64_t>& pids, int64_t own_pid, const std::function<bool(int64_t)>& is_ours) {
  if (pids.empty()) return -1;  // not even this process is listed: they are hidden
  if (std::find(pids.begin(), pids.end(), own_pid) == pids.end()) return static_cast<int64_t>(pids.size()) - 1;
  return std::count_if(pids.begin(), pids.end(), [&](int64_t pid) { return pid != own_pid && !is_ours(pid); });
}

DeviceHealth::DeviceHealth(const DeviceInfo& device, const std::string& library) {
  if (device.kind != DeviceKind::kCuda) {
    report_.reason = "the SIMT device has no temperature or clock to watch";
    return;
  }
  if (absl::Status status = Find(device, library); !status.ok()) {
    report_.reason = std::string(status.message());
    nvml_.reset();
  }
}

absl::Status DeviceHealth::Find(const DeviceInfo& device, const std::string& library) {
  ASSIGN_OR_RETURN(nvml_, nvml::Library::Open(library));
  // The driver API has the same bytes for a MIG instance, which NVML names by another prefix.
  const std::string mig = absl::StrCat("MIG-", absl::StripPrefix(absl::StripPrefix(device.uuid, "GPU-"), "MIG-"));
  nvml::Result found = nvml_->GetHandleByUuid(device.uuid.c_str(), &instance_);
  if (found != nvml::kSuccess) found = nvml_->GetHandleByUuid(mig.c_str(), &instance_);
  if (found != nvml::kSuccess) {
    return NotFound(absl::StrCat("NVML does not find ", device.uuid, ": ", nvml_->ErrorText(found)));
  }
  device_ = instance_;
  unsigned is_mig = 0;
  if (nvml_->IsMigHandle(instance_, &is_mig) == nvml::kSuccess && is_mig != 0) {
    if (nvml::Result parent = nvml_->GetParentOfMig(instance_, &device_); parent != nvml::kSuccess) {
      return NotFound(absl::StrCat("NVML does not find the device of ", mig, ": ", nvml_->ErrorText(parent)));
    }
  }
  char version[96] = "";
  if (nvml_->SystemGetDriverVersion(version, sizeof(version)) != nvml::kSuccess) version[0] = '\0';
  report_.source = absl::StrCat("NVML ", version[0] != '\0' ? version : "of an unknown driver");
  return absl::OkStatus();
}

HealthSample DeviceHealth::Sample() const {
  HealthSample sample;
  unsigned value = 0;
  if (nvml_->GetClock(device_, nvml::kClockSm, &value) == nvml::kSuccess) sample.sm_clock_mhz = value;
  if (nvml_->GetClock(device_, nvml::kClockMemory, &value) == nvml::kSuccess) sample.memory_clock_mhz = value;
  unsigned long long reasons = 0;
  if (nvml_->GetThrottleReasons(device_, &reasons) == nvml::kSuccess) {
    sample.throttle_reasons = ThrottleReasonNames(reasons);
  }
  if (nvml_->GetTemperature(device_, nvml::kTemperatureGpu, &value) == nvml::kSuccess) sample.temperature_c = value;
  if (nvml_->GetPower(device_, &value) == nvml::kSuccess) sample.power_mw = value;
  sample.other_processes = OtherProcesses();
  return sample;
}

int64_t DeviceHealth::OtherProcesses() const {
  std::vector<nvml::ProcessInfo> processes(16);
  nvml::Result result = nvml::kInsufficientSize;
  unsigned count = 0;
  // A process may begin between two calls.
  for (int attempt = 0; attempt < 3 && result == nvml::kInsufficientSize; ++attempt) {
    processes.resize(std::max<size_t>(processes.size(), count + 8));
    count = static_cast<unsigned>(processes.size());
    result = nvml_->GetComputeProcesses(instance_, &count, processes.data());
  }
  if (result != nvml::kSuccess) return -1;
  std::vector<int64_t> pids;
  for (unsigned i = 0; i < count; ++i) pids.push_back(processes[i].pid);
  return CountOthers(pids, getpid(), RunsOurExecutable);
}

void DeviceHealth::Before() {
  if (nvml_ != nullptr) report_.before = Sample();
}

HealthReport DeviceHealth::After() {
  if (nvml_ != nullptr) {
    report_.after = Sample();
    report_.finding = FindHealthProblem(report_.before, report_.after);
  }
  return report_;
}

}  // namespace mmtune
