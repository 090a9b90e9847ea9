// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device that may do what is enqueued in any order that streams and events allow, as late as they allow.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "kernels/runtime/device/device.h"

namespace mmtune {

/// A kernel of the device: host code over the elements of its buffers. It gets memrefs of rank 1, passed as
/// descriptors, all of `kElements` elements.
struct TestKernel {
  static constexpr int kElements = 8;
  int buffers = 0;
  std::function<void(const std::vector<int32_t*>& buffers)> run;
};

/// Kernels are either test kernels, and every image holds the same, or those of the images. Errors, besides those of
/// Device: freeing memory that an operation in flight uses, destroying a stream with operations in flight, destroying
/// what is not there, and waiting for ever.
class ReorderingDevice final : public Device {
 public:
  enum class Order {
    kProgram,  ///< Every operation runs when it is enqueued.
    kRandom,   ///< Some run early, the rest while the host waits, from random streams.
    kLate,     ///< None runs before the host waits; then the stream that was made last goes first.
  };

  ReorderingDevice(std::map<std::string, TestKernel> kernels, Order order, uint32_t seed);

  /// `runner`, a device whose memory is this process's, runs the kernels when their turn comes. Each of `parameters`,
  /// the number that a kernel of a name takes, has 8 bytes or lies in a struct with room for as many.
  ReorderingDevice(Device* runner, std::map<std::string, int> parameters, Order order, uint32_t seed);

  const DeviceInfo& info() const override { return info_; }
  MMTUNE_DEVICE_OVERRIDES;
  std::string_view clock_name() const override { return "none"; }

  /// The most operations that could have run side by side at one time.
  int most_concurrent() const { return most_concurrent_; }
  /// How often the host waited with something in flight.
  int host_waits() const { return host_waits_; }

 private:
  /// The work that an event covers since it was last recorded.
  struct Mark {
    bool reached = false;
  };
  struct Operation {
    std::function<void()> run;  ///< Empty for marks.
    std::vector<DevicePtr> memory;
    std::shared_ptr<Mark> waits_for, reaches;
  };
  using Queue = std::deque<Operation>;

  absl::Status LaunchOnRunner(DeviceKernel* kernel, int parameters, const LaunchShape& shape, void** arguments,
                              StreamHandle stream);
  absl::Status Enqueue(std::string_view call, StreamHandle stream, Operation operation);
  absl::Status CheckMemory(std::string_view call, DevicePtr ptr, size_t bytes) const;
  DevicePtr AllocationOf(DevicePtr ptr) const;
  /// Takes marks that hold nothing up off the queues.
  void SettleMarks();
  /// The streams whose next operation can run, in the order they were made. Marks are settled.
  std::vector<StreamHandle> Runnable() const;
  void RunNext(StreamHandle stream);
  /// Runs operations until `done`; Internal when none can run before.
  absl::Status RunUntil(std::string_view call, const std::function<bool()>& done);
  StreamHandle Choose(const std::vector<StreamHandle>& streams);

  DeviceInfo info_;
  std::map<std::string, TestKernel> kernels_;
  Device* runner_ = nullptr;
  std::map<std::string, int> parameters_;
  absl::Status launch_error_;  ///< The first of the runner's.
  Order order_;
  std::mt19937 random_;
  std::map<DevicePtr, std::vector<char>> allocations_;
  std::map<StreamHandle, Queue> streams_;
  std::map<EventHandle, std::shared_ptr<Mark>> events_;
  uint64_t next_handle_ = 1;
  int most_concurrent_ = 0, host_waits_ = 0;
};

}  // namespace mmtune
