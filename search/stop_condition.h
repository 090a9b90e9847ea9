// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a job has seen enough. Conditions compose: the first that holds stops it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mmtune {

struct StopLimits {
  int64_t trials = 0;  ///< Candidates proposed, those answered from the log included; 0: no limit.
  double seconds = 0;  ///< Since the job began to run; 0: no limit.
};

struct SearchProgress {
  int64_t proposed = 0;
  double seconds = 0;
};

/// The reason to propose nothing more ("64 trials", "30 s"), or nullopt.
std::optional<std::string> StopReason(const StopLimits& limits, const SearchProgress& progress);

}  // namespace mmtune
