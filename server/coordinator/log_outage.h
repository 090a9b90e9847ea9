// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about a tuning log that cannot be written, mostly because of a full disk.
#pragma once

#include "absl/status/status.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"

namespace mmtune {

/// Is told how each batch went. An outage begins with the first batch that fails, and is over when something was
/// written, or when none has failed for 15 s (a batch that writes nothing succeeds on a full disk, too). Its beginning
/// and its end are one line each in the program's log. Thread-safe.
class LogOutage {
 public:
  /// `clock` must outlive it.
  explicit LogOutage(const Clock& clock) : clock_(clock) {}

  void Failed(const absl::Status& why);
  /// The log will never be written again.
  void Lost(const absl::Status& why);
  /// `wrote`: it is known that the log can be written.
  void Succeeded(bool wrote);
  /// Whether there is an outage.
  bool active() const;

  /// How long to leave the log alone: zero after a success, else growing with the failures, up to 1 s.
  Duration Pause() const;
  /// Why batches fail, if they have failed for `at_least` or will for ever; OK otherwise.
  absl::Status Status(Duration at_least) const;

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);  ///< OK: no outage.
  TimePoint first_ ABSL_GUARDED_BY(mutex_);
  TimePoint last_ ABSL_GUARDED_BY(mutex_);
  int64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;
  bool last_failed_ ABSL_GUARDED_BY(mutex_) = false;
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mmtune
