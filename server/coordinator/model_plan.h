// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the schedules that the search for one problem of a model proposes first: the one that the model uses now, and
// those that the log has results of.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/schedule.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/job.h"

namespace mmtune {

/// Returns, in this order: the schedule that the model uses now; those of `request.initial`; and those that the log has
/// results of, for the request's problem, device and toolchain, the oldest first. When the latter are proposed, their
/// results are taken from the log. So a later job for the same model continues where an earlier one has ended. Records
/// with the outcome skipped or suspect are left out. Returns the errors of the log.
absl::StatusOr<std::vector<Schedule>> FirstOfModel(const JobPlanRequest& request);

/// Returns a strategy that proposes `first`, and then what `rest` proposes. The schedules of `first` are outside of the
/// search space of `rest`, which ignores their results.
std::unique_ptr<Strategy> PrependSchedules(std::vector<Schedule> first, std::unique_ptr<Strategy> rest);

}  // namespace mmtune
