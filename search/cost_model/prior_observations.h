// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfer learning: times of schedules measured for other problems or on other devices, and what they predict here.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "proto/types/schedule.h"
#include "search/space/search_space.h"

namespace mmtune {

/// A time that was measured elsewhere, as a search can learn from it.
struct PriorObservation {
  std::vector<double> features;  ///< SearchSpace::Features of the space where it was measured.
  /// The logarithm of the measured over the predicted time (SearchSpace::Predict), less the mean of its source: the
  /// speed of a device as a whole says nothing of schedules.
  double residual = 0;
  double weight = 1;  ///< Above 0; half the weight is twice the variance of the noise.
};

struct TimedSchedule {
  Schedule schedule;
  double time_ns = 0;  ///< Above 0.
};

/// Returns the observations of schedules that were measured in `space` itself, for a search of another one.
std::vector<PriorObservation> ObservationsOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured);

/// Returns, for a search of `space`, the observations of schedules that were measured for `problem` on `device`, in the
/// order of `measured`; nullopt for schedules whose features the space does not have (SearchSpace::FeaturesElsewhere).
std::vector<std::optional<PriorObservation>> ObservationsFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                              const DeviceInfo& device,
                                                              const std::vector<TimedSchedule>& measured);

/// Fewer observations teach noise.
inline constexpr size_t kMinPriorObservations = 16;

/// Predicts the residual of schedules with these features: the mean of a Gaussian process over the observations, of at
/// most 256 of them, evenly spaced, as the cost grows with the third power. Observations with another number of
/// features are passed over; returns nothing when fewer than kMinPriorObservations are left. Deterministic.
std::vector<double> PredictResiduals(const std::vector<PriorObservation>& observations,
                                     const std::vector<std::vector<double>>& features);

}  // namespace mmtune
