// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a job's search may learn from the log: times of other problems, on other devices, and by other toolchains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/search_space.h"

namespace mmtune {

struct Learner {
  MatmulProblem problem;
  DeviceInfo device;
  Toolchain toolchain;
  TimesFilter times;  ///< Of the kind of the device.
};

/// A source is a problem on a class of devices. The nearest come first: this problem elsewhere, this class of devices,
/// these types, these sizes. kMostOfSource schedules of each at most, the fast and the slow ones, of kMostSources at
/// most, until there are kMaxPriorObservations or kMostRead times were read; a source with fewer than kFewestOfSource says
/// nothing. What the learner's own toolchain measured of its own problem on its own class is left out: it answers for
/// itself once it is proposed, and so a job that is repeated proposes what it proposed before. Of a schedule the newest
/// record of its source counts. The weight of one of the learner's toolchain is 1, of others 1/2, 1/3, ... in the order
/// in which they were last used.
///
/// The same records give the same answer. Empty where they are too few to learn from. The errors of the log.
absl::StatusOr<std::vector<PriorObservation>> ReadExperiences(TuningLogReader& log, const Learner& learner,
                                                        const SearchSpace& space);

inline constexpr size_t kMostOfSource = 512;
inline constexpr size_t kMaxPriorObservations = 2048;
inline constexpr size_t kFewestOfSource = 8;
inline constexpr size_t kMostSources = 512;
/// A bound of what a job's start costs where the space has few of the log's schedules.
inline constexpr size_t kMostRead = 2 * kMaxPriorObservations;

}  // namespace mmtune
