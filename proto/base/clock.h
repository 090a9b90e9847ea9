// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time points and durations, and the clock that is injected where a decision depends on time.
#pragma once

#include <chrono>
#include <cstdint>

namespace mmtune {

using Duration = std::chrono::nanoseconds;
/// A point on a monotonic clock; only differences are meaningful.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

inline double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
inline double Milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

/// Converts a finite number of seconds within 292 years.
inline Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

/// A source of time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  /// Returns the wall clock's time, for records only; never for a decision.
  virtual int64_t UnixMillis() const = 0;

  static const Clock& Real();
};

inline const Clock& Clock::Real() {
  struct RealClock : Clock {
    TimePoint Now() const override { return std::chrono::steady_clock::now(); }
    int64_t UnixMillis() const override {
      const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
      return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
    }
  };
  static const RealClock clock;
  return clock;
}

}  // namespace mmtune
