// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/experience.h"

#include <cmath>
#include <optional>

#include "search/model/portable_math.h"

namespace mmtune {

std::vector<Experience> ExperiencesOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured) {
  std::vector<Experience> experiences;
  double sum = 0;
  for (const TimedSchedule& timed : measured) {
    const std::optional<PredictedTime> predicted = space.Predict(timed.schedule);
    const double surprise = Settled(std::log(timed.time_ns)) - (predicted ? Settled(std::log(predicted->total)) : 0);
    experiences.push_back({space.Features(timed.schedule), surprise});
    sum += surprise;
  }
  for (Experience& experience : experiences) experience.surprise -= sum / static_cast<double>(experiences.size());
  return experiences;
}

}  // namespace mmtune
