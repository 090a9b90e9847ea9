// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device: runs GPU kernels on CPU threads, with a race detector, schedule fuzzing and a profiler.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/runtime/device/device.h"
#include "kernels/simulator/launch_pool.h"
#include "kernels/simulator/memory/device_memory.h"
#include "kernels/simulator/profile/profile_monitor.h"
#include "kernels/simulator/race_detector/finding.h"
#include "proto/base/clock.h"

namespace mmtune::simt {

/// How kernels run. Without options blocks run in parallel and threads in a fixed order. Otherwise blocks run one after
/// the other.
struct SimtOptions {
  std::string arch = "sm_80";  ///< The architecture whose limits it has.
  int threads = 0;             ///< OS threads; 0: one per core.

  /// Checks launches for races and misuse (race_detector/race_monitor.h). Requires kernels instrumented for it; others
  /// are InvalidArgument. A launch with findings is FailedPrecondition; TakeFindings() returns them, and the device can
  /// be used further.
  bool race_detector = false;
  /// Schedule fuzzing: shared memory starts as NaN, asynchronous copies complete as late as they may, and threads and
  /// blocks run in a random order, determined by this seed. May be combined with the race detector.
  std::optional<uint64_t> fuzzing_seed = std::nullopt;
  /// Counts what launches do by program point (profile/profile_monitor.h). Requires kernels instrumented for it.
  /// Excludes the race detector.
  bool profile = false;
  /// The number of findings that ends a launch.
  int max_findings = 8;
};

struct SimtKernel;

/// Every operation of a stream is complete when its call returns. Thread safety is that of Device.
class SimtDevice : public Device {
 public:
  /// InvalidArgument for an unknown arch, a negative number of threads, or both race_detector and profile.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const SimtOptions& options);

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) override { return Allocate(bytes); }
  absl::Status RegisterHost(void* memory, size_t bytes) override;
  absl::Status UnregisterHost(void* memory) override;
  absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) override;
  std::string_view clock_name() const override { return "steady"; }

  /// Returns and removes the findings of the race detector since the last call.
  std::vector<Finding> TakeFindings();

  struct LaunchCounters {
    std::string kernel;
    std::vector<PointCounters> points;
  };
  /// Returns and removes the counters of the launches since the last call, in their order.
  std::vector<LaunchCounters> TakeCounters();

 private:
  SimtDevice(DeviceInfo info, int threads, const SimtOptions& options);

  /// Returns an error, which names `call`, if the device is poisoned or the stream unknown.
  absl::Status Ready(std::string_view call, StreamHandle stream = 0) const;
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  absl::Status LaunchError(std::string_view kernel, const BlockFailure& failure);
  absl::Status LaunchWithRaceDetector(const SimtKernel& kernel, LaunchJob job);
  absl::Status LaunchWithProfile(const SimtKernel& kernel, LaunchJob job);

  const DeviceInfo info_;
  const SimtOptions options_;
  DeviceMemory memory_;
  LaunchPool pool_;
  std::vector<Finding> findings_;
  std::vector<LaunchCounters> counters_;
  absl::Status poisoned_;  ///< Not OK once a kernel may have damaged the process's memory.

  uint64_t next_handle_ = 1;
  std::set<StreamHandle> streams_;
  std::map<EventHandle, std::optional<TimePoint>> events_;
};

}  // namespace mmtune::simt
