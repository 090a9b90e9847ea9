// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the phases of a compilation.
#pragma once

#include "proto/base/clock.h"

namespace mmtune {

class PhaseTimer {
 public:
  /// Milliseconds since the timer was made or last asked.
  double lap() {
    TimePoint now = Clock::Real().Now();
    double elapsed = std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
    return elapsed;
  }

 private:
  TimePoint last = Clock::Real().Now();
};

}  // namespace mmtune
