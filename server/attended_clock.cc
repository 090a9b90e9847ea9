// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/attended_clock.h"

#include "proto/base/log.h"
#include "proto/base/seconds.h"

namespace mmtune {

TimePoint AttendedClock::Now() const {
  MutexLock lock(&mutex_);
  const TimePoint now = clock_.Now();
  const Duration step = now - read_;
  read_ = now;
  if (step > kLongestStep) {
    missed_ += step - kLongestStep;
    LogWarning("paused", {{"seconds", Seconds(step)}, {"so", "no lease runs out by that"}});
  }
  return now - missed_;
}

}  // namespace mmtune
