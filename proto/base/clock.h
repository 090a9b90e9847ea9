// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time in this project: durations, points of a monotonic clock, and the Clock interface.
//
// A class whose decisions depend on time takes a Clock in its constructor. Programs pass Clock::Real(); tests pass a
// fake clock that they advance by hand.
#pragma once

#include <chrono>
#include <cstdint>

namespace mmtune {

using Duration = std::chrono::nanoseconds;
/// A point on a monotonic clock; only differences are meaningful.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

/// Converts a duration to seconds.
inline double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
/// Converts a duration to milliseconds.
inline double Milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

/// Converts seconds to a duration. The number must be finite and less than 292 years, the range of a Duration.
inline Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

/// A source of time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Returns the current time of a monotonic clock.
  virtual TimePoint Now() const = 0;
  /// Returns the wall clock's milliseconds since 1970. The wall clock can jump, so only records and log lines use it;
  /// decisions use Now().
  virtual int64_t UnixMillis() const = 0;

  /// Returns the clock of the operating system.
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
