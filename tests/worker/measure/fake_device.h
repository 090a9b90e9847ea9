// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device without kernels: every launch takes a scripted time on a fake clock.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "proto/base/clock.h"
#include "tests/fake_clock.h"

namespace mmtune {

/// Memory is the host's. Not thread-safe.
class FakeDevice : public Device {
 public:
  /// Nanoseconds of launch number i, counted from 0.
  using LaunchTime = std::function<double(int)>;
  explicit FakeDevice(LaunchTime launch_time) : launch_time_(std::move(launch_time)) { info_.name = "fake"; }

  FakeClock clock;
  /// Called at every launch with the addresses given to the kernel.
  std::function<void(const std::vector<DevicePtr>&)> kernel;
  int launches = 0;
  int live_allocations = 0;
  int most_allocations = 1 << 30;  ///< Those over it are ResourceExhausted.
  bool can_delay = false;
  std::vector<double> delays;                       ///< Asked for, in nanoseconds.
  std::vector<std::pair<DevicePtr, size_t>> fills;  ///< Fills with zeros: address and number of words.

  const DeviceInfo& info() const override { return info_; }
  absl::StatusOr<DevicePtr> Allocate(size_t bytes) override;
  absl::Status Free(DevicePtr ptr) override;
  absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle) override;
  absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle) override;
  absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle) override;
  absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle) override;
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat, std::string_view) override;
  absl::Status Launch(DeviceKernel*, const LaunchShape&, void** arguments, StreamHandle) override;
  absl::StatusOr<StreamHandle> CreateStream() override { return StreamHandle{1}; }
  absl::Status DestroyStream(StreamHandle) override { return absl::OkStatus(); }
  absl::Status Synchronize(StreamHandle) override { return absl::OkStatus(); }
  absl::Status StreamWaitEvent(StreamHandle, EventHandle) override { return absl::OkStatus(); }
  absl::StatusOr<EventHandle> CreateEvent() override { return ++events_; }
  absl::Status DestroyEvent(EventHandle) override { return absl::OkStatus(); }
  absl::Status RecordEvent(EventHandle event, StreamHandle) override;
  absl::Status SynchronizeEvent(EventHandle) override { return absl::OkStatus(); }
  absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) override;
  absl::StatusOr<bool> Delay(double ns, StreamHandle) override;
  absl::StatusOr<bool> EventReached(EventHandle) override { return clock.Now() >= held_until_; }
  std::string_view clock_name() const override { return "steady"; }
  DeviceInfo& mutable_info() { return info_; }

 private:
  LaunchTime launch_time_;
  DeviceInfo info_;
  EventHandle events_ = 0;
  TimePoint held_until_{};
  std::map<EventHandle, TimePoint> recorded_;
};

/// How many arguments the fake kernel takes.
inline constexpr int kFakeKernelArguments = 4;

}  // namespace mmtune
