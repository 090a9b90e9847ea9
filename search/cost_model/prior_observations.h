// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfer learning: a new search starts from schedules (kernel families with parameters) that were fast for other
// problems or on other devices. This file converts such measurements from the tuning log into observations (features
// and a relative time), and predicts from them which schedules are fast here.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "proto/types/schedule.h"
#include "search/cost_model/gaussian_process.h"
#include "search/space/search_space.h"

namespace mmtune {

/// A measurement from elsewhere in the form that a search can learn from.
struct PriorObservation {
  /// SearchSpace::Features() of the schedule, for the problem and device of the measurement.
  std::vector<double> features;
  /// log(measured time / predicted time), less the mean over all measurements of the same problem and device. The mean
  /// is removed because the speed of a device as a whole does not tell which schedule is fast.
  double residual = 0;
  /// The weight in the regression, above 0. Half the weight means twice the noise variance.
  double weight = 1;
  /// Observations with the same number are of one problem on one device. Where there are several sources, the
  /// regression determines the mean residual of each, which is lower for a search that has found faster schedules.
  size_t source = 0;
};

/// A schedule and its measured time.
struct TimedSchedule {
  Schedule schedule;
  double time_ns = 0;  ///< Must be above 0.
};

/// Returns at most `most` of the elements, evenly spaced in their order.
std::vector<TimedSchedule> EvenlySpaced(const std::vector<TimedSchedule>& timed, size_t most);

/// Returns the observations from schedules of `space` that were measured for its own problem and device, for use in
/// searches of other spaces.
std::vector<PriorObservation> ObservationsOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured);

/// Returns the observations for a search of `space` from schedules that were measured for `problem` on `device`, in the
/// order of `measured`. An entry is nullopt if the schedule cannot be described by the features of the space
/// (SearchSpace::FeaturesFor).
std::vector<std::optional<PriorObservation>> ObservationsFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                              const DeviceInfo& device,
                                                              const std::vector<TimedSchedule>& measured);

/// The least number of observations from which anything is learned.
inline constexpr size_t kMinPriorObservations = 16;

/// The mean of a Gaussian process over prior observations: a function of the features of a schedule. A copyable value.
class PriorModel {
 public:
  /// Fits the process to those observations that have `feature_count` features; ignores the others. Uses at most `most`
  /// of them, evenly spaced, because the cost is cubic. Returns nullopt if fewer than `least` (1 or more) are left, or
  /// if numbers overflow. Deterministic.
  static std::optional<PriorModel> Fit(const std::vector<PriorObservation>& observations, size_t feature_count,
                                       size_t least, size_t most);

  /// Returns the predicted residual of a schedule with these features.
  double Predict(const std::vector<double>& features) const;

 private:
  PriorModel() = default;

  FeatureScale scale_;
  ProcessKernel kernel_;
  Points points_;         ///< One column for each observation.
  Eigen::ArrayXd norms_;  ///< Their squared norms.
  Eigen::VectorXd weights_;
  double mean_ = 0;
};

/// Predicts the residuals of schedules with these features by a PriorModel of at most 256 observations. Returns an
/// empty vector if there are fewer than kMinPriorObservations.
std::vector<double> PredictResiduals(const std::vector<PriorObservation>& observations,
                                     const std::vector<std::vector<double>>& features);

}  // namespace mmtune
