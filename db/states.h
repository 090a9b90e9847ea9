// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the states the log stores; those of jobs are in tuning_log.h.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"

namespace mmtune {

/// "queued", "leased", "done".
std::string_view CandidateStateName(CandidateState state);
absl::StatusOr<CandidateState> ParseCandidateState(std::string_view name);

/// "live", "reported", "expired", "released", "failed".
std::string_view AttemptStateName(AttemptState state);
absl::StatusOr<AttemptState> ParseAttemptState(std::string_view name);

}  // namespace mmtune
