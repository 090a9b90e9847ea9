// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream on which work is timed by events, all of it enqueued before the first begins.
#pragma once

#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/runtime/device.h"

namespace mmtune {

/// Not thread-safe; the device must outlive it.
class DelayedStream {
 public:
  static absl::StatusOr<std::unique_ptr<DelayedStream>> Create(Device* device);
  ~DelayedStream();
  DelayedStream(const DelayedStream&) = delete;

  /// Nanoseconds between two events around what `enqueue` enqueues. Where the device can be held back, it is until
  /// `enqueue` is done; when that took longer than the delay, the work is enqueued once more with a longer one.
  absl::StatusOr<double> Time(absl::FunctionRef<absl::Status(StreamHandle)> enqueue);

  /// Every timing since Create had all of its work enqueued before the first began.
  bool delayed() const { return timings_ > 0 && delayed_ == timings_; }
  Device& device() const { return *device_; }

 private:
  explicit DelayedStream(Device* device) : device_(device) {}

  Device* const device_;
  StreamHandle stream_ = 0;
  EventHandle start_ = 0, end_ = 0;
  static constexpr double kFirstDelayNs = 50e3;
  double delay_ns_ = kFirstDelayNs;
  int in_a_row_ = 0;  // timings that were held back for long enough
  int64_t timings_ = 0, delayed_ = 0;
};

}  // namespace mmtune
