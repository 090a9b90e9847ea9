// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT device: a simulator that runs GPU kernels on the threads of a CPU, behind the same interface (Device) as a
// real GPU. It can detect races, run threads in random orders (schedule fuzzing), and count instructions (profile). It
// needs neither a GPU nor the CUDA toolkit, and does not predict times.
//
//   SimtOptions options;
//   options.race_detector = true;
//   auto device = SimtDevice::Create(options);
//
// kernels/simulator/README.md explains how it works.
#pragma once

#include <functional>
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

/// The limits of the device, and the mode in which it runs kernels. By default blocks run in parallel, and threads in a
/// fixed order. With any of the modes below, blocks run one after the other.
struct SimtOptions {
  std::string arch = "sm_80";  ///< The GPU architecture whose limits the device has.
  int threads = 0;             ///< The number of OS threads; 0: one for each core.

  /// Checks launches for races and misuse (race_detector/race_monitor.h). Needs kernels compiled for it; others are
  /// refused with InvalidArgument. A launch with findings returns FailedPrecondition; TakeFindings() returns them. The
  /// device stays usable.
  bool race_detector = false;
  /// If set, the race detector does not report reads of uninitialised shared memory. Instead, shared memory starts with
  /// random bytes from this seed, or with all bits set if it is 0. Two launches with different seeds then show whether
  /// a kernel's results depend on uninitialised memory.
  std::optional<uint64_t> uninitialized_seed = std::nullopt;
  /// Schedule fuzzing: threads and blocks run in a random order given by this seed, shared memory starts as NaN, and
  /// asynchronous copies complete as late as possible. Can be combined with the race detector.
  std::optional<uint64_t> fuzzing_seed = std::nullopt;
  /// Counts what launches do at each program point (profile/profile_monitor.h). Needs kernels compiled for it. Cannot
  /// be combined with the race detector.
  bool profile = false;
  /// The number of findings after which a launch is ended.
  int max_findings = 8;
  /// Selects a sample of blocks, for launches that are too large to run as a whole. Called at each launch with the
  /// kernel's name and the launch shape, which contains the effective cluster size. Returns the linear indices (x
  /// fastest) of the blocks to run; with clusters, those of the clusters. All blocks run if it returns an empty vector,
  /// or if the function is empty.
  std::function<std::vector<uint64_t>(std::string_view kernel, const LaunchShape& shape)> choose_blocks = nullptr;
  /// Compiles PTX to an image for this device (ptx/ptx_compiler.h). If the function is empty, LoadModule() refuses PTX.
  std::function<absl::StatusOr<std::string>(std::string_view ptx)> compile_ptx = nullptr;
};

struct SimtKernel;

/// The simulated device. All operations are synchronous: each is complete when its call returns. Like every Device, it
/// is used by one thread at a time.
class SimtDevice : public Device {
 public:
  /// Creates a device. Returns InvalidArgument for an unknown arch, a negative number of threads, or both race_detector
  /// and profile.
  static absl::StatusOr<std::unique_ptr<Device>> Create(const SimtOptions& options);

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  absl::StatusOr<DevicePtr> AllocateShared(size_t bytes) override { return Allocate(bytes); }
  absl::Status RegisterHost(void* memory, size_t bytes) override;
  absl::Status UnregisterHost(void* memory) override;
  absl::StatusOr<int> MaxActiveClusters(DeviceKernel* kernel, const LaunchShape& shape) override;
  absl::StatusOr<TensorMapBytes> EncodeTensorMap(const TiledTensorMap& map) override;
  std::string_view clock_name() const override { return "steady"; }

  /// Sets the mode of the launches that follow: with or without the race detector, in the random order of a seed or in
  /// the plain order. Must not be called on a device that profiles.
  void SetMode(bool race_detector, std::optional<uint64_t> fuzzing_seed);

  /// Declares that kernels only read the memory at `ptr`. Returns InvalidArgument if no allocation and no registered
  /// memory begins there (DeviceMemory::SetReadOnly()).
  absl::Status SetReadOnly(DevicePtr ptr);

  /// Returns the bytes of static shared memory of a kernel that a SIMT device has loaded.
  static int64_t StaticSharedBytes(const DeviceKernel& kernel);

  /// Returns the findings of the race detector since the last call, and forgets them.
  std::vector<Finding> TakeFindings();

  /// The counters of one launch.
  struct LaunchCounters {
    std::string kernel;
    std::vector<PointCounters> points;
  };
  /// Returns the counters of the launches since the last call, in launch order, and forgets them.
  std::vector<LaunchCounters> TakeCounters();

 private:
  SimtDevice(DeviceInfo info, int threads, const SimtOptions& options);

  /// Returns an error, which names `call`, if the device is unusable or the stream unknown.
  absl::Status Ready(std::string_view call, StreamHandle stream = 0) const;
  absl::Status CheckEvent(std::string_view call, EventHandle event) const;
  absl::Status LaunchError(std::string_view kernel, const BlockFailure& failure);
  absl::Status LaunchWithRaceDetector(const SimtKernel& kernel, LaunchJob job);
  absl::Status LaunchWithProfile(const SimtKernel& kernel, LaunchJob job);

  const DeviceInfo info_;
  SimtOptions options_;
  DeviceMemory memory_;
  LaunchPool pool_;
  std::vector<Finding> findings_;
  std::vector<LaunchCounters> counters_;
  absl::Status poisoned_;  ///< Not OK once a kernel may have damaged the process's memory; then every operation fails.

  uint64_t next_handle_ = 1;
  std::set<StreamHandle> streams_;
  std::map<EventHandle, std::optional<TimePoint>> events_;
};

}  // namespace mmtune::simt
