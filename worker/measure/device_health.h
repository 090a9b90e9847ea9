// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the state of a GPU (clocks, throttling, other processes) from NVML before and after a timing, and decides
// whether it makes the samples unreliable.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proto/types/conditions.h"
#include "proto/types/device_info.h"
#include "worker/measure/nvml.h"

namespace mmtune {

/// The file name of NVML.
inline constexpr char kNvmlLibrary[] = "libnvidia-ml.so.1";

/// Returns a line that says why samples taken between the two moments are unreliable; "" if they are reliable. Unknown
/// values are ignored. Reasons:
/// - The clocks are reduced by the hardware, by heat or by the power brake, at either moment. A software power cap does
///   not count, because it is usual under heavy kernels. Clocks that an administrator has set do not count either.
/// - The SM clock differs by more than 3 %, or the memory clock differs. This does not count if the device was idle
///   again at the second moment, or if a power cap explains the SM clock.
/// - Other processes compute on the device.
std::string FindHealthProblem(const HealthSample& before, const HealthSample& after);

/// Returns the names of throttle reasons: "SW power cap", "HW thermal slowdown". A bit without a name becomes "0x200".
std::vector<std::string> ThrottleReasonNames(uint64_t reasons);

/// Returns how many of the processes that NVML lists are not ours. If `own_pid` is not among them, NVML sees another
/// PID namespace, and one of them is this process.
int64_t CountOthers(const std::vector<int64_t>& pids, int64_t own_pid, const std::function<bool(int64_t)>& is_ours);

/// Watches one device. Processes of the same executable count as ours, because the workers of a host take turns on a
/// device. Not thread-safe.
class DeviceHealth {
 public:
  /// Never fails: if NVML cannot be used, HealthReport::reason says why. For a MIG instance, clocks, temperature and
  /// power are those of the whole GPU, and processes those of the instance.
  explicit DeviceHealth(const DeviceInfo& device, const std::string& library = kNvmlLibrary);

  /// Samples the state before the timing. Call it when the device is warm.
  void Before();
  /// Samples the state right after the timing, and returns the report.
  HealthReport After();

 private:
  absl::Status Find(const DeviceInfo& device, const std::string& library);
  HealthSample Sample() const;
  int64_t OtherProcesses() const;

  std::unique_ptr<const nvml::Library> nvml_;
  nvml::Device device_ = nullptr;    // for clocks, temperature and power
  nvml::Device instance_ = nullptr;  // for processes: the MIG instance, if the device is one
  HealthReport report_;
};

}  // namespace mmtune
