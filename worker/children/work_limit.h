// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a child may compute. A loaded host gives it little time by the clock: what a child was not given is not held
// against what it computes.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "proto/base/clock.h"

namespace mmtune {

/// "1.5 s".
std::string SecondsText(Duration duration);

/// Of one request. Reads no clock itself. Not thread-safe.
class WorkLimit {
 public:
  /// Begins at `now`, when the child has used `cpu` of CPU time.
  WorkLimit(Duration limit, TimePoint close, TimePoint now, Duration cpu)
      : limit_(limit), close_(close), begun_(now), worked_(now), cpu_at_begin_(cpu), cpu_when_worked_(cpu) {}

  /// Asked again and again until the child answers.
  ///   DeadlineExceeded  it has used `limit` of CPU time: an endless loop; or, in `limit` by the clock, less than a
  ///                     thousandth of that: it hangs
  ///   Unavailable       neither, by `close`: the host had too little time for it
  absl::Status Check(TimePoint now, Duration cpu);

 private:
  const Duration limit_;
  const TimePoint close_, begun_;
  TimePoint worked_;  ///< Until then the child was seen at work.
  const Duration cpu_at_begin_;
  Duration cpu_when_worked_;
};

}  // namespace mmtune
