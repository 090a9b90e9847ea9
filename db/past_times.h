// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads measured times of earlier jobs, from which a new search learns (search/cost_model/prior_observations.h). Uses
// the tables `ranking` and `measurement`.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Implements TuningLogReader::TimedSources(). Rows that cannot be read are left out and named in the program's log.
/// The cost depends on the number of sources, not of records.
absl::StatusOr<std::vector<TimedSource>> ReadTimedSources(Database& database, const TimesFilter& filter);
/// Implements TuningLogReader::TimesOf(). Rows that cannot be read are left out and named in the program's log. Reads
/// at most about 65,000 records, those with the smallest schedule digests.
absl::StatusOr<std::vector<MeasuredTime>> ReadTimesOf(Database& database, const MatmulProblem& problem,
                                                      const DeviceInfo& device, const TimesFilter& filter, int most);

}  // namespace mmtune
