// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "absl/status/status.h"
#include "proto/base/clock.h"

namespace mmtune {

/// Returns a duration as "1.5 s".
std::string SecondsText(Duration duration);

/// Limits the computing time of one request by the CPU time of the child, not by wall time, because a loaded host may
/// give it little. Reads no clock itself. Not thread-safe.
class WorkLimit {
 public:
  /// Starts at `now`, when the child had used `cpu` of CPU time. `close` is the end of the lease.
  WorkLimit(Duration limit, TimePoint close, TimePoint now, Duration cpu)
      : limit_(limit), close_(close), begun_(now), worked_(now), cpu_at_begin_(cpu), cpu_when_worked_(cpu) {}

  /// Returns OK while the child may go on. Must be called repeatedly until it answers. Errors:
  ///
  ///   DeadlineExceeded  the child has used `limit` of CPU time (an endless loop), or less than a thousandth of that in
  ///                     `limit` of wall time (it hangs)
  ///   Unavailable       neither happened before `close`: the host gave it too little CPU time
  absl::Status Check(TimePoint now, Duration cpu);

 private:
  const Duration limit_;
  const TimePoint close_, begun_;
  TimePoint worked_;  ///< When the child was last seen to use CPU time.
  const Duration cpu_at_begin_;
  Duration cpu_when_worked_;
};

}  // namespace mmtune
