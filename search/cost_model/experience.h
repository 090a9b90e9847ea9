// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What schedules took elsewhere, on another device or for another problem, as far as it may be true here, too.
#pragma once

#include <optional>
#include <vector>

#include "proto/types/schedule.h"
#include "search/space/search_space.h"

namespace mmtune {

struct Experience {
  std::vector<double> features;  ///< SearchSpace::Features of the space where it was measured.
  /// The logarithm of its time over what was predicted for it there (SearchSpace::Predict, where that says something),
  /// less the mean of all that were measured there: how fast a device is as a whole says nothing of schedules.
  double surprise = 0;
  double weight = 1;  ///< Above 0; with half of it, its time is thought to be twice as noisy (as a variance).
};

struct TimedSchedule {
  Schedule schedule;
  double time_ns = 0;  ///< Above 0.
};

/// Of schedules measured for the problem and on the device of `space`, which has them.
std::vector<Experience> ExperiencesOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured);

/// Of schedules measured for another problem or on another device, for a search of `space`: in the order of `measured`,
/// nothing in place of those of which the space can say nothing (SearchSpace::FeaturesElsewhere).
std::vector<std::optional<Experience>> ExperiencesFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                       const DeviceInfo& device,
                                                       const std::vector<TimedSchedule>& measured);

}  // namespace mmtune
