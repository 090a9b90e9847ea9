// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Durations as numbers of seconds or milliseconds, as messages and options have them.
#pragma once

#include "proto/base/clock.h"

namespace mmtune {

inline double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
inline double Milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

/// `seconds` is finite and within 292 years.
inline Duration FromSeconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace mmtune
