// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads measured times of earlier jobs, from which a new search learns (search/cost_model/prior_observations.h). Uses
// the tables `ranking` and `measurement`.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "db/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Returns each problem and class of devices for which the tuning log has times that pass the filter, in no particular
/// order. Rows that cannot be read are left out, with a warning in the program's log. The cost grows with the number of
/// problems and classes, not with that of records. Implements TuningLogReader::TimedSources().
absl::StatusOr<std::vector<TimedSource>> ReadTimedSources(Database& database, const TimesFilter& filter);
/// Returns the times of a problem on the class of `device` that pass the filter: the newest of each schedule, fastest
/// first. If there are more than `most`, returns `most` of them, evenly spaced in this order. Of a problem with more
/// than 65,536 records, only about that many are read: those whose schedules have the smallest digests, which is a
/// random choice. Rows that cannot be read are left out, with a warning in the program's log. Implements
/// TuningLogReader::TimesOf().
absl::StatusOr<std::vector<MeasuredTime>> ReadTimesOf(Database& database, const MatmulProblem& problem,
                                                      const DeviceInfo& device, const TimesFilter& filter, int most);

}  // namespace mmtune
