// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prior observations of a search: times of schedules in earlier jobs, from the tables `ranking` and `measurement`.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Implement TuningLogReader::TimedSources and TimesOf. Rows that cannot be read are left out, and named in the
/// program's log. The cost of the first depends on how many sources there are, not on how many records they have; the
/// second looks at the times of some 65,000 records at most, those with the smallest digests of their schedules.
absl::StatusOr<std::vector<TimedSource>> ReadTimedSources(Database& database, const TimesFilter& filter);
absl::StatusOr<std::vector<PastTime>> ReadTimesOf(Database& database, const MatmulProblem& problem,
                                                  const DeviceInfo& device, const TimesFilter& filter, int most);

}  // namespace mmtune
