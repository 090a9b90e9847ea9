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

}  // namespace mmtune
