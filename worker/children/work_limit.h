// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits how long a child may compute by its CPU time, because a loaded host may give it little.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "proto/base/clock.h"

namespace mmtune {

/// Returns "1.5 s".
std::string SecondsText(Duration duration);

/// The limit of one request. Reads no clock itself. Not thread-safe.
class WorkLimit {
 public:
  /// Begins at `now`, when the child has used `cpu` of CPU time. `close`: the end of the lease.
  WorkLimit(Duration limit, TimePoint close, TimePoint now, Duration cpu)
      : limit_(limit), close_(close), begun_(now), worked_(now), cpu_at_begin_(cpu), cpu_when_worked_(cpu) {}

  /// Returns OK while the child may go on; called repeatedly until it answers.
  ///   DeadlineExceeded  the child used `limit` of CPU time (an endless loop), or in `limit` of time less than a
  ///   thousandth
  ///                     of it (it hangs)
  ///   Unavailable       neither by `close`: the host gave it too little time
  absl::Status Check(TimePoint now, Duration cpu);

 private:
  const Duration limit_;
  const TimePoint close_, begun_;
  TimePoint worked_;  ///< When the child was last seen to use CPU time.
  const Duration cpu_at_begin_;
  Duration cpu_when_worked_;
};

}  // namespace mmtune
