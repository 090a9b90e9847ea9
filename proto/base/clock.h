// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time, injected where a decision depends on it.
#pragma once

#include <chrono>
#include <cstdint>

namespace mmtune {

using Duration = std::chrono::nanoseconds;
/// A point on a monotonic clock; only differences mean anything.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  /// Wall clock, for records only; never for a decision.
  virtual int64_t UnixMillis() const = 0;

  static const Clock& Real();
};

/// A clock that moves only when told. Not thread-safe.
class FakeClock : public Clock {
 public:
  TimePoint Now() const override { return now_; }
  int64_t UnixMillis() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch()).count();
  }
  void Advance(Duration by) { now_ += by; }

 private:
  TimePoint now_{};
};

}  // namespace mmtune
