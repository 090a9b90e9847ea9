// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a job has seen enough.
#pragma once

#include <cstdint>

namespace mmtune {

struct StopLimits {
  int64_t trials = 0;  ///< Candidates proposed, those answered from the log included; 0: no limit.
  double seconds = 0;  ///< Since the job began to run; 0: no limit.

  /// Whether one of the limits is reached, so that nothing more is to be proposed.
  bool Reached(int64_t proposed, double elapsed_seconds) const {
    return (trials > 0 && proposed >= trials) || (seconds > 0 && elapsed_seconds >= seconds);
  }
};

}  // namespace mmtune
