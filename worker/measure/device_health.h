// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a device before and after a timing, by NVML, and whether it makes the timing unreliable.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proto/types/conditions.h"
#include "proto/types/device_info.h"
#include "worker/measure/nvml.h"

namespace mmtune {

inline constexpr char kNvmlLibrary[] = "libnvidia-ml.so.1";

/// Says in a line why the samples between the two moments are unreliable; empty if they are not. Unknown values are not
/// judged. Findings:
///   - a slowdown by the hardware, by heat or by the power brake, at either moment (a power cap set by software is
///     usual under heavy kernels, and none; so are clocks that somebody has set);
///   - an SM clock that differs by more than 3 %, or another memory clock, unless the device was idle again after it,
///     or, of the SM clock, a power cap explains it;
///   - other processes that compute on the device.
std::string JudgeHealth(const HealthSample& before, const HealthSample& after);

/// Returns the names of throttle reasons: "SW power cap", "HW thermal slowdown"; a bit without a name as "0x200".
std::vector<std::string> ThrottleReasonNames(uint64_t reasons);

/// Returns how many of the processes that NVML lists are not ours. If `own_pid` is not among them, they are in another
/// PID namespace, and one of them is this process.
int64_t CountOthers(const std::vector<int64_t>& pids, int64_t own_pid, const std::function<bool(int64_t)>& is_ours);

/// Watches one device. Processes of the same executable count as ours, because workers of one device alternate. Not
/// thread-safe.
class DeviceHealth {
 public:
  /// Never fails: if the device cannot be watched, reports say why. For a MIG instance clocks, temperature and power
  /// are those of the whole device, processes its own.
  explicit DeviceHealth(const DeviceInfo& device, const std::string& library = kNvmlLibrary);

  /// Samples the state before the timing, when the device is warm.
  void Before();
  /// Samples the state right after the timing and returns the report.
  HealthReport After();

 private:
  absl::Status Find(const DeviceInfo& device, const std::string& library);
  HealthSample Sample() const;
  int64_t OtherProcesses() const;

  std::unique_ptr<const nvml::Library> nvml_;
  nvml::Device device_ = nullptr;    // of the clocks
  nvml::Device instance_ = nullptr;  // of the processes: the MIG instance where it is one
  HealthReport report_;
};

}  // namespace mmtune
