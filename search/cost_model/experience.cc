// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/experience.h"

#include <cmath>

#include "search/cost_model/portable_math.h"

namespace mmtune {

namespace {

double Surprise(const TimedSchedule& timed, const std::optional<PredictedTime>& predicted) {
  return Settled(std::log(timed.time_ns)) - (predicted ? Settled(std::log(predicted->total)) : 0);
}

}  // namespace

std::vector<Experience> ExperiencesOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured) {
  std::vector<Experience> experiences;
  double sum = 0;
  for (const TimedSchedule& timed : measured) {
    experiences.push_back({space.Features(timed.schedule), Surprise(timed, space.Predict(timed.schedule))});
    sum += experiences.back().surprise;
  }
  for (Experience& experience : experiences) experience.surprise -= sum / static_cast<double>(experiences.size());
  return experiences;
}

std::vector<std::optional<Experience>> ExperiencesFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                       const DeviceInfo& device,
                                                       const std::vector<TimedSchedule>& measured) {
  std::vector<std::optional<Experience>> experiences(measured.size());
  double sum = 0, count = 0;
  for (size_t i = 0; i < measured.size(); ++i) {
    const Schedule& schedule = measured[i].schedule;
    std::optional<std::vector<double>> features = space.FeaturesElsewhere(problem, device, schedule);
    if (!features) continue;
    const double surprise = Surprise(measured[i], space.PredictElsewhere(problem, device, schedule));
    experiences[i] = Experience{*std::move(features), surprise};
    sum += surprise;
    ++count;
  }
  for (std::optional<Experience>& experience : experiences) {
    if (experience) experience->surprise -= sum / count;
  }
  return experiences;
}

}  // namespace mmtune
