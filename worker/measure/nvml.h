// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of the functions of NVML (NVIDIA's management library) that device_health.cc uses. The library is opened
// at run time, and its binary interface is stable, so no CUDA toolkit is needed to build. If there is one,
// nvml_check.cc compares these declarations with nvml.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace mmtune::nvml {

/// A handle of a device; its contents belong to NVML.
struct DeviceObject;
using Device = DeviceObject*;

/// The values of NVML's enums that are used here, with names similar to NVML's.
enum Result : int { kSuccess = 0, kInsufficientSize = 7 };
enum ClockType : int { kClockSm = 1, kClockMemory = 2 };
enum TemperatureSensor : int { kTemperatureGpu = 0 };

/// Bits that say why the clocks are reduced.
enum ThrottleReason : uint64_t {
  kThrottleIdle = 0x1,
  kThrottleApplicationsClocks = 0x2,
  kThrottleSwPowerCap = 0x4,
  kThrottleHwSlowdown = 0x8,
  kThrottleSyncBoost = 0x10,
  kThrottleSwThermal = 0x20,
  kThrottleHwThermal = 0x40,
  kThrottleHwPowerBrake = 0x80,
  kThrottleDisplayClocks = 0x100,
};

/// A process that uses the device.
struct ProcessInfo {
  unsigned pid = 0;
  unsigned long long used_bytes = 0;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

// clang-format off
#define MMTUNE_NVML_ENTRY_POINTS(X)                                                                       \
  X(Init, nvmlInit_v2, ())                                                                                \
  X(Shutdown, nvmlShutdown, ())                                                                           \
  X(SystemGetDriverVersion, nvmlSystemGetDriverVersion, (char* version, unsigned length))                 \
  X(GetHandleByUuid, nvmlDeviceGetHandleByUUID, (const char* uuid, Device* device))                       \
  X(IsMigHandle, nvmlDeviceIsMigDeviceHandle, (Device device, unsigned* is_mig))                          \
  X(GetParentOfMig, nvmlDeviceGetDeviceHandleFromMigDeviceHandle, (Device mig, Device* device))           \
  X(GetClock, nvmlDeviceGetClockInfo, (Device device, ClockType type, unsigned* mhz))                     \
  X(GetTemperature, nvmlDeviceGetTemperature, (Device device, TemperatureSensor sensor, unsigned* c))     \
  X(GetPower, nvmlDeviceGetPowerUsage, (Device device, unsigned* milliwatts))                             \
  X(GetThrottleReasons, nvmlDeviceGetCurrentClocksThrottleReasons,                                        \
    (Device device, unsigned long long* reasons))                                                         \
  X(GetComputeProcesses, nvmlDeviceGetComputeRunningProcesses_v3,                                         \
    (Device device, unsigned* count, ProcessInfo* processes))
// clang-format on

/// The functions of an opened and initialised library. Immutable and thread-safe. The library stays open until the
/// process ends.
class Library {
 public:
  /// Opens the library. Returns NotFound with the reason in one line if there is none, it is too old, or there is no
  /// driver.
  static absl::StatusOr<std::unique_ptr<const Library>> Open(const std::string& path);
  ~Library();

#define MMTUNE_DECLARE(member, symbol, parameters) Result(*member) parameters = nullptr;
  MMTUNE_NVML_ENTRY_POINTS(MMTUNE_DECLARE)  // NOLINT(readability-identifier-naming): they are functions
#undef MMTUNE_DECLARE

  /// Returns a text such as "Not Found (6)".
  std::string ErrorText(Result result) const;

 private:
  Library() = default;
  const char* (*error_string_)(Result) = nullptr;
  bool initialised_ = false;
};

}  // namespace mmtune::nvml
