// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/prior_observations.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "search/cost_model/gaussian_process.h"
#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

constexpr size_t kMaxObservations = 256;

double LogResidual(const TimedSchedule& timed, const std::optional<PredictedTime>& predicted) {
  return Settled(std::log(timed.time_ns)) - (predicted ? Settled(std::log(predicted->total)) : 0);
}

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

std::vector<PriorObservation> ObservationsOf(const SearchSpace& space, const std::vector<TimedSchedule>& measured) {
  std::vector<PriorObservation> observations;
  double sum = 0;
  for (const TimedSchedule& timed : measured) {
    observations.push_back({space.Features(timed.schedule), LogResidual(timed, space.Predict(timed.schedule))});
    sum += observations.back().residual;
  }
  for (PriorObservation& observation : observations) {
    observation.residual -= sum / static_cast<double>(observations.size());
  }
  return observations;
}

std::vector<std::optional<PriorObservation>> ObservationsFrom(const SearchSpace& space, const MatmulProblem& problem,
                                                              const DeviceInfo& device,
                                                              const std::vector<TimedSchedule>& measured) {
  std::vector<std::optional<PriorObservation>> observations(measured.size());
  double sum = 0, count = 0;
  for (size_t i = 0; i < measured.size(); ++i) {
    const Schedule& schedule = measured[i].schedule;
    std::optional<std::vector<double>> features = space.FeaturesFor(problem, device, schedule);
    if (!features) continue;
    const double residual = LogResidual(measured[i], space.PredictFor(problem, device, schedule));
    observations[i] = PriorObservation{*std::move(features), residual};
    sum += residual;
    ++count;
  }
  for (std::optional<PriorObservation>& observation : observations) {
    if (observation) observation->residual -= sum / count;
  }
  return observations;
}

std::vector<double> PredictResiduals(const std::vector<PriorObservation>& observations,
                                     const std::vector<std::vector<double>>& features) {
  std::vector<const PriorObservation*> usable;
  for (const PriorObservation& observation : observations) {
    if (!features.empty() && observation.features.size() == features.front().size() &&
        AllFinite(observation.features) && std::isfinite(observation.residual) && observation.weight > 0) {
      usable.push_back(&observation);
    }
  }
  if (usable.size() < kMinPriorObservations) return {};

  const size_t count = std::min(usable.size(), kMaxObservations);
  const auto columns = static_cast<Eigen::Index>(count);
  std::vector<std::vector<double>> sample;
  Eigen::VectorXd values(columns), noise(columns);
  for (size_t i = 0; i < count; ++i) {
    const PriorObservation& observation = *usable[i * usable.size() / count];
    sample.push_back(observation.features);
    values[static_cast<Eigen::Index>(i)] = observation.residual;
    noise[static_cast<Eigen::Index>(i)] = 1 / observation.weight;
  }
  const FeatureScale scale(sample);
  Points points(scale.ToPoint(sample[0]).size(), columns);
  for (Eigen::Index i = 0; i < columns; ++i) points.col(i) = scale.ToPoint(sample[static_cast<size_t>(i)]);
  const double mean = values.sum() / static_cast<double>(count);
  values.array() -= mean;
  const ProcessKernel kernel = MostLikelyKernel(points, values);
  Eigen::MatrixXd covariances(columns, columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    covariances.row(i) = Covariances(kernel, points.col(i), points).matrix().transpose();
  }
  covariances.diagonal() += kernel.noise * noise;
  const Eigen::VectorXd weights = Eigen::LLT<Eigen::MatrixXd>(covariances).solve(values);

  std::vector<double> predicted;
  for (const std::vector<double>& row : features) {
    predicted.push_back(mean + Covariances(kernel, scale.ToPoint(row), points).matrix().dot(weights));
  }
  return AllFinite(predicted) ? predicted : std::vector<double>();
}

}  // namespace mmtune
