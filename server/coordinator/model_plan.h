// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses what a search for a part of a model measures before anything else: the schedule that the model uses now, and
// what the log has.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/schedule.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job.h"

namespace mmtune {

/// Returns the schedule that the model uses now, request.initial, and all other schedules that the log has of the
/// request's problem, device and toolchain, the oldest first. The log answers these when they are proposed, so that the
/// same model continues where an earlier job has ended. Skipped and suspect ones are left out. Returns the errors of
/// the log.
absl::StatusOr<std::vector<Schedule>> FirstOfModel(const JobPlanRequest& request);

/// Returns a strategy that proposes these schedules, which are outside of the search space of `rest`, before all that
/// `rest` proposes. `rest` ignores their results.
std::unique_ptr<Strategy> WithFirst(std::vector<Schedule> first, std::unique_ptr<Strategy> rest);

}  // namespace mmtune
