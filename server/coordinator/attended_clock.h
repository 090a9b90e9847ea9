// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time in which the coordinator could be heard from, and could hear.
#pragma once

#include "absl/base/thread_annotations.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"

namespace mmtune {

/// Another clock's time without the pauses of the thread that reads it: where that did not read it for longer than
/// kLongestStep, the process was stopped, the machine was asleep, or a call hung, and nobody was heard meanwhile,
/// however much was said. No more of it counts than one such step, so that nobody is judged by a silence that was not
/// theirs. Where each call hangs, as on a disk that is much too slow, time goes by in such steps. One thread reads it,
/// and at least once in kLongestStep; another one may do so before that one starts.
class AttendedClock : public Clock {
 public:
  static constexpr Duration kLongestStep = std::chrono::seconds(2);

  /// `clock` must outlive it.
  explicit AttendedClock(const Clock& clock)
      : clock_(clock), read_(clock.Now()), told_(read_ - std::chrono::hours(1)) {}

  TimePoint Now() const override;
  int64_t UnixMillis() const override { return clock_.UnixMillis(); }

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  mutable TimePoint read_ ABSL_GUARDED_BY(mutex_);  ///< What the other clock said last.
  mutable Duration missed_ ABSL_GUARDED_BY(mutex_){};
  mutable TimePoint told_ ABSL_GUARDED_BY(mutex_);     ///< When the log was told, by the other clock.
  mutable Duration untold_ ABSL_GUARDED_BY(mutex_){};  ///< What it was not told.
};

}  // namespace mmtune
