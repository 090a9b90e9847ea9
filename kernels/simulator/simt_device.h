// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device: every operation of a stream is done when its call returns.
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
#include "kernels/simulator/profile/point_counters.h"
#include "kernels/simulator/watch/finding.h"
#include "proto/base/clock.h"

namespace mmtune::simt {

struct SimtOptions {
  std::string arch = "sm_80";  ///< The limits it reports and keeps.
  int threads = 0;             ///< OS threads; 0: one per core.

  /// Watch mode: launches are watched for races and misuse (watch/race_monitor.h), one block after
  /// the other. Only kernels compiled for watch mode can be launched; others are an InvalidArgument. A launch with
  /// findings is a FailedPrecondition; TakeFindings() has them, and the device goes on.
  bool watch = false;
  /// Stress mode: shared memory starts poisoned, asynchronous copies land as late as they may, and a seeded random
  /// order of threads and blocks replaces the fair one. The same seed gives the same order: blocks run one after the
  /// other. Launches may be watched, too.
  std::optional<uint64_t> stress_seed = std::nullopt;
  /// Profile mode: launches are counted by program point (profile/profile_monitor.h), one block after the other. Only
  /// kernels compiled for it can be launched. Not together with watch mode.
  bool profile = false;
  /// A launch ends after so many findings.
  int max_findings = 8;
};

struct SimtKernel;

class SimtDevice : public Device {
 public:
  /// InvalidArgument for an unknown arch, a negative number of threads, or two modes that exclude each other.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const SimtOptions& options);

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) override { return Allocate(bytes); }
  absl::Status RegisterHost(void* memory, size_t bytes) override;
  absl::Status UnregisterHost(void* memory) override;
  absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) override;
  std::string_view clock_name() const override { return "steady"; }

  /// What was found in watched launches since the last call, and removes it.
  std::vector<Finding> TakeFindings();

  /// What was counted in each launch since the last call, in their order, and forgets it.
  struct LaunchCounters {
    std::string kernel;
    std::vector<PointCounters> points;
  };
  std::vector<LaunchCounters> TakeCounters();

 private:
  SimtDevice(DeviceInfo info, int threads, const SimtOptions& options);

  /// An error when the device is poisoned or does not know the stream; `call` names the operation in it.
  absl::Status Ready(std::string_view call, StreamHandle stream = 0) const;
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  absl::Status LaunchError(std::string_view kernel, const BlockFailure& failure);
  /// Runs `job` of `kernel` with a RaceMonitor.
  absl::Status LaunchWatched(const SimtKernel& kernel, LaunchJob job);
  /// Runs `job` of `kernel` with a ProfileMonitor.
  absl::Status LaunchProfiled(const SimtKernel& kernel, LaunchJob job);

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
