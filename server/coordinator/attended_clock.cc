// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/attended_clock.h"

#include <utility>

#include "proto/base/log.h"
#include "proto/base/clock.h"

namespace mmtune {
namespace {

constexpr Duration kTellEvery = std::chrono::seconds(10);

}  // namespace

TimePoint AttendedClock::Now() const {
  MutexLock lock(&mutex_);
  const TimePoint now = clock_.Now();
  const Duration step = now - read_;
  read_ = now;
  if (step > kLongestStep) {
    missed_ += step - kLongestStep;
    untold_ += step - kLongestStep;
    // A disk that takes seconds for each commit pauses again and again.
    if (now - told_ >= kTellEvery) {
      LogWarning("paused",
                 {{"seconds", Seconds(std::exchange(untold_, Duration::zero()))}, {"so", "no lease runs out by that"}});
      told_ = now;
    }
  }
  return now - missed_;
}

}  // namespace mmtune
